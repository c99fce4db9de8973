import { maskEmail, matchEmail } from "../../addresses/email-address.ts";
import { countDaysLeft, dateAt, skippedToText } from "../../calendar/business-days.ts";
import type { Database } from "../../database/database.ts";
import type { Write } from "../../database/statement.ts";
import type { Keys } from "../../keys/keys.ts";
import { delayMessages, dropUnsentMessages, listMessages } from "../../outbox/outbox.ts";
import { enterEnd, takeBackInLedger } from "../ledger/chain.ts";
import { tally, tookDays } from "../ledger/monthly-counters.ts";
import type { Proof } from "../ledger/proof.ts";
import { type Act, type By, type Decision, decide, type Rules } from "../life/life.ts";
import {
  type ConfirmedRequest,
  type EndedRequest,
  isEnded,
  isWorking,
  type StoredRequest,
  undoMinutes,
} from "../life/request.ts";
import { addEvent } from "../store/audit-log.ts";
import { closeLinksAfter, spendConfirmTokens } from "../store/links.ts";
import { findOpenRequest, saveLife } from "../store/requests.ts";
import { enqueuePersonMail, enqueueTeamMail } from "../telling/mails.ts";
import {
  completedNews,
  type PersonMessage,
  type PersonNews,
  promisedTo,
} from "../telling/messages.ts";
import { isEndKnown } from "./taking-back.ts";

/**
 * Makes an act happen to a stored request: what `decide` answers is stored, and trail, figures, ledger and the mails that are
 * owed follow from what was before and is after, all in the caller's transaction.
 */
export async function applyAct(
  office: Office,
  transaction: Write,
  before: StoredRequest,
  act: Act,
  by: By,
  now: Temporal.Instant,
): Promise<Decision> {
  const { keys } = office;
  const decision = decide(office, before, act, by, now);
  if (!decision.ok) return decision;
  const { after } = decision;
  if (isEnded(before) && (await findOpenRequest(transaction, before.email ?? ""))) {
    return { ok: false, refusal: "another-open" };
  }
  const change: Made = { before, after, by, today: dateAt(office.calendar, now) };
  const ended = isEnded(after)
    ? { ...after, account: keys.hash("ledger", matchEmail(after.email ?? "")) }
    : undefined;
  await saveLife(transaction, after, ended?.account);
  await count(office, transaction, change, act);
  await enterEvents(transaction, change, act, now);

  const of = { requestId: after.id };
  if (ended) {
    await dropUnsentMessages(transaction, of);
    const proof = await enterEnd(transaction, keys, ended, now);
    await tellPerson(office, transaction, { ...change, proof }, act, now);
    await closeLinksAfter(transaction, after.id, now);
  } else if (isEnded(before)) {
    const isKnown = isEndKnown(before, await listMessages(transaction, of));
    await dropUnsentMessages(transaction, of);
    await takeBackInLedger(transaction, keys, after, now);
    if (isKnown) await tellPerson(office, transaction, change, act, now);
    await closeLinksAfter(transaction, after.id, undefined);
  } else {
    await tellPerson(office, transaction, change, act, now);
  }
  if (before.state === "received") {
    await spendConfirmTokens(transaction, { requestId: after.id, usedAt: now });
    await tellOfNew(office, transaction, change, now);
  }
  await office.onChange?.(transaction, change, now);
  return decision;
}

/** Enters what happened in the trail; of a hold that moves the promised date, both. */
async function enterEvents(
  transaction: Write,
  { before, after, by }: Change,
  act: Act,
  now: Temporal.Instant,
): Promise<void> {
  const dueFrom = isWorking(before) ? before.dueOn : undefined;
  const isPromised = !isEnded(before) && !dueFrom?.equals(after.dueOn);
  const promised = isPromised && { dueFrom, dueTo: after.dueOn };
  const event = {
    at: now,
    actor: by.actor,
    name: by.name,
    formKey: by.formKey,
    type: act.type,
    fromState: before.state,
    code: codeOf(act),
    note: "explanation" in act ? act.explanation : "",
  };
  if (act.type !== "hold") return addEvent(transaction, after, { ...event, ...promised });
  await addEvent(transaction, after, { ...event, dueTo: act.until });
  if (!promised) return;
  await addEvent(transaction, after, { ...event, ...promised, type: "extend", code: "", note: "" });
}

/** Owes the person the mail of an act, where there is one. */
async function tellPerson(
  { keys }: Office,
  transaction: Write,
  made: Made,
  act: Act,
  now: Temporal.Instant,
): Promise<void> {
  const { after, by } = made;
  const news = newsOf(act, made);
  if (news) {
    await enqueuePersonMail(transaction, keys, after, news, now, {
      ...(waitsFor(by, act, after) && { notBefore: now.add({ minutes: undoMinutes }) }),
    });
  }
  // That it was begun is no news beside the receipt, and where the receipt is taken back it still is.
  if (act.type === "complete" && !isEnded(after)) {
    const begun = { requestId: after.id, kind: "in-progress" };
    await delayMessages(transaction, { ...begun, nextAt: now.add({ minutes: 2 * undoMinutes }) });
  }
}

