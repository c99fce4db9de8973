import { countDaysLeft, dateAt } from "../calendar/business-days.ts";
import type { Database, Write } from "../database/database.ts";
import { toText } from "../database/time.ts";
import {
  listMessageKeys,
  listMessages,
  listTroubled,
  type OutboxRecord,
  retryMessages,
} from "../outbox/outbox.ts";
import type { Refusal, RefusalReason } from "./life.ts";
import { parseReference } from "./reference.ts";
import {
  addOperatorNote,
  type EventRecord,
  findRequest,
  findRequestById,
  listEvents,
  listRequests,
  type RequestRecord,
  removeRequest,
} from "./store.ts";
import { type Act, applyAct, type Office } from "./transitions.ts";

/** What an operator can do with requests. Every act is entered in the trail under the operator's name. */

export type QueuedRequest = RequestRecord & {
  /** Business days until the due date, negative when it has passed; undefined while unconfirmed or ended. */
  daysLeft: number | undefined;
};

export type Story = { request: QueuedRequest; events: EventRecord[]; mails: OutboxRecord[] };

export type DeskResult =
  | { kind: "done"; request: RequestRecord }
  | { kind: "refused"; refusal: Refusal; request: RequestRecord }
  | { kind: "not-found" };

export type OperatorAct =
  | { type: "take" }
  | { type: "complete" }
  | { type: "refuse"; reason: RefusalReason; explanation: string }
  | { type: "extend"; businessDays: number; explanation: string };

export type Figures = {
  received: number;
  confirmed: number;
  expired: number;
  completed: number;
  completedOnTime: number;
  cancelled: number;
  refused: number;
  /** Calendar days from confirmation to completion; undefined while nothing was completed. */
  medianDays: number | undefined;
  /** Open confirmed requests by whole days since their confirmation. */
  openByAge: { upTo3: number; upTo7: number; upTo14: number; older: number };
  overdue: number;
  unconfirmed: number;
};

export type Desk = ReturnType<typeof createDesk>;

