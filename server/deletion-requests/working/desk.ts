import { matchEmail, parseEmailAddress } from "../../addresses/email-address.ts";
import { type Calendar, countDaysLeft, dateAt } from "../../calendar/business-days.ts";
import type { Database } from "../../database/database.ts";
import { enterSeen } from "../../database/last-seen.ts";
import type { Write } from "../../database/statement.ts";
import {
  listFailing,
  listMessages,
  listTroubled,
  type OutboxRecord,
  retryMessages,
} from "../../outbox/outbox.ts";
import { type Happened, listMonths, readTallies } from "../ledger/monthly-counters.ts";
import {
  completionOf,
  type DataList,
  type Found,
  findMissing,
  type Missing,
  placesToTick,
} from "../life/checklist.ts";
import { isSameName, type Refusal } from "../life/life.ts";
import { parseReference } from "../life/reference.ts";
import { enterAct, type JournalAct, type JournalEntry, listActs } from "../store/audit-log.ts";
import { enterNoOwner } from "../store/changes.ts";
import { countByAge, countHeld, countReceived } from "../store/counts.ts";
import {
  addEvent,
  type EventRecord,
  findLastEvent,
  listEvents,
  wasEnteredBy,
} from "../store/events.ts";
import {
  findEndedRequests,
  findOpenRequest,
  findRequest,
  findRequestById,
  findRequestsByContact,
  listOwned,
} from "../store/finding.ts";
import {
  findSubmissionByReference,
  listSubmissions,
  type SubmissionRecord,
} from "../store/forms.ts";
import { findGone, type Gone } from "../store/gone-references.ts";
import { listEnded, listReceived, listWorking } from "../store/queue.ts";
import { type ConfirmedRequest, isEnded, isWorking, type StoredRequest } from "../store/request.ts";
import { readStanding } from "../store/standing.ts";
import { listTeamActs, type TeamPage } from "../store/team-log.ts";
import type { TeamPlace } from "../store/team-log-places.ts";
import { oweLink } from "../telling/link-mails.ts";
import { mailChannels } from "../telling/mail-channels.ts";
import type { Act, Office } from "./acts.ts";
import { applyAct } from "./apply-act.ts";
import { type Entry, type EntryResult, enterRequest } from "./closed-mailbox.ts";
import { findOvertaken } from "./overtaken.ts";

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
  /** Up to where the trail is told: whoever acts on what they read here hands it back. */
  seen: number;
};

export type DeskResult =
  | { kind: "done"; request: ConfirmedRequest }
  | { kind: "refused"; refusal: Refusal; request: StoredRequest }
  /** Something happened to it since the operator looked: nothing was done, and `since` says what and by whom. */
  | { kind: "overtaken"; request: StoredRequest; since: EventRecord[] }
  | { kind: "not-found" };

/** Of what changes nothing in the life of a request, which may be unconfirmed. */
export type NoteResult =
  | Exclude<DeskResult, { kind: "done" | "overtaken" }>
  | { kind: "done"; request: StoredRequest };

/** What an operator can do to a request; completing it asks for more. */
export type OperatorAct = Exclude<Act, { type: "confirm" | "complete" }>;

/** Of the page on which an operator acts: up to where it told the trail, and which form was sent. */
export type FromPage = { seen?: number | undefined; formKey?: string | undefined };

/** What can happen without an operator. */
export type SystemAct = Extract<Act, { type: "take" | "complete" | "hold" | "release" }>;

/** What taking the last step back is, and whether its person knows of that step: then they are told why it was none. */
export type TakingBack =
  | { act: "undo" | "release" | "hand-back" | "reopen"; isKnown: boolean }
  | { because: Refusal };

export type TakeBackResult =
  | DeskResult
  /** Its person was told, and nobody has said why it was a mistake. */
  | { kind: "unexplained"; request: StoredRequest };

export type CompleteResult =
  | DeskResult
  /** The address that was typed is not the request's: it may be of the request that is named, or of none. */
  | { kind: "another-address"; reference: string | undefined }
  /** Nobody said yet what the receipt would say. */
  | { kind: "incomplete"; missing: readonly Missing[] };

