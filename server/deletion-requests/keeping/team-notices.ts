import {
  addBusinessDays,
  type Calendar,
  countDaysLeft,
  dateAt,
  findCalendarEnd,
  findSkipReason,
  subtractBusinessDays,
} from "../../calendar/business-days.ts";
import type { Database } from "../../database/database.ts";
import type { Write } from "../../database/statement.ts";
import { toText } from "../../database/time.ts";
import type { Keys } from "../../keys/keys.ts";
import { addMessage, listFailing, listTroubled, wasAdded } from "../../outbox/outbox.ts";
import { findHead } from "../ledger/chain.ts";
import { waitOf } from "../life/request.ts";
import { listFreed } from "../store/audit-log.ts";
import { enterWarning } from "../store/changes.ts";
import { countReceived, readStanding } from "../store/finding.ts";
import { listUnwarned, listWorking } from "../store/lists.ts";
import { enqueueTeamMail } from "../telling/enqueue.ts";
import { mailChannels, mailHours, namedInMail, toTroubled } from "../telling/mail-channels.ts";
import type { OperatorMessage } from "../telling/messages.ts";
import { findNobodyThere } from "../telling/presence.ts";
import { lot } from "./erasing.ts";

/** What the team is told by the clock: what is due soon, and each morning how it stands. */

export type NoticeServices = {
  database: Database;
  calendar: Calendar;
  keys: Keys;
  /** Since when the account system owes an answer, where one is connected. */
  findSilence?: () => Promise<Temporal.Instant | undefined>;
};

const warnBusinessDays = 2;

/** The latest date of which it is time to warn today. */
function warnUntil(calendar: Calendar, today: Temporal.PlainDate): Temporal.PlainDate {
  let date = addBusinessDays(calendar, today, warnBusinessDays).date;
  const isTime = (due: Temporal.PlainDate) =>
    Temporal.PlainDate.compare(today, subtractBusinessDays(calendar, due, warnBusinessDays)) >= 0;
  while (isTime(date.add({ days: 1 }))) date = date.add({ days: 1 });
  return date;
}

/** Two business days before a date the team is told, once. */
export async function warn(services: NoticeServices, now: Temporal.Instant): Promise<void> {
  const { database, calendar, keys } = services;
  const today = dateAt(calendar, now);
  for (const request of await listUnwarned(database.read, {
    until: warnUntil(calendar, today),
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

/** On the morning of each business day the team is told how it stands. */
export async function digest(services: NoticeServices, now: Temporal.Instant): Promise<void> {
  const { database, calendar, keys } = services;
  const local = now.toZonedDateTimeISO(calendar.timeZone);
  const today = local.toPlainDate();
  if (local.hour < mailHours.from || findSkipReason(calendar, today)) return;
  const once = `digest:${today}`;
  if (await wasAdded(database.read, { once })) return;
  const working = await listWorking(database.read, namedInMail);
  const open = working.filter(({ done }) => !done);
  const standing = await readStanding(database.read, { today });
  const troubled = await listTroubled(database.read, namedInMail, mailChannels);
  const [failing] = await listFailing(database.read, 1, mailChannels);
  const silentSince = await services.findSilence?.();
  let lastDigest = today.subtract({ days: 1 });
  while (findSkipReason(calendar, lastDigest)) lastDigest = lastDigest.subtract({ days: 1 });
  const { sequence: entry, hash } = await findHead(database.read);
  const message: OperatorMessage = {
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
    unconfirmed: await countReceived(database.read),
    troubled: troubled.first.map(toTroubled),
    troubledCount: troubled.count,
    overdue: standing.late,
    waitingSince: failing ? toText(failing.createdAt) : "",
    silentSince: silentSince ? toText(silentSince) : "",
    freed: await listFreed(database.read, {
      since: lastDigest.toZonedDateTime(calendar.timeZone).toInstant(),
    }),
    calendarEnd: findCalendarEnd(calendar, today) ?? "",
    nobodyOn: (await findNobodyThere(database.read, calendar, today))?.toString() ?? "",
    ...(entry > 0 && { head: { entry, hash } }),
  };
  await database.write((transaction) => enqueueTeamMail(transaction, keys, message, now, { once }));
}

/** Somebody has just seen what the mails of this moment would tell the operators: they are not sent. */
export async function takeAsTold(
  { calendar, keys }: Pick<NoticeServices, "calendar" | "keys">,
  transaction: Write,
  now: Temporal.Instant,
): Promise<void> {
  const today = dateAt(calendar, now);
  for (;;) {
    const unwarned = await listUnwarned(transaction, {
      until: warnUntil(calendar, today),
      limit: lot,
    });
    for (const { id } of unwarned) await enterWarning(transaction, { id, warnedAt: now });
    if (unwarned.length < lot) break;
  }
  const local = now.toZonedDateTimeISO(calendar.timeZone);
  if (local.hour < mailHours.from || findSkipReason(calendar, today)) return;
  await addMessage(transaction, keys, now, {
    channel: "operators",
    ownerId: null,
    once: `digest:${today}`,
    message: { kind: "operator-digest" },
    heldBack: true,
  });
}
