import { type Calendar, dateAt, subtractBusinessDays } from "../calendar/business-days.ts";
import type { Database } from "../database/database.ts";
import { findLastRestore, isHeldByRestore } from "../database/restore-hold.ts";
import type { Read, Write } from "../database/statement.ts";
import { toText } from "../database/time.ts";
import { findRequestById } from "../deletion-requests/store/finding.ts";
import { listWorking } from "../deletion-requests/store/queue.ts";
import { isWorking, type WorkingRequest } from "../deletion-requests/store/request.ts";
import { enqueueTeamMail } from "../deletion-requests/telling/enqueue.ts";
import { namedInMail } from "../deletion-requests/telling/mail-channels.ts";
import type { TroubledDelivery } from "../deletion-requests/telling/messages.ts";
import type { Keys } from "../keys/keys.ts";
import type { DeliveryProblem } from "../mail/delivery-problem.ts";
import { dropChannel, wasAdded } from "../outbox/outbox.ts";
import { accountChannel } from "./events.ts";
import {
  addHandOver,
  dropOldCalls,
  enterRecheck,
  enterReconciled,
  enterReminder,
  enterStanding,
  findHandOver,
  findHandOverOf,
  findLongestWaiting,
  findStanding,
  type HandOver,
  type HandOverState,
  isDoubted,
  listAgain,
  listDoubted,
  listRechecked,
  listSilent,
  stopAsking,
} from "./hand-overs.ts";
import { announce, isKeptWaiting, oweEvent } from "./handing-over.ts";

/**
 * What time brings between the two systems. Each night every confirmed request is looked at: what was never handed over
 * is, what nobody answered is asked again, and a person is told before a date is at risk. Safe to run at any moment and
 * any number of times.
 */

/** Campus time from which a night's reconciliation is due. */
const nightHour = 2;
/** Whoever has been asked within a day is not asked again. */
const silentHours = 20;
/** An account system that says nothing for so long is out of order. */
const silentMinutes = 60;
const remindBusinessDays = 2;
/** A person gets a day more than the reminder leaves. */
const tellBusinessDays = 3;
/** A sender may come back with the same call for days; the outbox itself gives up after three. */
const keepCallsDays = 30;
const lot = 50;

type Services = {
  database: Database;
  keys: Keys;
  calendar: Calendar;
  clock: () => Temporal.Instant;
  mode: "off" | "dry-run" | "live";
  onOutbox?: () => void;
};

export function createReconciliation(services: Services) {
  const { database, calendar, clock } = services;
  let isFirstRun = true;

  return {
    async run(): Promise<void> {
      if (services.mode === "off") {
        // Commands of an older configuration may still have written some: once a start is often enough.
        if (isFirstRun) await dropUnserved(database);
        isFirstRun = false;
        return;
      }
      // After a copy was put back, nothing leaves until somebody has looked at what came back.
      if (await isHeldByRestore(database.read)) return;
      const now = clock();
      await askStanding(services, now);
      await tryAgain(services, now);
      await tellSilence(services, now);
      // Each night, and when the server starts, perhaps newly connected.
      const local = now.toZonedDateTimeISO(calendar.timeZone);
      const { reconciledOn } = await findStanding(database.read);
      const isNight = reconciledOn !== local.toPlainDate().toString() && local.hour >= nightHour;
      if (isFirstRun || isNight) await reconcile(services, now);
      isFirstRun = false;
      services.onOutbox?.();
    },
  };
}

/** Does something with each of those that `list` finds, lot by lot; what was done is not listed again. */
async function inLots<Row>(
  { database }: Services,
  list: (read: Read) => Promise<Row[]>,
  work: (transaction: Write, row: Row) => Promise<void>,
): Promise<void> {
  for (;;) {
    const rows = await list(database.read);
    if (rows.length === 0) return;
    await database.write(async (transaction) => {
      for (const row of rows) await work(transaction, row);
    });
  }
}

