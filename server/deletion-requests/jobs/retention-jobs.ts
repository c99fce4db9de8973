import { findUnsent, listTroubled, markDoubtful, wasAdded } from "../../delivery/outbox.ts";
import { eraseAfterDays, record, undoMinutes, warnBusinessDays } from "../../periods.ts";
import {
  addBusinessDays,
  type Calendar,
  countDaysLeft,
  dateAt,
  findCalendarEnd,
  findSkipReason,
} from "../../platform/calendar/business-days.ts";
import { deleteAgedRows } from "../../platform/database/delete-aged-rows.ts";
import { findLastRestore, findUnconfirmedRestore } from "../../platform/database/restore-hold.ts";
import { toText } from "../../platform/database/rows.ts";
import type { Job } from "../../platform/database/schema.ts";
import { everything, type Read, type Write } from "../../platform/database/statement.ts";
import { applyAct, type RequestServices } from "../commands/apply-act.ts";
import { isReceivedInParts, sumReceived, tally } from "../ledger/monthly-counters.ts";
import {
  enqueuePersonMail,
  enqueueTeamMail,
  isConfirmDelayed,
  mailChannels,
  mailHours,
  namedInMail,
  toTroubled,
} from "../mails/mails.ts";
import type { OperatorMessage } from "../mails/team-mails.ts";
import { addEvent, listFreed } from "../repository/audit-log.ts";
import {
  batchSize,
  changeAll,
  type EraseRequest,
  type Erasure,
  eraseRequestAndTraces,
} from "../repository/erasing.ts";
import { findUnstaffedDays } from "../repository/presence.ts";
import {
  listDone,
  listExpired,
  listForgettable,
  listHeldUntil,
  listLateWithoutNotice,
  listNotifiedUnerased,
  listUnerased,
  listUnwarned,
  listUnwarnedEntries,
  listWorking,
} from "../repository/request-lists.ts";
import {
  countByState,
  countReceived,
  recordLateNotice,
  recordWarning,
  saveRequest,
} from "../repository/requests.ts";
import { holdOf, isEnded, isWorking } from "../state-machine/request.ts";
import { postponeExpiry } from "../state-machine/state-machine.ts";

/**
 * Scheduled jobs that expire unconfirmed requests, erase personal data, delete old requests and
 * notify operators. The jobs are idempotent and may run at any time. Each job finds its rows
 * through an index, so a run is cheap when nothing is due. Rows change in small batches so that the
 * server can handle requests in between.
 */
export type Upkeep = ReturnType<typeof createUpkeep>;

type UpkeepServices = RequestServices & {
  forgetting: Erasure;
  /**
   * Finds when the account system's answer became overdue. Unset if no account system is connected.
   */
  findSilence?: () => Promise<{ since: Temporal.Instant } | undefined>;
};

type UpkeepStep = (services: UpkeepServices, now: Temporal.Instant) => Promise<void>;

const jobs: Record<Job, UpkeepStep> = {
  expired: expire,
  erased: erase,
  forgotten: deleteOld,
  swept: ({ forgetting }, now) => forgetting.finish(now),
};

/**
 * Jobs that keep the dates we promise to requesters in writing (`promised-dates.test.ts`). They
 * erase nothing, so they run even while the clock is in doubt.
 */
const keepers: UpkeepStep[] = [complete, endHolds, notifyLate];

/**
 * Jobs that need a trusted clock, because they destroy data. `swept` doesn't need one, because it
 * only removes the remnants of erased rows: email files and entries in the database's log.
 */
const { swept, ...destroying } = jobs;
const erasers: UpkeepStep[] = [...Object.values(destroying), dropOld];

export function createUpkeep(services: UpkeepServices) {
  const { database, clock } = services;
  return {
    /** Marks the current notices as sent, because an operator has just read them. */
    settleNotifications: (transaction: Write, now: Temporal.Instant) =>
      settleNotifications(services, transaction, now),

    /**
     * Runs all jobs even if some fail, then throws the first error. Runs no job while a restore is
     * unconfirmed.
     * @param mayErase false while the clock is in doubt, because erased data can't be recovered
     */
    async run({ mayErase = true } = {}): Promise<void> {
      const now = clock();
      if (await findUnconfirmedRestore(database.read)) return;
      const problems: unknown[] = [];
      const steps = [
        sum,
        ...keepers,
        ...(mayErase ? erasers : []),
        swept,
        warn,
        warnOfFading,
        digest,
      ];
      for (const step of steps) {
        await step(services, now).catch((problem: unknown) => problems.push(problem));
      }
      services.onOutbox?.();
      if (problems.length > 0) throw problems[0];
    },
  };
}