/** Owes the team, and a mailbox that is said to be closed, the news of a confirmed request. */
async function tellOfNew(
  { calendar, keys }: Office,
  transaction: Write,
  { after, today }: Made,
  now: Temporal.Instant,
): Promise<void> {
  const { reference, contact } = after;
  const dueOn = after.dueOn.toString();
  // Whoever still reads the mailbox that is said to be closed may cancel, like every reader of an account's mailbox.
  if (contact !== undefined) {
    const news = { kind: "notice-confirmed", dueOn, contact: maskEmail(contact).text } as const;
    await enqueuePersonMail(transaction, keys, after, news, now);
  }
  const daysLeft = countDaysLeft(calendar, today, after.dueOn);
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

/** Counts what happened on a day of the campus. */
async function count(
  office: Office,
  transaction: Write,
  { before, after, today }: Made,
  act: Act,
): Promise<void> {
  if (before.state === "received") {
    await tally(transaction, today, "confirmed");
    await tally(transaction, today, `reason:${after.reason}`);
  }
  if (act.type === "hold") await tally(transaction, today, "held");
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

/**
 * The mail that an act would send to a person if it were done now, a receipt without its proof; undefined where it may not
 * happen, or nobody is told. Nothing is changed and no link is made: the link's token is `token`.
 */
export function draftMail(
  office: Office,
  request: StoredRequest,
  act: Act,
  by: By,
  token: string,
  now: Temporal.Instant,
): PersonMessage | undefined {
  const decision = decide(office, request, act, by, now);
  if (!decision.ok) return undefined;
  const { after } = decision;
  const today = dateAt(office.calendar, now);
  const news = newsOf(act, { by, before: request, after, today });
  return news && { ...news, token, reference: after.reference };
}

// What the person of a request is told of each act that changes its life

export type Office = Rules & {
  keys: Keys;
  /** Told of every act, in its transaction. */
  onChange?: OnChange | undefined;
};

/** An office with its store and its clock. */
export type OpenOffice = Office & {
  database: Database;
  clock: () => Temporal.Instant;
  /** Told after something was put into the outbox. */
  onOutbox?: () => void;
};

/** What an act made of a request. */
export type Change = { before: StoredRequest; after: ConfirmedRequest; by: By };
export type OnChange = (transaction: Write, change: Change, now: Temporal.Instant) => Promise<void>;

/** The same on a day of the campus; of an end with its place in the ledger. */
type Made = Change & { today: Temporal.PlainDate; proof?: Proof };

/** Undefined where nobody is told: of what concerns operators alone, or can still be undone. */
type Tell<Type extends Act["type"]> = (
  act: Extract<Act, { type: Type }>,
  made: Made,
) => PersonNews | undefined;

const confirmed = (_: unknown, { after }: Made): PersonNews => ({
  kind: "confirmed",
  dueOn: after.dueOn.toString(),
  skipped: skippedToText(after.skipped),
});

const promisedBy = ({ after, today }: Made) => promisedTo(after.dueOn, today);

/** What was promised before, where that has moved. */
function movedFrom({ before, after }: Made) {
  return isWorking(before) && !before.dueOn.equals(after.dueOn)
    ? { previouslyDueOn: before.dueOn.toString(), skipped: skippedToText(after.skipped) }
    : undefined;
}

const tells: { [Type in Act["type"]]?: Tell<Type> } = {
  confirm: confirmed,
  approve: confirmed,
  cancel: ({ explanation = "" }, { by }) =>
    by.actor === "person" ? { kind: "cancelled" } : { kind: "cancelled-for-you", explanation },
  take: (_, made) =>
    made.before.state === "confirmed" ? { kind: "in-progress", ...promisedBy(made) } : undefined,
  complete: (_, { after, proof }) => (isEnded(after) ? completedNews(after, proof) : undefined),
  refuse: ({ reason, explanation }) => ({ kind: "refused", reason, explanation }),
  extend: ({ explanation }, made) => {
    const moved = movedFrom(made);
    const dueOn = made.after.dueOn.toString();
    return moved && { kind: "extended", dueOn, explanation, ...moved };
  },
  hold: ({ until, reason, explanation }, made) => {
    const moved = movedFrom(made);
    return {
      kind: "held",
      dueOn: made.after.dueOn.toString(),
      ...(moved && { moved }),
      until: until.toString(),
      reason,
      explanation,
    };
  },
  release: (_, made) => ({ kind: "released", ...promisedBy(made) }),
  reopen: ({ explanation }, made) => ({ kind: "reopened", ...promisedBy(made), explanation }),
};

/** What a person is told of an act; undefined where they are told nothing. */
function newsOf(act: Act, made: Made): PersonNews | undefined {
  const tell = tells[act.type] as Tell<Act["type"]> | undefined;
  return tell?.(act, made);
}
