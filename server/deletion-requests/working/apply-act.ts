import { matchEmail } from "../../addresses/email-address.ts";
import { type DueDate, dateAt } from "../../calendar/business-days.ts";
import type { Write } from "../../database/statement.ts";
import { dropUnsentMessages } from "../../outbox/outbox.ts";
import { takeBackInLedger } from "../ledger/chain.ts";
import type { Completion } from "../life/completion.ts";
import { decide, type Life, type Refusal } from "../life/life.ts";
import { saveLife } from "../store/changes.ts";
import { findOpenRequest } from "../store/finding.ts";
import { closeLinksAfter } from "../store/links.ts";
import {
  type Confirmed,
  type ConfirmedRequest,
  isConfirmed,
  isEnded,
  isWorking,
  type StoredRequest,
  toLife,
} from "../store/request.ts";
import type { PersonMessage } from "../telling/messages.ts";
import {
  type Act,
  type By,
  type Change,
  eventOf,
  newsOf,
  type Office,
  promiseOf,
  receiptOf,
  waitAfter,
} from "./acts.ts";
import { count, enterEndInLedger, enterEvents, tellOfNew, tellPerson } from "./follow-up.ts";

/**
 * Makes an act happen to a stored request: what `decide` allows becomes a changed row, a row of the audit trail, a count and
 * the mails that are owed, all in the caller's transaction.
 */
export type ActResult = { ok: true; request: ConfirmedRequest } | { ok: false; refusal: Refusal };

type Imagined =
  | { ok: true; after: ConfirmedRequest; due: DueDate | undefined; today: Temporal.PlainDate }
  | { ok: false; refusal: Refusal };

/** What an act would make of a request now. */
function imagine(
  office: Office,
  request: StoredRequest,
  act: Act,
  by: By,
  now: Temporal.Instant,
): Imagined {
  const today = dateAt(office.calendar, now);
  const due = promiseOf(office, request, act, now);
  const decision = decide(
    toLife(office, request),
    eventOf(office, request, act, by, now),
    by.actor,
  );
  if (!decision.ok) return decision;
  return {
    ok: true,
    after: become(request, decision.life, act, by, { due, today, now }),
    due,
    today,
  };
}

export async function applyAct(
  office: Office,
  transaction: Write,
  request: StoredRequest,
  act: Act,
  by: By,
  now: Temporal.Instant,
): Promise<ActResult> {
  const { keys } = office;
  const imagined = imagine(office, request, act, by, now);
  if (!imagined.ok) return imagined;
  if (act.type === "reopen" && (await findOpenRequest(transaction, request.email ?? ""))) {
    return { ok: false, refusal: "another-open" };
  }
  const { after, due, today } = imagined;
  const change: Change = { before: request, after, by };
  await saveLife(transaction, after, keys.hash("ledger", matchEmail(request.email ?? "")));
  await count(office, transaction, change, act, today);
  await enterEvents(transaction, change, act, due, now);

  const takenBack =
    isEnded(after) || act.type === "reopen"
      ? await dropUnsentMessages(transaction, { ownerId: after.id })
      : 0;
  if (isEnded(after)) await enterEndInLedger(keys, transaction, after, now);
  if (act.type === "reopen") await takeBackInLedger(transaction, keys, after, now);
  // Whoever was not told of the end need not hear that it was none.
  const silent = act.type === "reopen" && takenBack > 0;
  if (!silent) await tellPerson(office, transaction, change, act, now);
  if (isEnded(after)) await closeLinksAfter(transaction, after.id, now);
  if (act.type === "reopen") await closeLinksAfter(transaction, after.id, undefined);
  if (request.state === "received") await tellOfNew(office, transaction, after, now);
  await office.onChange?.(transaction, change, now);
  return { ok: true, request: after };
}

/**
 * What a request becomes by an act: the life that `decide` answers, with the facts of the act that the life does not need.
 * Nothing else says what an act changes.
 */
