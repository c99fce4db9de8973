import {
  addBusinessDays,
  type Calendar,
  countDaysLeft,
  dateAt,
  findCalendarEnd,
  findSkipReason,
} from "../../calendar/business-days.ts";
import { dropAged } from "../../database/aged.ts";
import { findLastRestore, findUnconfirmedRestore } from "../../database/restore-hold.ts";
import { toText } from "../../database/rows.ts";
import type { Job } from "../../database/schema.ts";
import { everything, type Read, type Write } from "../../database/statement.ts";
import { doubtMessagesOf, findUnsent, listTroubled, wasAdded } from "../../outbox/outbox.ts";
import { eraseAfterDays, record, undoMinutes, warnBusinessDays } from "../../terms.ts";
import { tally } from "../ledger/monthly-counters.ts";
import { waitUntil } from "../life/life.ts";
import { isEnded, isWorking, waitOf } from "../life/request.ts";
import { addEvent, listFreed } from "../store/audit-log.ts";
import { changeAll, type Forget, type Forgetting, forgetWhole, lot } from "../store/erasing.ts";
import {
  listDone,
  listExpired,
  listForgettable,
  listHeldUntil,
  listToldUnerased,
  listUnerased,
  listUntoldLate,
  listUnwarned,
  listUnwarnedEntries,
  listWorking,
} from "../store/lists.ts";
import {
  countReceived,
  enterToldLate,
  enterWarning,
  readStanding,
  saveLife,
} from "../store/requests.ts";
import {
  enqueuePersonMail,
  enqueueTeamMail,
  isConfirmDelayed,
  mailChannels,
  mailHours,
  namedInMail,
  toTroubled,
} from "../telling/mails.ts";
import type { OperatorMessage } from "../telling/messages.ts";
import { findNobodyThere } from "../telling/presence.ts";
import { applyAct, type RequestServices } from "../working/apply-act.ts";

/**
 * What time alone brings: unconfirmed requests go, ended ones lose their personal data, old ones are forgotten, and
 * the operators are told what is due. Safe to run at any moment and any number of times. Each step asks an index what
 * is due, and takes requests in small lots between which everybody else is served: nothing to do costs nothing.
 */
export type Upkeep = ReturnType<typeof createUpkeep>;

type Services = RequestServices & {
  forgetting: Forgetting;
  /** Since when the account system has owed an answer for too long, where one is connected. */
  findSilence?: () => Promise<{ since: Temporal.Instant } | undefined>;
};

type Step = (services: Services, now: Temporal.Instant) => Promise<void>;

/** What the map of the data leaves to a job of its own. */
const jobs: Record<Job, Step> = {
  expired: expire,
  erased: erase,
  forgotten: forgetOld,
  swept: ({ forgetting }, now) => forgetting.finish(now),
};

/** Keep the dates that people have from us in writing (`promised-dates.test.ts`). They erase nothing. */
const keepers: Step[] = [complete, endHolds, tellLate];

/** `swept` removes mail files of rows that are gone already; the others need a clock that can be trusted. */
const { swept, ...destroying } = jobs;
const erasers: Step[] = [...Object.values(destroying), dropOld];

export function createUpkeep(services: Services) {
  const { database, clock } = services;
  return {
    /** Somebody has just seen what the mails of this moment would tell the operators: they are not sent. */
    takeAsTold: (transaction: Write, now: Temporal.Instant) =>
      takeAsTold(services, transaction, now),

    /**
     * Every step is tried, whatever became of the others; the first problem is thrown in the end.
     * @param mayErase false while the clock cannot be trusted: erased data does not come back with the right time
     */
    async run(mayErase = true): Promise<void> {
      const now = clock();
      if (await findUnconfirmedRestore(database.read)) return;
      const problems: unknown[] = [];
      const steps = [...keepers, ...(mayErase ? erasers : []), swept, warn, warnOfFading, digest];
      for (const step of steps) {
        await step(services, now).catch((problem: unknown) => problems.push(problem));
      }
      services.onOutbox?.();
      if (problems.length > 0) throw problems[0];
    },
  };
}

