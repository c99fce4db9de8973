import { matchEmail, parseEmailAddress } from "../addresses/email-address.ts";
import { countDaysLeft, dateAt } from "../calendar/business-days.ts";
import type { Database } from "../database/database.ts";
import { enterSeen } from "../database/last-seen.ts";
import type { Write } from "../database/statement.ts";
import {
  listFailing,
  listMessages,
  listTroubled,
  type OutboxRecord,
  retryMessages,
} from "../outbox/outbox.ts";
import type { Forgetting } from "./forgetting.ts";
import { enterAct, type JournalAct, type JournalEntry, listActs } from "./journal.ts";
import type { Refusal } from "./life.ts";
import { oweLink } from "./link-mails.ts";
import { parseReference } from "./reference.ts";
import { countByAge, countOverdue, countReceived } from "./store/counts.ts";
import {
  findEndedRequests,
  findOpenRequest,
  findRequest,
  findRequestById,
} from "./store/finding.ts";
import {
  findSubmissionByReference,
  listSubmissions,
  type SubmissionRecord,
} from "./store/forms.ts";
import { listById, listEnded, listReceived, listWorking } from "./store/queue.ts";
import { type ConfirmedRequest, isEnded, isWorking, type StoredRequest } from "./store/request.ts";
import { addNote, type EventRecord, listEvents } from "./store/trail.ts";
import { type Happened, readTallies, tally } from "./tallies.ts";
import { type Act, applyAct, type Office } from "./transitions.ts";

/** What an operator can do with requests. Every act is entered in the trail or the journal under the operator's name. */

export type QueuedRequest = StoredRequest & {
  /** Business days until the due date, negative when it has passed; undefined while unconfirmed or ended. */
  daysLeft: number | undefined;
};

/** Parts of the queue, in their order: due soonest first, then to expire soonest first, then newest end first. */
export const queueParts = ["working", "received", "ended"] as const;
export type QueuePart = (typeof queueParts)[number];

export type QueuePage = { requests: QueuedRequest[]; hasMore: boolean };

export type Story = {
  request: QueuedRequest;
  /** Oldest first, those that `show` has room for; `request.sent` tells of how many. */
  submissions: SubmissionRecord[];
  events: EventRecord[];
  mails: OutboxRecord[];
};

export type DeskResult =
  | { kind: "done"; request: ConfirmedRequest }
  | { kind: "refused"; refusal: Refusal; request: StoredRequest }
  | { kind: "not-found" };

export type OperatorAct = Extract<Act, { type: "take" | "complete" | "refuse" | "extend" }>;

/** How it stands now. */
export type Standing = {
  /** Open confirmed requests by whole days since their confirmation. */
  openByAge: { upTo3: number; upTo7: number; upTo14: number; older: number };
  overdue: number;
  unconfirmed: number;
};

export type Desk = ReturnType<typeof createDesk>;

const shownForms = 100;
const shownEvents = 500;
const foundAtOnce = 50;
const carriedAtOnce = 500;

