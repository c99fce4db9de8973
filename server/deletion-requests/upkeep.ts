import {
  countDaysLeft,
  dateAt,
  findSkipReason,
  subtractBusinessDays,
} from "../calendar/business-days.ts";
import type { Database, Write } from "../database/database.ts";
import { toText } from "../database/time.ts";
import { addMessage, listMessageKeys, listTroubled, type OutboxRecord } from "../outbox/outbox.ts";
import { decide, openStates } from "./life.ts";
import type { TroubledDelivery } from "./messages.ts";
import {
  addEvent,
  eraseTypedWords,
  findRequestById,
  listRequests,
  type RequestRecord,
  removeRequest,
} from "./store.ts";
import { type Office, toLife } from "./transitions.ts";

/**
 * What time alone brings: unconfirmed requests go, ended ones lose their personal data, old ones are forgotten, and
 * the operators are told what is due. Safe to run at any moment and any number of times.
 */

/** Where the end could not be told: how long the address stays for trying. */
const eraseAfterDays = 30;
/** The status page and its receipt can be opened this long after the end. */
const statusAfterDays = 30;
/** CCPA regulations section 7101: a log of requests is kept for 24 months. */
const forgetAfterMonths = 24;
/** Campus time from which the digest of a working day goes out. */
const digestHour = 8;
const warnBusinessDays = 2;

export type Upkeep = ReturnType<typeof createUpkeep>;

export function createUpkeep(
  services: Office & {
    database: Database;
    clock: () => Temporal.Instant;
    /** Removes the files of these mails; absent ones are fine. */
    removeMailFiles: (messageKeys: readonly string[]) => Promise<void>;
    onOutbox?: () => void;
  },
) {
  const { database, clock, calendar, keys } = services;
  // A row erased before the last stop may still be in the log.
  let logHoldsErased = true;

  async function expire(now: Temporal.Instant): Promise<void> {
    const due = await database.kysely
      .selectFrom("requests")
      .select("id")
      .where("state", "=", "received")
      .where("expires_at", "<=", toText(now))
      .execute();
    for (const { id } of due) {
      if (await isBeingSent(database, id, now)) continue;
      await services.removeMailFiles(await listMessageKeys(database.kysely, id));
      await database.write(async (transaction) => {
        const request = await findRequestById(transaction, id);
        if (!request || !decide(toLife(request), { type: "expire", at: now }, "system").ok) return;
        await removeRequest(transaction, id);
        await transaction
          .insertInto("expired_counts")
          .values({ month: dateAt(calendar, now).toPlainYearMonth().toString(), requests: 1 })
          .onConflict((conflict) =>
            conflict.column("month").doUpdateSet((set) => ({
              requests: set("expired_counts.requests", "+", 1),
            })),
          )
          .execute();
        logHoldsErased = true;
      });
    }
  }

  async function erase(now: Temporal.Instant): Promise<void> {
    const ended = await database.kysely
      .selectFrom("requests")
      .select(["id", "ended_at"])
      .where("ended_at", "is not", null)
      .where("erased_at", "is", null)
      .execute();
    const latest = toText(now.subtract({ hours: eraseAfterDays * 24 }));
    for (const { id, ended_at } of ended) {
      const told = await isEndDelivered(database, id);
      if (!told && (ended_at ?? "") > latest) continue;
      if (await isBeingSent(database, id, now)) continue;
      await services.removeMailFiles(await listMessageKeys(database.kysely, id));
      await database.write((transaction) => eraseRequest(transaction, id, now));
      logHoldsErased = true;
    }
  }

  async function closeStatusPages(now: Temporal.Instant): Promise<void> {
    await database.write((transaction) =>
      transaction
        .deleteFrom("tokens")
        .where("request_id", "in", (select) =>
          select
            .selectFrom("requests")
            .select("id")
            .where("ended_at", "<=", toText(now.subtract({ hours: statusAfterDays * 24 }))),
        )
        .execute(),
    );
  }

  async function forget(now: Temporal.Instant): Promise<void> {
    const before = now
      .toZonedDateTimeISO(calendar.timeZone)
      .subtract({ months: forgetAfterMonths })
      .toInstant();
    await database.write(async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom("requests")
        .where("erased_at", "is not", null)
        .where("ended_at", "<=", toText(before))
        .executeTakeFirst();
      await transaction
        .deleteFrom("outbox")
        .where("request_id", "is", null)
        .where("settled_at", "<=", toText(now.subtract({ hours: eraseAfterDays * 24 })))
        .execute();
      if (numDeletedRows > 0n) logHoldsErased = true;
    });
  }

  async function warn(now: Temporal.Instant): Promise<void> {
    const today = dateAt(calendar, now);
    const open = (await listRequests(database.kysely, openStates)).filter(isWorking);
    for (const request of open) {
      if (
        Temporal.PlainDate.compare(
          today,
          subtractBusinessDays(calendar, request.dueOn, warnBusinessDays),
        ) < 0
      ) {
        continue;
      }
      await database.write((transaction) =>
        addMessage(transaction, keys, now, {
          requestId: null,
          once: `due-soon:${request.id}:${request.dueOn}`,
          message: {
            kind: "operator-due-soon",
            reference: request.reference,
            dueOn: request.dueOn.toString(),
            daysLeft: countDaysLeft(calendar, today, request.dueOn),
            state: request.state,
          },
        }),
      );
    }
  }

  async function digest(now: Temporal.Instant): Promise<void> {
    const local = now.toZonedDateTimeISO(calendar.timeZone);
    const today = local.toPlainDate();
    if (local.hour < digestHour || findSkipReason(calendar, today)) return;
    const once = `digest:${today}`;
    const sent = await database.kysely
      .selectFrom("outbox")
      .select("id")
      .where("once", "=", once)
      .executeTakeFirst();
    if (sent) return;
    const requests = await listRequests(database.kysely, openStates);
    const open = requests
      .filter(isWorking)
      .sort((one, other) => Temporal.PlainDate.compare(one.dueOn, other.dueOn))
      .map((request) => ({
        reference: request.reference,
        state: request.state,
        dueOn: request.dueOn.toString(),
        daysLeft: countDaysLeft(calendar, today, request.dueOn),
      }));
    const troubled = (await listTroubled(database.kysely)).map(toTroubled);
    await database.write((transaction) =>
      addMessage(transaction, keys, now, {
        requestId: null,
        once,
        message: {
          kind: "operator-digest",
          date: today.toString(),
          open,
          unconfirmed: requests.filter((request) => request.state === "received").length,
          troubled,
        },
      }),
    );
  }

  return {
    /**
     * Every step is tried, whatever became of the others; the first problem is thrown in the end.
     * @param mayErase false while the clock cannot be trusted: what is gone does not come back with the right time
     */
    async run(mayErase = true): Promise<void> {
      const now = clock();
      const problems: unknown[] = [];
      const erasing = mayErase ? [expire, erase, closeStatusPages, forget] : [];
      for (const step of [...erasing, warn, digest]) {
        await step(now).catch((problem: unknown) => problems.push(problem));
      }
      // Another process that reads can hold the log; the next round tries again.
      if (logHoldsErased) logHoldsErased = !(await database.erasePhysically());
      services.onOutbox?.();
      if (problems.length > 0) throw problems[0];
    },
  };
}