const byClock = { actor: "system" } as const;

/**
 * Completes what somebody called done, once that can no longer be taken back. What was called done before a copy
 * was put back can be taken back for as long from the moment that somebody confirmed the copy; its receipt may have
 * left before the loss, so that a person decides whether it is sent.
 */
async function complete(services: Services, now: Temporal.Instant): Promise<void> {
  const { database } = services;
  const before = now.subtract({ minutes: undoMinutes });
  const restore = await findLastRestore(database.read);
  if (restore?.confirmedAt && isAfter(restore.confirmedAt, before)) return;
  await changeAll(
    database.write,
    () => listDone(database.read, { doneAt: before, limit: lot }),
    async (request, transaction) => {
      if (!isWorking(request) || !request.done) return;
      const { at, completion } = request.done;
      const act = { type: "complete", completion } as const;
      await applyAct(services, transaction, request, act, byClock, now);
      if (restore && !isAfter(at, restore.at))
        await doubtMessagesOf(transaction, {
          recipient: "person",
          requestId: request.id,
          kind: "completed",
        });
    },
  );
}

/** The day until which a request waits is over: it goes on, whoever set that day, and its person is told. */
async function endHolds(services: Services, now: Temporal.Instant): Promise<void> {
  const { database, calendar } = services;
  const today = dateAt(calendar, now);
  const isInDoubt = await findDoubt(services);
  await changeAll(
    database.write,
    () => listHeldUntil(database.read, { heldUntil: today.subtract({ days: 1 }), limit: lot }),
    async (request, transaction) => {
      const wait = waitOf(request);
      if (!wait) return;
      await applyAct(services, transaction, request, { type: "release" }, byClock, now);
      if (isInDoubt(wait.until))
        await doubtMessagesOf(transaction, {
          recipient: "person",
          requestId: request.id,
          kind: "released",
        });
    },
  );
}

/**
 * Whether a mail of a day that is over may be untrue or have left already: where the day passed before somebody had
 * looked at a copy that was put back. There a person decides whether it is sent.
 */
async function findDoubt({ database, calendar }: Services) {
  const restore = await findLastRestore(database.read);
  const looked = restore && dateAt(calendar, restore.confirmedAt ?? restore.at);
  return (day: Temporal.PlainDate) =>
    looked !== undefined && Temporal.PlainDate.compare(day, looked) < 0;
}

/**
 * On the morning after a promised day that passed untouched its person is told, once for each date, and in the same
 * transaction the team: on a weekend or a holiday, too. Where the day's digest leaves in the same round, it is that mail.
 */
async function tellLate(services: Services, now: Temporal.Instant): Promise<void> {
  const { database, calendar, keys } = services;
  const local = now.toZonedDateTimeISO(calendar.timeZone);
  const today = local.toPlainDate();
  if (local.hour < mailHours.from) return;
  const isInDoubt = await findDoubt(services);
  const hasDigest = (await findDigestDue(services, now)) !== undefined;
  let told = 0;
  await changeAll(
    (work) =>
      database.write(async (transaction) => {
        told = 0;
        await work(transaction);
        if (hasDigest || told === 0) return;
        const message = await writeDigest(services, transaction, now);
        await enqueueTeamMail(transaction, keys, message, now);
      }),
    () => listUntoldLate(database.read, { dueOn: today.subtract({ days: 1 }), limit: lot }),
    async (request, transaction) => {
      if (!isWorking(request) || request.done) return;
      const { id, state, dueOn } = request;
      if (Temporal.PlainDate.compare(dueOn, today) >= 0) return;
      await enterToldLate(transaction, { id, toldLateAt: now });
      const news = { kind: "late", dueOn: dueOn.toString(), state } as const;
      await enqueuePersonMail(transaction, keys, request, news, now, {
        once: `late:${id}:${dueOn}`,
      });
      await addEvent(transaction, request, { ...byClock, type: "late", at: now });
      if (isInDoubt(dueOn))
        await doubtMessagesOf(transaction, { recipient: "person", requestId: id, kind: "late" });
      else told += 1;
    },
  );
}