export function createDesk(
  services: Office & {
    database: Database;
    clock: () => Temporal.Instant;
    forgetting: Forgetting;
    onOutbox?: () => void;
  },
) {
  const { database, clock, calendar, keys, forgetting } = services;

  async function find(typed: string): Promise<StoredRequest | undefined> {
    const reference = parseReference(typed);
    return reference === undefined ? undefined : findRequest(database.read, reference);
  }

  function withDaysLeft(request: StoredRequest): QueuedRequest {
    const today = dateAt(calendar, clock());
    return {
      ...request,
      daysLeft: isWorking(request) ? countDaysLeft(calendar, today, request.dueOn) : undefined,
    };
  }

  async function change<T>(
    typed: string,
    work: (transaction: Write, request: StoredRequest) => Promise<T>,
  ): Promise<T | { kind: "not-found" }> {
    const found = await find(typed);
    if (!found) return { kind: "not-found" };
    const result = await database.write(async (transaction) => {
      const current = await findRequestById(transaction, found.id);
      return current ? work(transaction, current) : ({ kind: "not-found" } as const);
    });
    services.onOutbox?.();
    return result;
  }

  /** A page of one part of the queue, behind a request of that part. */
  function listPart(
    part: QueuePart,
    limit: number,
    after: StoredRequest | undefined,
  ): Promise<StoredRequest[]> {
    switch (part) {
      case "working":
        return listWorking(database.read, limit, after && isWorking(after) ? after : undefined);
      case "received":
        return listReceived(database.read, limit, after?.state === "received" ? after : undefined);
      case "ended":
        return listEnded(database.read, limit, after && isEnded(after) ? after : undefined);
    }
  }

  return {
    find,

    /** By a reference, or every request of an address whatever became of it. Newest last. */
    async search(typed: string): Promise<QueuedRequest[]> {
      const byReference = await find(typed);
      if (byReference) return [withDaysLeft(byReference)];
      const address = parseEmailAddress(typed);
      if (!address.ok) return [];
      const open = await findOpenRequest(database.read, address.email);
      const ended: StoredRequest[] = [];
      for (const version of keys.versions) {
        const hash = keys.hashWith("ledger", matchEmail(address.email), version);
        if (hash) ended.push(...(await findEndedRequests(database.read, hash, foundAtOnce)));
      }
      const found = open ? [...ended, open] : ended;
      return found.sort((one, other) => one.id - other.id).map(withDaysLeft);
    },

    /** A page of the queue: these parts one after the other, behind the request with the reference `after`. */
    async list(
      parts: readonly QueuePart[],
      limit: number,
      after?: string,
    ): Promise<QueuePage | undefined> {
      const last = after === undefined ? undefined : await find(after);
      if (after !== undefined && !last) return undefined;
      const from = last && parts.indexOf(partOf(last));
      const found: StoredRequest[] = [];
      for (const part of parts.slice(Math.max(0, from ?? 0))) {
        // One more than is shown tells whether there is another page.
        const room = limit + 1 - found.length;
        if (room > 0) found.push(...(await listPart(part, room, last)));
      }
      return {
        requests: found.slice(0, limit).map(withDaysLeft),
        hasMore: found.length > limit,
      };
    },

    async tell(typed: string): Promise<Story | undefined> {
      const request = await find(typed);
      return (
        request && {
          request: withDaysLeft(request),
          submissions: await listSubmissions(database.read, request.id, shownForms),
          events: await listEvents(database.read, request.id, shownEvents),
          mails: await listMessages(database.read, request.id),
        }
      );
    },

    act(typed: string, act: OperatorAct, name: string): Promise<DeskResult> {
      return change(typed, async (transaction, request): Promise<DeskResult> => {
        const by = { actor: "operator", name } as const;
        const result = await applyAct(services, transaction, request, act, by, clock());
        return result.ok
          ? { kind: "done", request: result.request }
          : { kind: "refused", refusal: result.refusal, request };
      });
    },

    /** Sends the link of an open request again, whatever was sent before. */
    async resendLink(
      typed: string,
      name: string,
    ): Promise<
      { kind: "done"; request: StoredRequest } | { kind: "ended" } | { kind: "not-found" }
    > {
      return change(typed, async (transaction, request) => {
        if (isEnded(request)) return { kind: "ended" } as const;
        const submission = await findSubmissionByReference(transaction, request.reference);
        if (!submission) throw new Error(`Request ${request.id} has no form of its name`);
        const now = clock();
        await oweLink(keys, transaction, request, submission, "operator", now);
        await addNote(transaction, request, { actor: "operator", name }, "resend", now);
        return { kind: "done", request } as const;
      });
    },

    /** Sends what could not be delivered again, of one request or of all. Returns how many mails. */
    async retry(name: string, request?: { id: number }): Promise<number> {
      const count = await database.write(async (transaction) => {
        const now = clock();
        const requestIds = await retryMessages(transaction, now, request?.id);
        for (const id of new Set(requestIds)) {
          const retried = id === null ? undefined : await findRequestById(transaction, id);
          const by = { actor: "operator", name } as const;
          if (retried) await addNote(transaction, retried, by, "retry", now);
        }
        return requestIds.length;
      });
      services.onOutbox?.();
      return count;
    },

    troubled(limit: number): Promise<{ first: OutboxRecord[]; count: number }> {
      return listTroubled(database.read, limit);
    },

    /** The oldest mails that failed and are tried again by themselves. */
    failing(limit: number): Promise<OutboxRecord[]> {
      return listFailing(database.read, limit);
    },

    /** Somebody has looked at the clock: it is right, however far from when the server last ran. */
    async trustClock(name: string): Promise<void> {
      const at = clock();
      await database.write(async (transaction) => {
        await enterSeen(transaction, at);
        await enterAct(transaction, { at, name, act: "trust-clock", about: "" });
      });
    },

    /** What happened in a month of the campus, or ever. */
    happened(month?: Temporal.PlainYearMonth): Promise<Happened> {
      return readTallies(database.read, month);
    },

    async standing(): Promise<Standing> {
      const now = clock();
      return {
        openByAge: await countByAge(database.read, now),
        overdue: await countOverdue(database.read, dateAt(calendar, now)),
        unconfirmed: await countReceived(database.read),
      };
    },

    /** Everything that is stored, oldest first, each with all its forms. */
    async *carryOut(): AsyncGenerator<{ request: StoredRequest; submission: SubmissionRecord }> {
      for (let last = 0; ; ) {
        const requests = await listById(database.read, carriedAtOnce, last);
        for (const request of requests) {
          for (let form = 0; ; ) {
            const forms = await listSubmissions(database.read, request.id, carriedAtOnce, form);
            for (const submission of forms) yield { request, submission };
            form = forms.at(-1)?.id ?? 0;
            if (forms.length < carriedAtOnce) break;
          }
        }
        const end = requests.at(-1);
        if (!end) return;
        last = end.id;
      }
    },

    /** Enters an act that concerns no single request that stays. */
    async enter(name: string, act: JournalAct, about: string): Promise<void> {
      await database.write((transaction) =>
        enterAct(transaction, { at: clock(), name, act, about }),
      );
    },

    /** Newest first. */
    journal(limit: number, before?: number): Promise<JournalEntry[]> {
      return listActs(database.read, limit, before);
    },

    /** For spam: removes an unconfirmed request and every trace of it. A confirmed one is never just removed. */
    async removeUnconfirmed(
      typed: string,
      name: string,
    ): Promise<"done" | "not-found" | "confirmed"> {
      const found = await find(typed);
      if (!found) return "not-found";
      const now = clock();
      return forgetting.write(now, async (transaction, forget) => {
        const request = await findRequestById(transaction, found.id);
        if (!request) return "not-found";
        if (request.state !== "received") return "confirmed";
        await forget(request.id, "whole", now);
        await tally(transaction, dateAt(calendar, request.receivedAt), "removed");
        await enterAct(transaction, { at: now, name, act: "delete", about: request.reference });
        return "done";
      });
    },
  };
}

function partOf(request: StoredRequest): QueuePart {
  if (isWorking(request)) return "working";
  return request.state === "received" ? "received" : "ended";
}