const byClock = { actor: "system" } as const;

/** Merges the counters of received forms, which are split over several rows. */
async function sum({ database }: UpkeepServices): Promise<void> {
  if (await isReceivedInParts(database.read)) await database.write(sumReceived);
}

/**
 * Makes completions final once their undo period is over. After a restore, the undo period restarts
 * when an operator confirms the restore. If a receipt may have been sent before the data loss, an
 * operator decides whether to send it again.
 */
async function complete(services: UpkeepServices, now: Temporal.Instant): Promise<void> {
  const { database } = services;
  const before = now.subtract({ minutes: undoMinutes });
  const restore = await findLastRestore(database.read);
  if (restore?.confirmedAt && isAfter(restore.confirmedAt, before)) return;
  await changeAll(
    database.write,
    () => listDone(database.read, { doneAt: before, limit: batchSize }),
    async (request, transaction) => {
      if (!isWorking(request) || !request.done) return;
      const { at, completion } = request.done;
      const act = { type: "complete", completion } as const;
      await applyAct({ services, transaction, now }, request, act, byClock);
      if (restore && !isAfter(at, restore.at))
        await markDoubtful(transaction, {
          recipient: "person",
          requestId: request.id,
          kind: "completed",
        });
    },
  );
}

/** Ends holds, including the account system's, after their last day. Emails the requesters. */
async function endHolds(services: UpkeepServices, now: Temporal.Instant): Promise<void> {
  const { database, calendar } = services;
  const today = dateAt(calendar, now);
  const isInDoubt = await findDoubt(services);
  await changeAll(
    database.write,
    () =>
      listHeldUntil(database.read, { heldUntil: today.subtract({ days: 1 }), limit: batchSize }),
    async (request, transaction) => {
      const wait = holdOf(request);
      if (!wait) return;
      await applyAct({ services, transaction, now }, request, { type: "release" }, byClock);
      if (isInDoubt(wait.until))
        await markDoubtful(transaction, {
          recipient: "person",
          requestId: request.id,
          kind: "released",
        });
    },
  );
}

/**
 * Returns a predicate that checks whether a day is before the confirmation of the last restore. An
 * email about such a day may be wrong or a duplicate, so an operator decides whether to send it.
 */
async function findDoubt({ database, calendar }: UpkeepServices) {
  const restore = await findLastRestore(database.read);
  const restoredOn = restore && dateAt(calendar, restore.confirmedAt ?? restore.at);
  return (day: Temporal.PlainDate) =>
    restoredOn !== undefined && Temporal.PlainDate.compare(day, restoredOn) < 0;
}

/**
 * Emails requesters on the morning after a missed due date, even on weekends and holidays, but only
 * once per date. Notifies the team in the same transaction, unless this run also sends the daily
 * digest or an operator has to decide on all of these emails (`findDoubt`).
 */
async function notifyLate(services: UpkeepServices, now: Temporal.Instant): Promise<void> {
  const { database, calendar, keys } = services;
  const local = now.toZonedDateTimeISO(calendar.timeZone);
  const today = local.toPlainDate();
  if (local.hour < mailHours.from) return;
  const isInDoubt = await findDoubt(services);
  const hasDigest = (await findDigestDue(services, now)) !== undefined;
  let unannounced = 0;
  await changeAll(
    (work) =>
      database.write(async (transaction) => {
        unannounced = 0;
        await work(transaction);
        if (hasDigest || unannounced === 0) return;
        const message = await writeDigest(services, transaction, now);
        await enqueueTeamMail({ transaction, keys, now }, message);
      }),
    () =>
      listLateWithoutNotice(database.read, {
        dueOn: today.subtract({ days: 1 }),
        limit: batchSize,
      }),
    async (request, transaction) => {
      if (!isWorking(request) || request.done) return;
      const { id, state, dueOn } = request;
      if (Temporal.PlainDate.compare(dueOn, today) >= 0) return;
      await recordLateNotice(transaction, { id, toldLateAt: now });
      const content = { kind: "late", dueOn: dueOn.toString(), state } as const;
      await enqueuePersonMail({ transaction, keys, now }, request, content, {
        once: `late:${id}:${dueOn}`,
      });
      await addEvent(transaction, request, { ...byClock, type: "late", at: now });
      if (isInDoubt(dueOn))
        await markDoubtful(transaction, { recipient: "person", requestId: id, kind: "late" });
      else unannounced += 1;
    },
  );
}

function isAfter(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) > 0;
}

