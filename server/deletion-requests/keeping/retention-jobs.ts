import {
  addBusinessDays,
  countDaysLeft,
  dateAt,
  findCalendarEnd,
  findSkipReason,
  subtractBusinessDays,
} from "../../calendar/business-days.ts";
import type { Database } from "../../database/database.ts";
import { dropOldRestores, findLastRestore, isHeldByRestore } from "../../database/restore-hold.ts";
import type { Write } from "../../database/statement.ts";
import { toText } from "../../database/time.ts";
import { letOthersIn } from "../../let-others-in.ts";
import { dropPastAbsences } from "../../operators/absences.ts";
import {
  addMessage,
  doubtMessagesOf,
  dropSettledMessages,
  isDelayed,
  listFailing,
  listTroubled,
  wasAdded,
} from "../../outbox/outbox.ts";
import { dropOldForms } from "../asking/form-quota.ts";
import { findHead, forgetEntries, hasEntriesBefore } from "../ledger/chain.ts";
import { tally } from "../ledger/monthly-counters.ts";
import { decide, eraseAfterDays, undoMinutes } from "../life/life.ts";
import type { KeeperByClock } from "../life/promised-dates.ts";
import { dropOldActs } from "../store/audit-log.ts";
import { enterExpiry, enterToldLate, enterWarning } from "../store/changes.ts";
import { countReceived } from "../store/counts.ts";
import {
  listDone,
  listErasable,
  listExpired,
  listForgettable,
  listHeldBefore,
  listUntoldLate,
  listUnwarned,
} from "../store/due-work.ts";
import { addEvent, listFreed } from "../store/events.ts";
import { findRequestById } from "../store/finding.ts";
import { listReferences } from "../store/forms.ts";
import { dropGone, enterGone } from "../store/gone-references.ts";
import { addStatusToken, closeLinks } from "../store/links.ts";
import { listWorking } from "../store/queue.ts";
import { isEnded, isWorking, toLife, type WorkingRequest } from "../store/request.ts";
import { readStanding } from "../store/standing.ts";
import { mailChannels, mailHours, namedInMail, toTroubled } from "../telling/mail-channels.ts";
import type { OperatorMessage } from "../telling/messages.ts";
import { findNobodyThere } from "../telling/presence.ts";
import type { Office } from "../working/acts.ts";
import { applyAct } from "../working/apply-act.ts";
import type { Forget, Forgetting } from "./erasing.ts";
import { goneReferences } from "./removing.ts";

/**
 * What time alone brings: unconfirmed requests go, ended ones lose their personal data, old ones are forgotten, and
 * the operators are told what is due. Safe to run at any moment and any number of times. Each step asks an index what
 * is due, and takes it in small lots between which everybody else is served: nothing to do costs nothing.
 */

/** What left long ago and belongs to no request. */
const dropSettledAfterDays = 30;
/** CCPA regulations section 7101: a log of requests is kept for 24 months. */
const forgetAfterMonths = 24;
const warnBusinessDays = 2;
/** Requests in one transaction. */
const lot = 50;

const byClock = { actor: "system" } as const;

function isAfter(one: Temporal.Instant, other: Temporal.Instant): boolean {
  return Temporal.Instant.compare(one, other) > 0;
}

export type Upkeep = ReturnType<typeof createUpkeep>;