async function askAgain(
  { keys }: Services,
  transaction: Write,
  listed: HandOver,
  now: Temporal.Instant,
): Promise<void> {
  const handOver = await findHandOver(transaction, { publicId: listed.publicId });
  // Answered since it was listed.
  if (handOver?.state !== listed.state) return;
  const request = await findRequestById(transaction, { id: handOver.requestId });
  if (!request || !isWorking(request)) {
    await stopAsking(transaction, { id: handOver.id, state: "closed" });
    return;
  }
  await announce(transaction, keys, handOver, request, now);
}

/** What failed an hour ago and wanted to be told of again. */
async function tryAgain(services: Services, now: Temporal.Instant): Promise<void> {
  const due = await listAgain(services.database.read, { now, limit: lot });
  if (due.length === 0) return;
  await services.database.write(async (transaction) => {
    for (const handOver of due) await askAgain(services, transaction, handOver, now);
  });
}

/** After a copy was put back: what became meanwhile of those that were handed over, the account system may know. */
async function askStanding(services: Services, now: Temporal.Instant): Promise<void> {
  const restore = await findLastRestore(services.database.read);
  if (!restore) return;
  const asked = { restoredAt: restore.at, since: now.subtract({ hours: silentHours }), limit: lot };
  await inLots(
    services,
    (read) => listDoubted(read, asked),
    async (transaction, listed) => {
      // Whatever comes of it, it is not listed again tonight.
      await enterStanding(transaction, { id: listed.id, now });
      await askAgain(services, transaction, listed, now);
    },
  );
}

/** What was asked about after accounts were restored, and not answered. */
async function askRechecked(
  services: Services,
  now: Temporal.Instant,
): Promise<TroubledDelivery[]> {
  const since = now.subtract({ hours: silentHours });
  const kind = "account.deletion.recheck";
  const troubles: TroubledDelivery[] = [];
  await inLots(
    services,
    (read) => listRechecked(read, { since, limit: lot }),
    async (transaction, handOver) => {
      await enterRecheck(transaction, { id: handOver.id, now });
      const request = await findRequestById(transaction, { id: handOver.requestId });
      if (!request) return;
      const { reference } = request;
      await oweEvent(transaction, services.keys, handOver, reference, { kind }, now);
      troubles.push({ reference, kind, problem: "no answer" });
    },
  );
  return troubles;
}

/** What was told of and never answered, or begun and not finished. */
function askTheSilent(services: Services, now: Temporal.Instant): Promise<void> {
  const since = now.subtract({ hours: silentHours });
  return inLots(
    services,
    (read) => listSilent(read, { since, limit: lot }),
    (transaction, handOver) => askAgain(services, transaction, handOver, now),
  );
}

/** Nobody has answered for an hour: it is told once for each request that waits longest. */
async function tellSilence({ database, keys }: Services, now: Temporal.Instant): Promise<void> {
  const waiting = await findLongestWaiting(database.read);
  if (!waiting || now.since(waiting.since).total("minutes") < silentMinutes) return;
  const once = `silent:${waiting.publicId}:${toText(waiting.since)}`;
  if (await wasAdded(database.read, { once: `account-system:${once}` })) return;
  await database.write(async (transaction) => {
    const request = await findRequestById(transaction, { id: waiting.requestId });
    if (!request) return;
    const { reference } = request;
    const kind = isWorking(request) ? "account.deletion.requested" : "account.deletion.recheck";
    const troubled = [{ reference, kind, problem: "no answer" }];
    await tellOperators(transaction, keys, troubled, 1, once, now);
  });
}

/** Everything that is confirmed, due soonest first. */
async function reconcile(services: Services, now: Temporal.Instant): Promise<void> {
  const { database, keys, calendar } = services;
  const today = dateAt(calendar, now);
  await askTheSilent(services, now);
  const atRisk = await askRechecked(services, now);
  let count = atRisk.length;
  atRisk.splice(namedInMail);
  for (let after: WorkingRequest | undefined; ; ) {
    const requests = await listWorking(database.read, lot, after);
    after = requests.at(-1);
    if (!after) break;
    const found = await database.write(async (transaction) => {
      const troubles: TroubledDelivery[] = [];
      for (const { id } of requests) {
        const trouble = await lookAt(services, transaction, id, now);
        if (trouble) troubles.push(trouble);
      }
      return troubles;
    });
    count += found.length;
    atRisk.push(...found.slice(0, namedInMail - atRisk.length));
  }
  await database.write(async (transaction) => {
    if (count > 0) await tellOperators(transaction, keys, atRisk, count, `at-risk:${today}`, now);
    await enterReconciled(transaction, { on: today });
    await dropOldCalls(transaction, { before: now.subtract({ hours: keepCallsDays * 24 }) });
  });
}