function isAfter(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) > 0;
}

/**
 * Nobody confirmed it while its links worked: nothing of it is left but a hash of its references. An entered request that no
 * one approved in time is refused instead, so that its contact hears of it.
 */
async function expire(services: Services, now: Temporal.Instant): Promise<void> {
  const { database, calendar, keys, forgetting } = services;
  const today = dateAt(calendar, now);
  await changeAll<[Forget]>(
    forgetting.write,
    () => listExpired(database.read, { expiresAt: now, limit: lot }),
    async (request, transaction, forget) => {
      if (request.state !== "received" || isAfter(request.expiresAt, now)) return;
      if (await isConfirmDelayed(transaction, request.id, now)) {
        return saveLife(transaction, request, waitUntil(request, now.add({ hours: 24 })));
      }
      if (request.enteredBy !== undefined) {
        const act = { type: "refuse", reason: "not-the-owner", explanation: "" } as const;
        await applyAct(services, transaction, request, act, byClock, now);
        return;
      }
      await forgetWhole(keys, transaction, forget, request, "expired", now);
      await tally(transaction, today, "expired");
    },
  );
}

/**
 * It has ended, and its person knows or had time to: what names them goes. Who was refused may complain until then: only with
 * their address can the request be opened again.
 */
async function erase(services: Services, now: Temporal.Instant): Promise<void> {
  const { database, forgetting } = services;
  const endedAt = now.subtract({ hours: eraseAfterDays * 24 });
  await changeAll<[Forget]>(
    forgetting.write,
    async () => {
      const told = await listToldUnerased(database.read, { limit: lot });
      const late = await listUnerased(database.read, { endedAt, limit: lot });
      return [...new Set([...told, ...late])];
    },
    async (request, transaction, forget) => {
      if (!isEnded(request) || request.erasedAt) return;
      await forget(request.id, "person", now);
      await addEvent(transaction, request, { actor: "system", type: "erase", at: now });
    },
  );
}

/** What is as old as the law asks for goes altogether, and with it what was kept about it. */
async function forgetOld(services: Services, now: Temporal.Instant): Promise<void> {
  const { calendar, database, forgetting } = services;
  const before = now.toZonedDateTimeISO(calendar.timeZone).subtract(record).toInstant();
  await changeAll<[Forget]>(
    forgetting.write,
    () => listForgettable(database.read, { endedAt: before, limit: lot }),
    ({ id }, _, forget) => forget(id, "whole", now),
  );
}

/** What goes by its age alone, such as the pages of ended requests. */
async function dropOld({ database, calendar }: Services, now: Temporal.Instant): Promise<void> {
  const local = now.toZonedDateTimeISO(calendar.timeZone);
  await database.write((transaction) => dropAged(transaction, local));
}

// What the team is told by the clock: what is due soon, and each morning how it stands

/** The latest date of which it is time to warn today. */
function warnUntil(calendar: Calendar, today: Temporal.PlainDate): Temporal.PlainDate {
  return addBusinessDays(calendar, today, warnBusinessDays).date;
}

/** Two business days before a date the team is told, once. */
async function warn(services: Services, now: Temporal.Instant): Promise<void> {
  const { database, calendar, keys } = services;
  const today = dateAt(calendar, now);
  for (const request of await listUnwarned(database.read, {
    dueOn: warnUntil(calendar, today),
    limit: lot,
  })) {
    const message: OperatorMessage = {
      kind: "operator-due-soon",
      reference: request.reference,
      dueOn: request.dueOn.toString(),
      daysLeft: countDaysLeft(calendar, today, request.dueOn),
      state: request.state,
    };
    await database.write(async (transaction) => {
      await enterWarning(transaction, { id: request.id, warnedAt: now });
      await enqueueTeamMail(transaction, keys, message, now, {
        once: `due-soon:${request.id}:${request.dueOn}`,
      });
    });
  }
}