function become(
  request: StoredRequest,
  life: Life,
  act: Act,
  by: By,
  when: { due: DueDate | undefined; today: Temporal.PlainDate; now: Temporal.Instant },
): ConfirmedRequest {
  // As the row has it.
  const at = when.now.round({ smallestUnit: "millisecond", roundingMode: "floor" });
  const before = isWorking(request) ? request : undefined;
  const startedAt = "startedAt" in request ? request.startedAt : undefined;
  if (life.state === "received" || life.state === "expired") {
    throw new Error(`No act makes a request ${life.state}`);
  }
  const confirmed = { ...confirmedPart(request, act, { ...when, at }), dueOn: life.dueOn };
  if (life.state === "confirmed" || life.state === "in-progress") {
    const completion = act.type === "complete" ? act.completion : undefined;
    const working = {
      ...{ ...confirmed, ...waitAfter(life, act, request), owner: life.owner },
      email: request.email ?? "",
      done: life.done ? (before?.done ?? (completion && { at, completion })) : undefined,
    };
    return life.state === "confirmed"
      ? { ...working, state: life.state }
      : { ...working, state: life.state, startedAt: startedAt ?? at };
  }
  const ended = {
    ...confirmed,
    email: request.email,
    startedAt,
    // It was done when somebody said so, ten minutes before it can no longer be undone.
    endedAt: (life.state === "completed" ? before?.done?.at : undefined) ?? at,
    endedBy: by.actor,
    completion: act.type === "complete" ? act.completion : undefined,
    erasedAt: undefined,
  };
  if (life.state !== "refused") return { ...ended, state: life.state };
  if (act.type !== "refuse") throw new Error("A refusal has a reason");
  return { ...ended, state: life.state, refusalReason: act.reason };
}

/** What a request has from its confirmation to its erasure. */
function confirmedPart(
  request: StoredRequest,
  act: Act,
  when: { due: DueDate | undefined; today: Temporal.PlainDate; at: Temporal.Instant },
): Confirmed {
  const { due, today, at } = when;
  const { id, language, sent, receivedAt, contact, enteredBy } = request;
  const { reference, reason } = act.type === "confirm" ? act : request;
  const received = { id, reference, reason, language, sent, receivedAt, contact, enteredBy };
  if (isConfirmed(request)) {
    const { confirmedAt, confirmedOn, dueOn, firstDueOn } = request;
    const inTime = due && Temporal.PlainDate.compare(today, dueOn) <= 0;
    return {
      ...received,
      ...{ confirmedAt, confirmedOn, dueOn, firstDueOn },
      skipped: due?.skipped ?? request.skipped,
      onTimeBy: due && inTime ? due.date : request.onTimeBy,
    };
  }
  if (!due) throw new Error("A confirmation promises a date");
  const { date, skipped } = due;
  const promised = { dueOn: date, skipped: [...skipped], firstDueOn: date, onTimeBy: date };
  return { ...received, confirmedAt: at, confirmedOn: today, ...promised };
}

/**
 * The mail that an act would send to a person if it were done now; its `message` is undefined where nobody is told. Nothing
 * is changed and no link is made: the link's token is `token`.
 */
export function draftMail(
  office: Office,
  request: StoredRequest,
  act: Exclude<Act, { type: "confirm" | "approve" | "complete" }>,
  by: By,
  token: string,
  now: Temporal.Instant,
): { ok: true; message: PersonMessage | undefined } | { ok: false; refusal: Refusal } {
  const imagined = imagine(office, request, act, by, now);
  if (!imagined.ok) return imagined;
  const { after, today } = imagined;
  const news = newsOf(act, { by, before: request, after, today, proof: undefined });
  return { ok: true, message: news && { ...news, token, reference: after.reference } };
}

/** The receipt as it would be sent if the account were called deleted now, without the proof that its signature is. */
export function draftReceipt(
  request: StoredRequest,
  completion: Completion,
  token: string,
  now: Temporal.Instant,
): { ok: true; message: PersonMessage } | { ok: false; refusal: Refusal } {
  if (!isWorking(request)) return { ok: false, refusal: "not-confirmed" };
  const { reference } = request;
  return { ok: true, message: { ...receiptOf(request, now, completion), token, reference } };
}