/** One request in the night. Returns what a person must know of it. */
async function lookAt(
  services: Services,
  transaction: Write,
  id: number,
  now: Temporal.Instant,
): Promise<TroubledDelivery | undefined> {
  const { keys, calendar } = services;
  const request = await findRequestById(transaction, { id });
  if (!request || !isWorking(request) || isKeptWaiting(request)) return undefined;
  const handOver = await handOverOnce(services, transaction, request, now);
  const isInHand = request.state === "in-progress" && !handOver?.isBegun;
  if (!handOver || handOver.test || isInHand) return undefined;
  const { reference, dueOn } = request;
  const isWithin = (businessDays: number) =>
    Temporal.PlainDate.compare(
      dateAt(calendar, now),
      subtractBusinessDays(calendar, dueOn, businessDays),
    ) >= 0;
  const isReminded = handOver.remindedFor === dueOn.toString();
  const isDue = handOver.state === "asked" && isWithin(remindBusinessDays) && !isReminded;
  if (isDue && !(await isDoubted(transaction, handOver))) {
    const kind = "account.deletion.reminder";
    await oweEvent(transaction, keys, handOver, reference, { kind }, now);
    await enterReminder(transaction, { id: handOver.id, reminded_for: dueOn });
  }
  const problem = problems[handOver.state];
  if (!problem || !isWithin(tellBusinessDays)) return undefined;
  return { reference, kind: "account.deletion.requested", problem, dueOn: dueOn.toString() };
}

/**
 * The hand-over of a request, made where there is none that is in earnest and goes on; undefined where somebody works on it by
 * hand.
 */
async function handOverOnce(
  { keys, mode }: Services,
  transaction: Write,
  request: WorkingRequest,
  now: Temporal.Instant,
): Promise<HandOver | undefined> {
  const isTrial = mode === "dry-run";
  const known = await findHandOverOf(transaction, { requestId: request.id });
  // What was only tried out, or was over before it was opened again, is handed over in earnest.
  const isOver = known?.state === "closed" || known?.state === "done";
  if (known && !isOver && (isTrial || !known.test)) return known;
  if (request.state === "in-progress") return undefined;
  // What was confirmed before a copy was put back may have been handed over by a server that is gone.
  const restore = await findLastRestore(transaction);
  const isOld = restore && Temporal.Instant.compare(request.confirmedAt, restore.at) <= 0;
  const since = isOld && !isOver ? request.confirmedAt : now;
  const made = await addHandOver(transaction, { requestId: request.id, test: isTrial, now: since });
  await announce(transaction, keys, made, request, now);
  return made;
}

/** Nobody fetches or takes what waits for a system that is no longer connected. */
async function dropUnserved(database: Database): Promise<void> {
  let dropped: number;
  do {
    dropped = await database.write((transaction) =>
      dropChannel(transaction, { channel: accountChannel, limit: lot }),
    );
  } while (dropped === lot);
}

/** What the team is told of a hand-over that is still open. */
const problems: Partial<Record<HandOverState, DeliveryProblem>> = {
  asked: "no answer",
  started: "begun and not finished",
  blocked: "blocked",
  failed: "failed",
};

/** @param once of each such one mail */
export function tellOperators(
  transaction: Write,
  keys: Keys,
  troubled: TroubledDelivery[],
  count: number,
  once: string,
  now: Temporal.Instant,
): Promise<void> {
  const message = { kind: "operator-account-system", troubled, troubledCount: count } as const;
  return enqueueTeamMail(transaction, keys, message, now, { once: `account-system:${once}` });
}