export function createUpkeep(
  services: Office & {
    database: Database;
    clock: () => Temporal.Instant;
    forgetting: Forgetting;
    /** Since when the account system owes an answer, where one is connected. */
    findSilence?: () => Promise<Temporal.Instant | undefined>;
    onOutbox?: () => void;
  },
) {
  const { database, clock, calendar, keys, forgetting } = services;

  /** Lot after lot, until `list` finds no more. */
  async function inLots(
    list: () => Promise<number[]>,
    doLot: (ids: number[]) => Promise<void>,
  ): Promise<void> {
    let before: number | undefined;
    for (;;) {
      const ids = await list();
      // What could not be done the first time stays for the next round.
      if (ids.length === 0 || ids[0] === before) return;
      before = ids[0];
      await doLot(ids);
      await letOthersIn();
    }
  }

  /** Those of a list that are still to be done when their turn comes. */
  function changeAll(
    list: () => Promise<number[]>,
    change: (transaction: Write, request: WorkingRequest) => Promise<void>,
  ): Promise<void> {
    return inLots(list, (ids) =>
      database.write(async (transaction) => {
        for (const id of ids) {
          const request = await findRequestById(transaction, { id });
          if (request && isWorking(request)) await change(transaction, request);
        }
      }),
    );
  }

  function forgetAll(
    list: () => Promise<number[]>,
    forgetOne: (transaction: Write, forget: Forget, id: number) => Promise<void>,
  ): Promise<void> {
    return inLots(list, (ids) =>
      forgetting.writeLot(async (transaction, forget) => {
        for (const id of ids) await forgetOne(transaction, forget, id);
      }),
    );
  }

  /**
   * Completes what somebody called done, once that can no longer be taken back. What was called done before a copy
   * was put back can be taken back for as long from the moment that somebody confirmed the copy; its receipt may have
   * left before the loss, so that a person decides whether it is sent.
   */
  async function complete(now: Temporal.Instant): Promise<void> {
    const before = now.subtract({ minutes: undoMinutes });
    const restore = await findLastRestore(database.read);
    if (restore?.confirmedAt && isAfter(restore.confirmedAt, before)) return;
    await changeAll(
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
  async function endHolds(now: Temporal.Instant): Promise<void> {
    const today = dateAt(calendar, now);
    const isInDoubt = await findDoubt();
    const act = { type: "release", reason: "by-date" } as const;
    await changeAll(
      () => listHeldBefore(database.read, { until: today, limit: lot }),
      async (transaction, request) => {
        if (!request.hold) return;
        await applyAct(services, transaction, request, act, byClock, now);
        if (isInDoubt(request.hold.until))
          await doubtMessagesOf(transaction, { channel: "person", ownerId: request.id });
      },
    );
  }

  /**
   * Whether a mail of a day that is over may be untrue or have left already: where the day passed before somebody had
   * looked at a copy that was put back. There a person decides whether it is sent.
   */
  async function findDoubt(): Promise<(day: Temporal.PlainDate) => boolean> {
    const restore = await findLastRestore(database.read);
    const looked = restore && dateAt(calendar, restore.confirmedAt ?? restore.at);
    return (day) => looked !== undefined && Temporal.PlainDate.compare(day, looked) < 0;
  }

  /** On the morning after a promised day that passed untouched its person is told, once for each date. */
  async function tellLate(now: Temporal.Instant): Promise<void> {
    const local = now.toZonedDateTimeISO(calendar.timeZone);
    const today = local.toPlainDate();
    if (local.hour < mailHours.from) return;
    const isInDoubt = await findDoubt();
    await changeAll(
      () => listUntoldLate(database.read, { until: today, limit: lot }),
      async (transaction, request) => {
        const { id, reference, state, dueOn, done } = request;
        if (done || Temporal.PlainDate.compare(dueOn, today) >= 0) return;
        await enterToldLate(transaction, { id, at: now });
        const token = await addStatusToken(transaction, id, { by: "system" }, now);
        await addMessage(transaction, keys, now, {
          channel: "person",
          ownerId: id,
          once: `late:${id}:${dueOn}`,
          message: { kind: "late", token, reference, dueOn: dueOn.toString(), state },
        });
        await addEvent(transaction, request, { ...byClock, type: "late", at: now });
        if (isInDoubt(dueOn))
          await doubtMessagesOf(transaction, { channel: "person", ownerId: id });
      },
    );
  }

  async function expire(now: Temporal.Instant): Promise<void> {
    const today = dateAt(calendar, now);
    await forgetAll(
      () => listExpired(database.read, { until: now, limit: lot }),
      async (transaction, forget, id) => {
        const request = await findRequestById(transaction, { id });
        const event = { type: "expire", at: now } as const;
        if (!request || !decide(toLife(services, request), event, "system").ok) return;
        // Nobody can press a button that did not arrive yet.
        if (await isDelayed(transaction, { ownerId: id, kind: "confirm" })) {
          await enterExpiry(transaction, { id, expiresAt: now.add({ hours: 24 }) });
          return;
        }
        await enterGone(
          transaction,
          keys,
          await listReferences(transaction, { requestId: id, limit: goneReferences }),
          "expired",
          now,
        );
        await forget(id, "whole", now);
        await tally(transaction, today, "expired");
      },
    );
  }

  async function erase(now: Temporal.Instant): Promise<void> {
    const latest = now.subtract({ hours: eraseAfterDays * 24 });
    await forgetAll(
      () => listErasable(database.read, latest, lot),
      async (transaction, forget, id) => {
        const request = await findRequestById(transaction, { id });
        if (!request || !isEnded(request) || request.erasedAt) return;
        await forget(id, "person", now);
        await addEvent(transaction, request, { ...byClock, type: "erase", at: now });
      },
    );
  }

  async function closeStatusPages(now: Temporal.Instant): Promise<void> {
    await database.write((transaction) => closeLinks(transaction, { now }));
  }

  async function forgetOld(now: Temporal.Instant): Promise<void> {
    const before = now
      .toZonedDateTimeISO(calendar.timeZone)
      .subtract({ months: forgetAfterMonths })
      .toInstant();
    await forgetAll(
      () => listForgettable(database.read, { until: before, limit: lot }),
      (_, forget, id) => forget(id, "whole", now),
    );
    while (await hasEntriesBefore(database.read, before)) {
      await database.write((transaction) => forgetEntries(transaction, keys, before, lot, now));
      await letOthersIn();
    }
    const settledBefore = now.subtract({ hours: dropSettledAfterDays * 24 });
    await database.write(async (transaction) => {
      await dropSettledMessages(transaction, { before: settledBefore });
      await dropOldActs(transaction, { before });
      await dropOldRestores(transaction, { before });
      await dropGone(transaction, { before });
      await dropOldForms(transaction, now);
      await dropPastAbsences(transaction, { today: dateAt(calendar, now) });
    });
  }

  /** The latest date of which it is time to warn today. */
  function warnUntil(today: Temporal.PlainDate): Temporal.PlainDate {
    let date = addBusinessDays(calendar, today, warnBusinessDays).date;
    const isTime = (due: Temporal.PlainDate) =>
      Temporal.PlainDate.compare(today, subtractBusinessDays(calendar, due, warnBusinessDays)) >= 0;
    while (isTime(date.add({ days: 1 }))) date = date.add({ days: 1 });
    return date;
  }

  async function warn(now: Temporal.Instant): Promise<void> {
    const today = dateAt(calendar, now);
    for (const request of await listUnwarned(database.read, {
      until: warnUntil(today),
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
        await enterWarning(transaction, { id: request.id, at: now });
        await addMessage(transaction, keys, now, {
          channel: "operators",
          ownerId: null,
          once: `due-soon:${request.id}:${request.dueOn}`,
          message,
        });
      });
    }
  }

  async function digest(now: Temporal.Instant): Promise<void> {
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
        heldUntil: request.hold?.until.toString() ?? "",
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
    await database.write((transaction) =>
      addMessage(transaction, keys, now, { channel: "operators", ownerId: null, once, message }),
    );
  }

  const keepers: Record<KeeperByClock, (now: Temporal.Instant) => Promise<void>> = {
    complete,
    expire,
    erase,
    closeStatusPages,
    forgetOld,
    endHolds,
    tellLate,
  };

  return {
    /** Somebody has just seen what the mails of this moment would tell the operators: they are not sent. */
    async takeAsTold(transaction: Write, now: Temporal.Instant): Promise<void> {
      const today = dateAt(calendar, now);
      for (;;) {
        const unwarned = await listUnwarned(transaction, { until: warnUntil(today), limit: lot });
        for (const { id } of unwarned) await enterWarning(transaction, { id, at: now });
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
    },

    /**
     * Every step is tried, whatever became of the others; the first problem is thrown in the end.
     * @param mayErase false while the clock cannot be trusted: what is gone does not come back with the right time, nor a
     *   mail to a person that says that a day has passed
     */
    async run(mayErase = true): Promise<void> {
      const now = clock();
      if (await isHeldByRestore(database.read)) return;
      const problems: unknown[] = [];
      const kept = mayErase ? Object.values(keepers) : [];
      for (const step of [...kept, forgetting.finish, warn, digest]) {
        await step(now).catch((problem: unknown) => problems.push(problem));
      }
      services.onOutbox?.();
      if (problems.length > 0) throw problems[0];
    },
  };
}