export function createDesk(
  services: Office & {
    database: Database;
    clock: () => Temporal.Instant;
    /** Removes the files of these mails; absent ones are fine. */
    removeMailFiles: (messageKeys: readonly string[]) => Promise<void>;
    onOutbox?: () => void;
  },
) {
  const { database, clock, calendar } = services;

  async function find(typed: string): Promise<RequestRecord | undefined> {
    const reference = parseReference(typed);
    return reference === undefined ? undefined : findRequest(database.kysely, reference);
  }

  function withDaysLeft(request: RequestRecord): QueuedRequest {
    const counts = request.dueOn && !request.endedAt;
    return {
      ...request,
      daysLeft: counts
        ? countDaysLeft(calendar, dateAt(calendar, clock()), request.dueOn as Temporal.PlainDate)
        : undefined,
    };
  }

  async function change<T>(
    typed: string,
    work: (transaction: Write, request: RequestRecord) => Promise<T>,
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

  return {
    find,

    /** Confirmed ones by due date, then unconfirmed ones, then ended ones, newest end first. */
    async list(): Promise<QueuedRequest[]> {
      const requests = await listRequests(database.kysely);
      return requests.map(withDaysLeft).sort(byUrgency);
    },

    async tell(typed: string): Promise<Story | undefined> {
      const request = await find(typed);
      return (
        request && {
          request: withDaysLeft(request),
          events: await listEvents(database.kysely, request.id),
          mails: await listMessages(database.kysely, request.id),
        }
      );
    },

    act(typed: string, act: OperatorAct, name: string): Promise<DeskResult> {
      return change(typed, async (transaction, request): Promise<DeskResult> => {
        const by = { actor: "operator", name } as const;
        const result = await applyAct(services, transaction, request, act as Act, by, clock());
        return result.ok
          ? { kind: "done", request: result.request }
          : { kind: "refused", refusal: result.refusal, request };
      });
    },

    /** Sends what could not be delivered again, of one request or of all. Returns how many mails. */
    async retry(name: string, request?: RequestRecord): Promise<number> {
      const count = await database.write(async (transaction) => {
        const now = clock();
        const requestIds = await retryMessages(transaction, now, request?.id);
        for (const id of new Set(requestIds)) {
          const retried = id === null ? undefined : await findRequestById(transaction, id);
          if (retried) await addOperatorNote(transaction, retried, "retry", name, now);
        }
        return requestIds.length;
      });
      services.onOutbox?.();
      return count;
    },

    troubled(): Promise<OutboxRecord[]> {
      return listTroubled(database.kysely);
    },

    async figures(): Promise<Figures> {
      const requests = await listRequests(database.kysely);
      const gone = await database.kysely
        .selectFrom("expired_counts")
        .select((select) => select.fn.sum<number | string | null>("requests").as("count"))
        .executeTakeFirst();
      return countFigures(requests, Number(gone?.count ?? 0), clock(), (instant) =>
        dateAt(calendar, instant),
      );
    },

    /** For spam: removes an unconfirmed request and every trace of it. A confirmed one is never just removed. */
    async removeUnconfirmed(typed: string): Promise<"done" | "not-found" | "confirmed"> {
      const result = await change(typed, async (transaction, request) => {
        if (request.state !== "received") return { kind: "confirmed" } as const;
        await services.removeMailFiles(await listMessageKeys(transaction, request.id));
        await removeRequest(transaction, request.id);
        return { kind: "done" } as const;
      });
      if (result.kind === "done") await database.erasePhysically();
      return result.kind;
    },
  };
}

function byUrgency(one: QueuedRequest, other: QueuedRequest): number {
  return sortKey(one).localeCompare(sortKey(other)) || one.id - other.id;
}

function sortKey(request: QueuedRequest): string {
  if (request.endedAt) {
    const newestFirst = 1e14 - request.endedAt.epochMilliseconds;
    return `3${String(newestFirst).padStart(15, "0")}`;
  }
  return request.dueOn ? `1${request.dueOn}` : `2${toText(request.receivedAt)}`;
}

function countFigures(
  requests: readonly RequestRecord[],
  expired: number,
  now: Temporal.Instant,
  dateOf: (instant: Temporal.Instant) => Temporal.PlainDate,
): Figures {
  const today = dateOf(now);
  const inState = (state: string) => requests.filter((request) => request.state === state);
  const completed = inState("completed");
  const working = requests.filter((request) => request.confirmedAt && !request.endedAt);
  const days = completed
    .flatMap(({ confirmedAt, endedAt }) =>
      confirmedAt && endedAt ? [endedAt.since(confirmedAt).total("hours") / 24] : [],
    )
    .sort((one, other) => one - other);
  const ages = working.map(({ confirmedAt }) =>
    Math.floor(now.since(confirmedAt ?? now).total("hours") / 24),
  );
  const aged = (from: number, to: number) => ages.filter((age) => age > from && age <= to).length;
  return {
    received: requests.length + expired,
    confirmed: requests.filter((request) => request.confirmedAt).length,
    expired,
    completed: completed.length,
    completedOnTime: completed.filter(
      ({ dueOn, endedAt }) =>
        dueOn && endedAt && Temporal.PlainDate.compare(dateOf(endedAt), dueOn) <= 0,
    ).length,
    cancelled: inState("cancelled").length,
    refused: inState("refused").length,
    medianDays: median(days),
    openByAge: {
      upTo3: aged(-Infinity, 3),
      upTo7: aged(3, 7),
      upTo14: aged(7, 14),
      older: aged(14, Infinity),
    },
    overdue: working.filter(({ dueOn }) => dueOn && Temporal.PlainDate.compare(today, dueOn) > 0)
      .length,
    unconfirmed: inState("received").length,
  };
}

function median(sorted: readonly number[]): number | undefined {
  const middle = sorted.length / 2;
  const values = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  const [low, high] = values;
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}
