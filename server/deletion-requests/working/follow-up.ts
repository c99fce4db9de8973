import { maskEmail, matchEmail } from "../../addresses/email-address.ts";
import { countDaysLeft, type DueDate, dateAt } from "../../calendar/business-days.ts";
import type { Write } from "../../database/statement.ts";
import type { Keys } from "../../keys/keys.ts";
import { delayMessages } from "../../outbox/outbox.ts";
import { enterInLedger, findProof } from "../ledger/chain.ts";
import { type EntryFacts, numberOf, sealAddress } from "../ledger/entry.ts";
import { tally, tookDays } from "../ledger/monthly-counters.ts";
import { undoMinutes } from "../life/life.ts";
import { addEvent } from "../store/events.ts";
import { type ConfirmedRequest, type EndedRequest, isEnded, isWorking } from "../store/request.ts";
import { enqueuePersonMail, enqueueTeamMail } from "../telling/enqueue.ts";
import { type Act, type By, type Change, countedAs, newsOf, type Office, untilOf } from "./acts.ts";

/** What follows from an act in its transaction, derived from what was before and is after: trail, figures, ledger, mails. */

/** Enters what happened in the trail; of a hold that moves the promised date, both. */
export async function enterEvents(
  transaction: Write,
  { before, after, by }: Change,
  act: Act,
  due: DueDate | undefined,
  now: Temporal.Instant,
): Promise<void> {
  const event = {
    at: now,
    actor: by.actor,
    name: by.name ?? "",
    type: act.type,
    fromState: before.state,
    code: codeOf(act),
    note: "explanation" in act ? (act.explanation ?? "") : "",
    dueFrom: due && isWorking(before) ? before.dueOn : undefined,
    dueTo: due?.date,
    formKey: by.formKey,
  };
  const until = untilOf(act);
  if (!until) return addEvent(transaction, after, event);
  await addEvent(transaction, after, { ...event, dueFrom: undefined, dueTo: until });
  if (due) await addEvent(transaction, after, { ...event, type: "extend", code: "", note: "" });
}

/** Owes the person the mail of an act, where there is one. */
export async function tellPerson(
  { calendar, keys }: Office,
  transaction: Write,
  { before, after, by }: Change,
  act: Act,
  now: Temporal.Instant,
): Promise<void> {
  const proof =
    after.state === "completed" ? await findProof(transaction, keys, after.id) : undefined;
  const news = newsOf(act, { by, before, after, today: dateAt(calendar, now), proof });
  if (news) {
    await enqueuePersonMail(transaction, keys, after, news, now, {
      ...(waitsFor(by, act, after) && { notBefore: now.add({ minutes: undoMinutes }) }),
    });
  }
  // That it was begun is no news beside the receipt, and where the receipt is taken back it still is.
  if (act.type === "complete" && !isEnded(after)) {
    const begun = { ownerId: after.id, kind: "in-progress" };
    await delayMessages(transaction, { ...begun, until: now.add({ minutes: 2 * undoMinutes }) });
  }
}

/** Owes the team, and a mailbox that is said to be closed, the news of a confirmed request. */
export async function tellOfNew(
  { calendar, keys }: Office,
  transaction: Write,
  request: ConfirmedRequest,
  now: Temporal.Instant,
): Promise<void> {
  const { reference, contact } = request;
  const dueOn = request.dueOn.toString();
  // Whoever still reads the mailbox that is said to be closed may cancel, like every reader of an account's mailbox.
  if (contact !== undefined) {
    const news = { kind: "notice-confirmed", dueOn, contact: maskEmail(contact).text } as const;
    await enqueuePersonMail(transaction, keys, request, news, now);
  }
  const daysLeft = countDaysLeft(calendar, dateAt(calendar, now), request.dueOn);
  const message = { kind: "operator-new", reference, dueOn, daysLeft } as const;
  await enqueueTeamMail(transaction, keys, message, now);
}

/** Neither an operator nor a machine that slipped is believed at once: what they end, and what a machine may have done soon. */
function waitsFor(by: By, act: Act, changed: ConfirmedRequest): boolean {
  const isMachine = by.isAccountSystem === true;
  if (act.type === "take") return isMachine;
  return isEnded(changed) && (isMachine || by.actor === "operator");
}

/** What the trail keeps of an act beside its words, as keys. */
function codeOf(act: Act): string {
  if (act.type === "complete") return act.ticked?.join(" ") ?? "";
  return "reason" in act && act.type !== "confirm" ? (act.reason ?? "") : "";
}

/** Enters the end of a request in the ledger, where it stays when the request has lost its name. */
export async function enterEndInLedger(
  keys: Keys,
  transaction: Write,
  ended: EndedRequest,
  now: Temporal.Instant,
): Promise<void> {
  const { id, reference, email = "" } = ended;
  const account = keys.hash("ledger", matchEmail(email));
  const number = numberOf(keys, reference, account.version) ?? "";
  const facts: EntryFacts = {
    what: ended.state,
    reference,
    receivedAt: ended.receivedAt,
    confirmedAt: ended.confirmedAt,
    dueOn: ended.dueOn,
    endedAt: ended.endedAt,
    refusalReason: ended.state === "refused" ? ended.refusalReason : undefined,
    account,
    address: sealAddress(number, email),
    completion: ended.completion,
  };
  await enterInLedger(transaction, keys, id, facts, now);
}

/** Counts what happened on a day of the campus. */
export async function count(
  office: Office,
  transaction: Write,
  { before, after }: Change,
  act: Act,
  today: Temporal.PlainDate,
): Promise<void> {
  if (before.state === "received") {
    await tally(transaction, today, "confirmed");
    await tally(transaction, today, `reason:${after.reason}`);
  }
  const counted = countedAs(act);
  if (counted) await tally(transaction, today, counted);
  if (isWorking(before) && !before.dueOn.equals(after.dueOn)) {
    await tally(transaction, today, "extended");
  }
  if (isEnded(after)) await tallyEnd(office, transaction, after, 1);
  if (!isEnded(before)) return;
  await tally(transaction, today, "reopened");
  // It has not ended after all.
  await tallyEnd(office, transaction, before, -1);
}

/** @param by -1 where it turns out that it had not ended */
async function tallyEnd(
  { calendar }: Office,
  transaction: Write,
  request: EndedRequest,
  by: 1 | -1,
): Promise<void> {
  const on = dateAt(calendar, request.endedAt);
  await tally(transaction, on, request.state, by);
  if (request.state === "refused") {
    await tally(transaction, on, `refused:${request.refusalReason}`, by);
  }
  if (request.state !== "completed") return;
  await tally(transaction, on, tookDays(request.confirmedAt, request.endedAt), by);
  const businessDays = Math.max(0, countDaysLeft(calendar, request.confirmedOn, on));
  await tally(transaction, on, `business-days:${businessDays}`, by);
  if (Temporal.PlainDate.compare(on, request.onTimeBy) <= 0) {
    await tally(transaction, on, "completed-on-time", by);
  }
}