/**
 * Deletes requests that weren't confirmed before their links expired. Only hashes of their
 * references remain. Refuses entered requests that weren't approved in time and emails their
 * contacts. Postpones either by a day while an unsent email keeps the requester from confirming.
 */
async function expire(services: UpkeepServices, now: Temporal.Instant): Promise<void> {
  const { database, calendar, keys, forgetting } = services;
  const today = dateAt(calendar, now);
  await changeAll<[EraseRequest]>(
    forgetting.write,
    () => listExpired(database.read, { expiresAt: now, limit: batchSize }),
    async (request, transaction, forget) => {
      if (request.state !== "received" || isAfter(request.expiresAt, now)) return;
      if (await isConfirmDelayed(transaction, request.id, now)) {
        return saveRequest(transaction, request, postponeExpiry(request, now.add({ hours: 24 })));
      }
      if (request.enteredBy !== undefined) {
        const act = { type: "refuse", reason: "not-the-owner", explanation: "" } as const;
        await applyAct({ services, transaction, now }, request, act, byClock);
        return;
      }
      await eraseRequestAndTraces({ transaction, keys, now }, forget, request, "expired");
      await tally(transaction, today, "expired");
    },
  );
}

/**
 * Erases the personal data of ended requests once the final email is delivered, or after a fixed
 * period. A refused request keeps its email address for the full complaint period, because
 * reopening needs it.
 */
async function erase(services: UpkeepServices, now: Temporal.Instant): Promise<void> {
  const { database, forgetting } = services;
  const endedAt = now.subtract({ hours: eraseAfterDays * 24 });
  await changeAll<[EraseRequest]>(
    forgetting.write,
    async () => {
      const informed = await listNotifiedUnerased(database.read, { limit: batchSize });
      const late = await listUnerased(database.read, { endedAt, limit: batchSize });
      return [...new Set([...informed, ...late])];
    },
    async (request, transaction, forget) => {
      if (!isEnded(request) || request.erasedAt) return;
      await forget(request.id, "person", now);
      await addEvent(transaction, request, { actor: "system", type: "erase", at: now });
    },
  );
}

/** Deletes requests, with all related data, after their legal retention period. */
async function deleteOld(services: UpkeepServices, now: Temporal.Instant): Promise<void> {
  const { calendar, database, forgetting } = services;
  const before = now.toZonedDateTimeISO(calendar.timeZone).subtract(record).toInstant();
  await changeAll<[EraseRequest]>(
    forgetting.write,
    () => listForgettable(database.read, { endedAt: before, limit: batchSize }),
    ({ id }, _, forget) => forget(id, "whole", now),
  );
}

/** Deletes rows whose retention depends only on their age, such as links to ended requests. */
async function dropOld(
  { database, calendar }: UpkeepServices,
  now: Temporal.Instant,
): Promise<void> {
  const local = now.toZonedDateTimeISO(calendar.timeZone);
  await database.write((transaction) => deleteAgedRows(transaction, local));
}

/** Returns the latest due date about which the team gets a warning today. */
function warnUntil(calendar: Calendar, today: Temporal.PlainDate): Temporal.PlainDate {
  return addBusinessDays(calendar, today, warnBusinessDays).date;
}

/** Warns the team once, two business days before a due date. */
async function warn(services: UpkeepServices, now: Temporal.Instant): Promise<void> {
  const { database, calendar, keys } = services;
  const today = dateAt(calendar, now);
  const near = { dueOn: warnUntil(calendar, today), limit: batchSize };
  await changeAll(
    database.write,
    () => listUnwarned(database.read, near),
    async (request, transaction) => {
      if (!isWorking(request)) return;
      const { id, reference, state, dueOn } = request;
      const message: OperatorMessage = {
        kind: "operator-due-soon",
        reference,
        dueOn: dueOn.toString(),
        daysLeft: countDaysLeft(calendar, today, dueOn),
        state,
      };
      await recordWarning(transaction, { id, warnedAt: now });
      await enqueueTeamMail({ transaction, keys, now }, message, {
        once: `due-soon:${id}:${dueOn}`,
      });
    },
  );
}

/**
 * Returns the time before which an entered request must expire to be included in today's warning.
 */
function fadesBefore(calendar: Calendar, today: Temporal.PlainDate): Temporal.Instant {
  return warnUntil(calendar, today).add({ days: 1 }).toZonedDateTime(calendar.timeZone).toInstant();
}