/** How it stands now. */
export type Standing = {
  /** Confirmed ones that wait for something. */
  held: number;
  /** Mails that could not leave: since when the oldest waits, and how many need a person. */
  mail: { waitingSince: Temporal.Instant | undefined; troubled: number };
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
    dataList: DataList;
    clock: () => Temporal.Instant;
    onOutbox?: () => void;
  },
) {
  const { database, dataList, clock, calendar, keys } = services;

  async function find(typed: string): Promise<StoredRequest | undefined> {
    const reference = parseReference(typed);
    return reference === undefined ? undefined : findRequest(database.read, { reference });
  }

  const toQueued = (request: StoredRequest) =>
    withDaysLeft(calendar, dateAt(calendar, clock()), request);

  async function change<T>(
    typed: string,
    work: (transaction: Write, request: StoredRequest) => Promise<T>,
  ): Promise<T | { kind: "not-found" }> {
    const found = await find(typed);
    if (!found) return { kind: "not-found" };
    const result = await database.write(async (transaction) => {
      const current = await findRequestById(transaction, { id: found.id });
      return current ? work(transaction, current) : ({ kind: "not-found" } as const);
    });
    services.onOutbox?.();
    return result;
  }

  async function applyBy(
    transaction: Write,
    request: StoredRequest,
    act: Act,
    name: string,
    page: FromPage | undefined,
  ): Promise<DeskResult> {
    const by = { actor: "operator", name, formKey: page?.formKey } as const;
    const result = await applyAct(services, transaction, request, act, by, clock());
    return result.ok
      ? { kind: "done", request: result.request }
      : { kind: "refused", refusal: result.refusal, request };
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

  /**
   * Sends the link of an open request again, whatever was sent before.
   * @param formKey of the form whose button was pressed: sent twice, it is one mail
   */
  async function resendLink(
    typed: string,
    name: string,
    formKey?: string,
  ): Promise<{ kind: "done"; request: StoredRequest } | { kind: "ended" } | { kind: "not-found" }> {
    return change(typed, async (transaction, request) => {
      if (isEnded(request)) return { kind: "ended" } as const;
      if (formKey && (await wasEnteredBy(transaction, request.id, ["resend"], formKey))) {
        return { kind: "done", request } as const;
      }
      const submission = await findSubmissionByReference(transaction, {
        reference: request.reference,
      });
      if (!submission) throw new Error(`Request ${request.id} has no form of its name`);
      const now = clock();
      const by = { actor: "operator", name } as const;
      await oweLink(services, transaction, request, submission, { by: "operator" }, now);
      await addEvent(transaction, request, { ...by, type: "resend", at: now, formKey });
      return { kind: "done", request } as const;
    });
  }

  /** Sends what could not be delivered again, of one request or of all. Returns how many mails. */
  async function retry(name: string, request?: { id: number }, formKey?: string): Promise<number> {
    const count = await database.write(async (transaction) => {
      const now = clock();
      const requestIds = await retryMessages(transaction, now, request?.id);
      for (const id of new Set(requestIds)) {
        const retried = id === null ? undefined : await findRequestById(transaction, { id });
        const by = { actor: "operator", name } as const;
        if (retried)
          await addEvent(transaction, retried, { ...by, type: "retry", at: now, formKey });
      }
      return requestIds.length;
    });
    services.onOutbox?.();
    return count;
  }

  return {
    find,

    /** By a reference, or every request of an address whatever became of it. Newest last. */
    async search(typed: string): Promise<QueuedRequest[]> {
      const byReference = await find(typed);
      if (byReference) return [toQueued(byReference)];
      const address = parseEmailAddress(typed);
      if (!address.ok) return [];
      const open = await findOpenRequest(database.read, address.email);
      const ended: StoredRequest[] = [];
      for (const version of keys.versions) {
        const hash = keys.hashWith("ledger", matchEmail(address.email), version);
        if (hash)
          ended.push(...(await findEndedRequests(database.read, { ...hash, limit: foundAtOnce })));
      }
      const contacted = await findRequestsByContact(database.read, {
        match: matchEmail(address.email),
        limit: foundAtOnce,
      });
      const found = [
        ...new Map(
          [...ended, ...(open ? [open] : []), ...contacted].map((one) => [one.id, one]),
        ).values(),
      ];
      return found.sort((one, other) => one.id - other.id).map(toQueued);
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
        requests: found.slice(0, limit).map(toQueued),
        hasMore: found.length > limit,
      };
    },

    async tell(typed: string): Promise<Story | undefined> {
      const before = await find(typed);
      // Read before the rest: what happens meanwhile is told once too often rather than never.
      const seen = before ? await findLastEvent(database.read, { requestId: before.id }) : 0;
      const request = before && (await findRequestById(database.read, { id: before.id }));
      return (
        request && {
          seen,
          request: toQueued(request),
          submissions: await listSubmissions(database.read, {
            requestId: request.id,
            limit: shownForms,
            after: 0,
          }),
          events: await listEvents(database.read, { requestId: request.id, limit: shownEvents }),
          mails: await listMessages(database.read, { ownerId: request.id }),
        }
      );
    },

    act(typed: string, act: OperatorAct, name: string, page?: FromPage): Promise<DeskResult> {
      return change(typed, async (transaction, request): Promise<DeskResult> => {
        const before = await findOvertaken(transaction, request, [act.type], name, page);
        return before ?? applyBy(transaction, request, act, name, page);
      });
    },

    /** What happens without an operator; what is completed so is final. */
    report(typed: string, act: SystemAct): Promise<DeskResult> {
      return change(typed, async (transaction, request): Promise<DeskResult> => {
        const by = { actor: "system" } as const;
        const result = await applyAct(services, transaction, request, act, by, clock());
        return result.ok
          ? { kind: "done", request: result.request }
          : { kind: "refused", refusal: result.refusal, request };
      });
    },

    /**
     * The account is deleted; until ten minutes later that can be undone. What the receipt will say is what somebody ticked or
     * said otherwise, whoever asks; the trail keeps what was ticked.
     * @param by.address of the account that was deleted, as the operator typed it
     */
    complete(
      typed: string,
      by: { address: string; found: Found },
      name: string,
      page?: FromPage,
    ): Promise<CompleteResult> {
      return change(typed, async (transaction, request): Promise<CompleteResult> => {
        const before = await findOvertaken(transaction, request, ["complete"], name, page);
        if (before) return before;
        const address = parseEmailAddress(by.address);
        const match = address.ok ? matchEmail(address.email) : undefined;
        // Once erased there is nothing to compare, and nothing to complete either.
        if (request.email !== undefined && match !== matchEmail(request.email)) {
          const meant = address.ok ? await findOpenRequest(transaction, address.email) : undefined;
          return { kind: "another-address", reference: meant?.reference };
        }
        const today = dateAt(calendar, clock());
        const missing = findMissing(dataList, by.found, today);
        if (missing.length > 0) return { kind: "incomplete", missing };
        const completion = completionOf(dataList, by.found, today);
        const ticked = placesToTick(dataList).filter((key) => by.found.ticked.includes(key));
        const act = { type: "complete", completion, ticked } as const;
        return applyBy(transaction, request, act, name, page);
      });
    },

    /**
     * Writes something down for the team. The person is not told, and reads it when asking for what is held.
     * @param formKey of the form in which it was typed: sent twice, it is one note
     */
    note(typed: string, text: string, name: string, formKey?: string): Promise<NoteResult> {
      return change(typed, async (transaction, request): Promise<NoteResult> => {
        const { id } = request;
        // What is written after the erasure would never be erased.
        if (isEnded(request) && request.erasedAt) {
          return { kind: "refused", refusal: "erased", request };
        }
        if (formKey && (await wasEnteredBy(transaction, id, ["note"], formKey))) {
          return { kind: "done", request };
        }
        const by = { actor: "operator", name } as const;
        await addEvent(transaction, request, {
          ...by,
          type: "note",
          at: clock(),
          note: text,
          formKey,
        });
        return { kind: "done", request };
      });
    },

    /** A request for somebody whose mailbox is closed. */
    async enterRequest(entry: Entry, name: string, formKey?: string): Promise<EntryResult> {
      const result = await database.write((transaction) =>
        enterRequest(services, transaction, entry, { name, formKey }, clock()),
      );
      services.onOutbox?.();
      return result;
    },

    /**
     * Takes the last step back: what is done, refused or cancelled, what waits, or what somebody has taken. Its person hears
     * nothing of it, or why.
     * @param explanation for its person, where they know of that step
     */
    takeBack(
      typed: string,
      explanation: string,
      name: string,
      page?: FromPage,
    ): Promise<TakeBackResult> {
      return change(typed, async (transaction, request): Promise<TakeBackResult> => {
        const before = await findOvertaken(transaction, request, takenBack, name, page);
        if (before) return before;
        const mails = await listMessages(transaction, { ownerId: request.id });
        const found = findTakingBack(request, mails, name);
        if ("because" in found) return { kind: "refused", refusal: found.because, request };
        const { act, isKnown } = found;
        if (act !== "reopen") return applyBy(transaction, request, { type: act }, name, page);
        return isKnown && explanation === "" && request.email !== undefined
          ? { kind: "unexplained", request }
          : applyBy(transaction, request, { type: act, explanation }, name, page);
      });
    },

    /** Hands back everything that an operator is at work on. Returns the references. */
    async handBackAll(owner: string, name: string): Promise<string[]> {
      const references: string[] = [];
      for (;;) {
        const ids = await listOwned(database.read, { owner, limit: carriedAtOnce });
        if (ids.length === 0) return references;
        const handedBack = await database.write(async (transaction) => {
          const done: string[] = [];
          for (const id of ids) {
            const request = await findRequestById(transaction, { id });
            if (!request) continue;
            const by = { actor: "operator", name } as const;
            // What waits to be completed is completed by the clock, and is nobody's work any more.
            if (isWorking(request) && request.done) await enterNoOwner(transaction, { id });
            else {
              await applyAct(services, transaction, request, { type: "hand-back" }, by, clock());
            }
            done.push(request.reference);
          }
          return done;
        });
        references.push(...handedBack);
      }
    },

    /** Why there is no request of a reference: it expired, it was removed, or there never was one. */
    findGone(typed: string): Promise<Gone | undefined> {
      const reference = parseReference(typed);
      return reference === undefined
        ? Promise.resolve(undefined)
        : findGone(database.read, keys, reference);
    },

    /** Sends again what could not be delivered; where all was, a new link. */
    async sendAgain(typed: string, name: string, formKey?: string): Promise<NoteResult> {
      const request = await find(typed);
      if (!request) return { kind: "not-found" };
      const sent = ["resend", "retry"];
      if (formKey && (await wasEnteredBy(database.read, request.id, sent, formKey))) {
        return { kind: "done", request };
      }
      if ((await retry(name, request, formKey)) > 0) return { kind: "done", request };
      const result = await resendLink(typed, name, formKey);
      return result.kind === "ended"
        ? { kind: "refused", refusal: "already-ended", request }
        : result;
    },

    retry,
    resendLink,

    troubled(limit: number): Promise<{ first: OutboxRecord[]; count: number }> {
      return listTroubled(database.read, limit, mailChannels);
    },

    /** The oldest mails that failed and are tried again by themselves. */
    failing(limit: number): Promise<OutboxRecord[]> {
      return listFailing(database.read, limit, mailChannels);
    },

    /** Somebody has looked at the clock: it is right, however far from when the server last ran. */
    async trustClock(name: string): Promise<void> {
      const at = clock();
      await database.write(async (transaction) => {
        await enterSeen(transaction, { now: at });
        await enterAct(transaction, { at, name, act: "trust-clock", about: "" });
      });
    },

    /** What happened in a month of the campus, or ever. */
    happened(month?: Temporal.PlainYearMonth): Promise<Happened> {
      return readTallies(database.read, month);
    },

    /** The months in which anything happened, oldest first. */
    months(): Promise<Temporal.PlainYearMonth[]> {
      return listMonths(database.read);
    },

    async standing(): Promise<Standing> {
      const now = clock();
      return {
        openByAge: await countByAge(database.read, now),
        overdue: (await readStanding(database.read, { today: dateAt(calendar, now) })).late,
        unconfirmed: await countReceived(database.read),
        held: await countHeld(database.read, { today: dateAt(calendar, now) }),
        mail: {
          waitingSince: (await listFailing(database.read, 1, mailChannels)).at(0)?.createdAt,
          troubled: (await listTroubled(database.read, 1, mailChannels)).count,
        },
      };
    },

    /** Enters an act that concerns no single request that stays. */
    async enter(name: string, act: JournalAct, about: string): Promise<void> {
      await database.write((transaction) =>
        enterAct(transaction, { at: clock(), name, act, about }),
      );
    },

    /** Newest first. */
    journal(limit: number, before = Number.MAX_SAFE_INTEGER): Promise<JournalEntry[]> {
      return listActs(database.read, { limit, before });
    },

    /** What everybody did, on requests and otherwise, newest first. */
    teamActs(limit: number, before?: TeamPlace): Promise<TeamPage> {
      return listTeamActs(database.read, limit, before);
    },
  };
}