type WorkingRequest = RequestRecord & { dueOn: Temporal.PlainDate };

function isWorking(request: RequestRecord): request is WorkingRequest {
  return request.dueOn !== undefined && request.endedAt === undefined;
}

export function toTroubled(record: OutboxRecord): TroubledDelivery {
  return { reference: record.reference, kind: record.kind, problem: record.lastProblem };
}

/** Erases what names or describes a person; reference, dates, outcome, codes and the keyed hash stay. */
async function eraseRequest(transaction: Write, id: number, now: Temporal.Instant): Promise<void> {
  const row = await transaction
    .updateTable("requests")
    .set({ email: "", email_match: "", erased_at: toText(now) })
    .where("id", "=", id)
    .where("ended_at", "is not", null)
    .returning("state")
    .executeTakeFirst();
  if (!row) return;
  await eraseTypedWords(transaction, id);
  await addEvent(transaction, id, {
    at: now,
    actor: "system",
    name: "",
    type: "erase",
    fromState: row.state,
    toState: row.state,
    code: "",
    note: "",
    dueFrom: undefined,
    dueTo: undefined,
  });
}

async function isEndDelivered(database: Database, requestId: number): Promise<boolean> {
  const row = await database.kysely
    .selectFrom("outbox")
    .select("id")
    .where("request_id", "=", requestId)
    .where("kind", "in", ["completed", "cancelled", "refused"])
    .where("state", "=", "delivered")
    .executeTakeFirst();
  return row !== undefined;
}

async function isBeingSent(
  database: Database,
  requestId: number,
  now: Temporal.Instant,
): Promise<boolean> {
  const row = await database.kysely
    .selectFrom("outbox")
    .select("id")
    .where("request_id", "=", requestId)
    .where("state", "=", "sending")
    .where("lease_until", ">", toText(now))
    .executeTakeFirst();
  return row !== undefined;
}