/** Warns the team once, two business days before an entered request expires. */
async function warnOfFading(services: UpkeepServices, now: Temporal.Instant): Promise<void> {
  const { database, calendar, keys } = services;
  const fading = { expiresAt: fadesBefore(calendar, dateAt(calendar, now)), limit: batchSize };
  await changeAll(
    database.write,
    () => listUnwarnedEntries(database.read, fading),
    async (request, transaction) => {
      if (request.state !== "received") return;
      const { id, reference, expiresAt } = request;
      await recordWarning(transaction, { id, warnedAt: now });
      const fadesAt = toText(expiresAt);
      const message = { kind: "operator-second-look", reference, fadesAt } as const;
      await enqueueTeamMail({ transaction, keys, now }, message, {
        once: `second-look:${id}:${expiresAt}`,
      });
    },
  );
}

/**
 * Returns the idempotency key of today's digest. Returns undefined before the digest's hour and on
 * days without a digest.
 */
function digestOf(calendar: Calendar, now: Temporal.Instant): string | undefined {
  const local = now.toZonedDateTimeISO(calendar.timeZone);
  const today = local.toPlainDate();
  const isTime = local.hour >= mailHours.from && !findSkipReason(calendar, today);
  return isTime ? `digest:${today}` : undefined;
}

/** Returns the key of today's digest if it is due and not yet queued. */
async function findDigestDue(
  { database, calendar }: UpkeepServices,
  now: Temporal.Instant,
): Promise<string | undefined> {
  const once = digestOf(calendar, now);
  return once && !(await wasAdded(database.read, { once })) ? once : undefined;
}

async function digest(services: UpkeepServices, now: Temporal.Instant): Promise<void> {
  const { database, keys } = services;
  const once = await findDigestDue(services, now);
  if (!once) return;
  const message = await writeDigest(services, database.read, now);
  await database.write((transaction) =>
    enqueueTeamMail({ transaction, keys, now }, message, { once }),
  );
}

async function writeDigest(
  { calendar, findSilence }: UpkeepServices,
  read: Read,
  now: Temporal.Instant,
): Promise<OperatorMessage> {
  const today = dateAt(calendar, now);
  // The digest goes out without an invalid row. `warn` reports the row once its due date is near.
  const working = await listWorking(read, namedInMail, undefined, () => {});
  const open = working.filter(({ done }) => !done);
  const standing = await countByState(read, { today });
  const troubled = await listTroubled(read, namedInMail, mailChannels);
  const { since: waitingSince } = await findUnsent(read, mailChannels, now);
  const silence = await findSilence?.();
  let lastDigest = today.subtract({ days: 1 });
  while (findSkipReason(calendar, lastDigest)) lastDigest = lastDigest.subtract({ days: 1 });
  return {
    kind: "operator-digest",
    date: today.toString(),
    open: open.map((request) => ({
      reference: request.reference,
      state: request.state,
      dueOn: request.dueOn.toString(),
      daysLeft: countDaysLeft(calendar, today, request.dueOn),
      owner: request.owner ?? "",
      heldUntil: holdOf(request)?.until.toString() ?? "",
    })),
    openCount: standing.open,
    unconfirmed: await countReceived(read),
    troubled: troubled.first.map(toTroubled),
    troubledCount: troubled.count,
    overdue: standing.late,
    waitingSince: waitingSince ? toText(waitingSince) : "",
    silentSince: silence ? toText(silence.since) : "",
    freed: await listFreed(read, {
      // The last digest already included holds that ended at the midnight before it.
      since: lastDigest
        .toZonedDateTime({ timeZone: calendar.timeZone, plainTime: { hour: mailHours.from } })
        .toInstant(),
    }),
    calendarEnd: findCalendarEnd(calendar, today) ?? "",
    nobodyOn: (await findUnstaffedDays(read, calendar, today))?.toString() ?? "",
  };
}

async function settleNotifications(
  { calendar, keys }: Pick<UpkeepServices, "calendar" | "keys">,
  transaction: Write,
  now: Temporal.Instant,
): Promise<void> {
  const today = dateAt(calendar, now);
  const near = { dueOn: warnUntil(calendar, today), limit: everything };
  const fading = { expiresAt: fadesBefore(calendar, today), limit: everything };
  const unwarned = [
    ...(await listUnwarned(transaction, near)),
    ...(await listUnwarnedEntries(transaction, fading)),
  ];
  for (const id of unwarned) await recordWarning(transaction, { id, warnedAt: now });
  const once = digestOf(calendar, now);
  const message = { kind: "operator-digest" } as OperatorMessage;
  if (once) await enqueueTeamMail({ transaction, keys, now }, message, { once, heldBack: true });
}
