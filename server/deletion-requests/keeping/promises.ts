import { dateAt } from "../../calendar/business-days.ts";
import type { Database } from "../../database/database.ts";
import { findLastRestore } from "../../database/restore-hold.ts";
import { doubtMessagesOf } from "../../outbox/outbox.ts";
import { undoMinutes, waitOf } from "../life/request.ts";
import { enterToldLate } from "../store/changes.ts";
import { listDone, listHeldUntil, listUntoldLate } from "../store/due-work.ts";
import { addEvent } from "../store/events.ts";
import { enqueuePersonMail } from "../telling/enqueue.ts";
import { mailHours } from "../telling/mail-channels.ts";
import type { Office } from "../working/acts.ts";
import { applyAct } from "../working/apply-act.ts";
import { changeAll, lot } from "./lots.ts";

/** What was promised for a moment or a day, once it has come: the receipt, the end of a wait, and the word that it is late. */

type Services = Office & { database: Database };

const byClock = { actor: "system" } as const;

/**
 * Completes what somebody called done, once that can no longer be taken back. What was called done before a copy
 * was put back can be taken back for as long from the moment that somebody confirmed the copy; its receipt may have
 * left before the loss, so that a person decides whether it is sent.
 */
export async function complete(services: Services, now: Temporal.Instant): Promise<void> {
  const { database } = services;
  const before = now.subtract({ minutes: undoMinutes });
  const restore = await findLastRestore(database.read);
  if (restore?.confirmedAt && isAfter(restore.confirmedAt, before)) return;
  await changeAll(
    database,
    () => listDone(database.read, { until: before, limit: lot }),
    async (transaction, request) => {
      if (!request.done) return;
      const { at, completion } = request.done;
      const act = { type: "complete", completion } as const;
      await applyAct(services, transaction, request, act, byClock, now);
      if (restore && !isAfter(at, restore.at))
        await doubtMessagesOf(transaction, { channel: "person", ownerId: request.id });
    },
  );
}

/** The day until which a request waits is over: it goes on, whoever set that day, and its person is told. */
export async function endHolds(services: Services, now: Temporal.Instant): Promise<void> {
  const { database, calendar } = services;
  const today = dateAt(calendar, now);
  const isInDoubt = await findDoubt(services);
  const act = { type: "release", reason: "by-date" } as const;
  await changeAll(
    database,
    () => listHeldUntil(database.read, { until: today.subtract({ days: 1 }), limit: lot }),
    async (transaction, request) => {
      const wait = waitOf(request);
      if (!wait) return;
      await applyAct(services, transaction, request, act, byClock, now);
      if (isInDoubt(wait.until))
        await doubtMessagesOf(transaction, { channel: "person", ownerId: request.id });
    },
  );
}

/**
 * Whether a mail of a day that is over may be untrue or have left already: where the day passed before somebody had
 * looked at a copy that was put back. There a person decides whether it is sent.
 */
async function findDoubt({
  database,
  calendar,
}: Services): Promise<(day: Temporal.PlainDate) => boolean> {
  const restore = await findLastRestore(database.read);
  const looked = restore && dateAt(calendar, restore.confirmedAt ?? restore.at);
  return (day) => looked !== undefined && Temporal.PlainDate.compare(day, looked) < 0;
}

/** On the morning after a promised day that passed untouched its person is told, once for each date. */
export async function tellLate(services: Services, now: Temporal.Instant): Promise<void> {
  const { database, calendar, keys } = services;
  const local = now.toZonedDateTimeISO(calendar.timeZone);
  const today = local.toPlainDate();
  if (local.hour < mailHours.from) return;
  const isInDoubt = await findDoubt(services);
  await changeAll(
    database,
    () => listUntoldLate(database.read, { until: today.subtract({ days: 1 }), limit: lot }),
    async (transaction, request) => {
      const { id, state, dueOn, done } = request;
      if (done || Temporal.PlainDate.compare(dueOn, today) >= 0) return;
      await enterToldLate(transaction, { id, told_late_at: now });
      const news = { kind: "late", dueOn: dueOn.toString(), state } as const;
      await enqueuePersonMail(transaction, keys, request, news, now, {
        once: `late:${id}:${dueOn}`,
      });
      await addEvent(transaction, request, { ...byClock, type: "late", at: now });
      if (isInDoubt(dueOn)) await doubtMessagesOf(transaction, { channel: "person", ownerId: id });
    },
  );
}

function isAfter(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) > 0;
}