export function withDaysLeft(
  calendar: Calendar,
  today: Temporal.PlainDate,
  request: StoredRequest,
): QueuedRequest {
  return {
    ...request,
    daysLeft: isWorking(request) ? countDaysLeft(calendar, today, request.dueOn) : undefined,
  };
}

/** Under which names the trail has what was taken back. */
const takenBack = ["undo", "release", "hand-back", "reopen"] as const;

/** What an operator would take back now. */
export function findTakingBack(
  request: StoredRequest,
  mails: readonly Pick<OutboxRecord, "state">[],
  name: string,
): TakingBack {
  if (request.state === "received") return { because: "not-confirmed" };
  if (isEnded(request)) {
    const last = mails.at(-1);
    // The account is gone, whether its person has read so or not.
    const isKnown = request.state === "completed" || !last || !isUnsent(last);
    return { act: "reopen", isKnown };
  }
  if (request.done) return { act: "undo", isKnown: false };
  if (request.hold) return { act: "release", isKnown: true };
  return request.owner !== undefined && isSameName(request.owner, name)
    ? { act: "hand-back", isKnown: false }
    : { because: "not-done" };
}

/** A mail that has not left and can still be taken back. */
export function isUnsent({ state }: Pick<OutboxRecord, "state">): boolean {
  return state === "waiting" || state === "needs-person";
}

function partOf(request: StoredRequest): QueuePart {
  if (isWorking(request)) return "working";
  return request.state === "received" ? "received" : "ended";
}