/** The end of the latest day of which it is time to warn today. */
function fadesBefore(calendar: Calendar, today: Temporal.PlainDate): Temporal.Instant {
  return warnUntil(calendar, today).add({ days: 1 }).toZonedDateTime(calendar.timeZone).toInstant();
}

/** Two business days before an entered request fades the team is told, once. */
async function warnOfFading(services: Services, now: Temporal.Instant): Promise<void> {
  const { database, calendar, keys } = services;
  const expiresAt = fadesBefore(calendar, dateAt(calendar, now));
  for (const { id, reference, expiresAt: at } of await listUnwarnedEntries(database.read, {
    expiresAt,
    limit: lot,
  })) {
    const fadesAt = toText(at);
    await database.write(async (transaction) => {
      await enterWarning(transaction, { id, warnedAt: now });
      const message = { kind: "operator-second-look", reference, fadesAt } as const;
      await enqueueTeamMail(transaction, keys, message, now, { once: `second-look:${id}:${at}` });
    });
  }
}

/** Which digest it is time for. */
function digestOf(calendar: Calendar, now: Temporal.Instant): string | undefined {
  const local = now.toZonedDateTimeISO(calendar.timeZone);
  const today = local.toPlainDate();
  const isTime = local.hour >= mailHours.from && !findSkipReason(calendar, today);
  return isTime ? `digest:${today}` : undefined;
}

/** The digest that it is time for and that has not been written yet. */
async function findDigestDue(
  { database, calendar }: Services,
  now: Temporal.Instant,
): Promise<string | undefined> {
  const once = digestOf(calendar, now);
  return once && !(await wasAdded(database.read, { once })) ? once : undefined;
}

/** On the morning of each business day the team is told how it stands. */
async function digest(services: Services, now: Temporal.Instant): Promise<void> {
  const { database, keys } = services;
  const once = await findDigestDue(services, now);
  if (!once) return;
  const message = await writeDigest(services, database.read, now);
  await database.write((transaction) => enqueueTeamMail(transaction, keys, message, now, { once }));
}

async function writeDigest(
  { calendar, findSilence }: Services,
  read: Read,
  now: Temporal.Instant,
): Promise<OperatorMessage> {
  const today = dateAt(calendar, now);
  const working = await listWorking(read, namedInMail);
  const open = working.filter(({ done }) => !done);
  const standing = await readStanding(read, { today });
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
      heldUntil: waitOf(request)?.until.toString() ?? "",
    })),
    openCount: standing.open,
    unconfirmed: await countReceived(read),
    troubled: troubled.first.map(toTroubled),
    troubledCount: troubled.count,
    overdue: standing.late,
    waitingSince: waitingSince ? toText(waitingSince) : "",
    silentSince: silence ? toText(silence.since) : "",
    freed: await listFreed(read, {
      // What ended at midnight was told by the digest of that morning.
      since: lastDigest
        .toZonedDateTime({ timeZone: calendar.timeZone, plainTime: { hour: mailHours.from } })
        .toInstant(),
    }),
    calendarEnd: findCalendarEnd(calendar, today) ?? "",
    nobodyOn: (await findNobodyThere(read, calendar, today))?.toString() ?? "",
  };
}

async function takeAsTold(
  { calendar, keys }: Pick<Services, "calendar" | "keys">,
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
  for (const { id } of unwarned) await enterWarning(transaction, { id, warnedAt: now });
  const once = digestOf(calendar, now);
  const message = { kind: "operator-digest" } as OperatorMessage;
  if (once) await enqueueTeamMail(transaction, keys, message, now, { once, heldBack: true });
}
