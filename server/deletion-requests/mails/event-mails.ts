import { maskEmail } from "../../platform/addresses/email-address.ts";
import { type Calendar, countDaysLeft } from "../../platform/calendar/business-days.ts";
import { toText } from "../../platform/database/rows.ts";
import type { Proof } from "../ledger/proof.ts";
import { completedNews } from "../presenters/receipt.ts";
import {
  type ConfirmedRequest,
  endedUnconfirmed,
  graceUntil,
  isEnded,
  isWorking,
  type StoredRequest,
} from "../state-machine/request.ts";
import type { By, RequestEvent } from "../state-machine/state-machine.ts";
import { type PersonNews, promisedTo } from "./person-mails.ts";
import type { OperatorMessage } from "./team-mails.ts";

/** Emails caused by one event, in queuing order. */
type EventMails = {
  /** Goes to the requester, or to the contact if the mailbox is closed. */
  person?: PersonNews;
  closedMailbox?: PersonNews;
  team?: OperatorMessage;
};

/** The change that caused an event, with everything its emails depend on. */
export type EventContext = {
  before: StoredRequest;
  after: StoredRequest;
  by: By;
  /** Proof for the receipt. Unset in previews. */
  proof?: Proof | undefined;
  calendar: Calendar;
  today: Temporal.PlainDate;
  /**
   * Whether a connected account system deletes confirmed accounts. If so, no email asks the team to
   * delete them.
   */
  isCarriedOut?: boolean | undefined;
};

type EventOf<Type> = Extract<RequestEvent, { type: Type }>;

const none = () => ({});

/**
 * Emails by event type. `repeat` and `enter` have none, because the command that stores a
 * submission queues its email.
 */
const mails: {
  [Type in RequestEvent["type"]]: (event: EventOf<Type>, context: EventContext) => EventMails;
} = {
  repeat: none,
  enter: none,
  confirm: mailsOfConfirmation,
  approve: mailsOfConfirmation,
  ask: ({ asks, note: explanation, fadesAt }) => ({
    person: { kind: "ask-proof", asks, explanation, fadesAt: toText(fadesAt) },
  }),
  cancel: mailsOfCancellation,
  take: mailsOfStart,
  tick: mailsOfStart,
  "hand-back": none,
  // Sends the receipt once the completion can no longer be undone.
  complete: ({ isFinal }, { after, proof }) =>
    isFinal && isEnded(after) ? { person: completedNews(after, proof) } : {},
  undo: none,
  refuse({ code: reason, note: explanation }, { after, by }) {
    const unconfirmed = neverConfirmed(after);
    // The request expired because no one approved it in time.
    if (by.actor === "system" && unconfirmed.neverConfirmed) {
      return { person: { kind: "faded", ...unconfirmed } };
    }
    return { person: { kind: "refused", reason, explanation, ...unconfirmed } };
  },
  extend: ({ isByHold, dueFrom, note: explanation = "" }, { after }) =>
    isByHold || !isPromised(after)
      ? {}
      : {
          person: { kind: "extended", ...dueOf(after), ...movedFrom(dueFrom, after), explanation },
        },
  hold({ code: reason, dueTo, note: explanation, movedFrom: from }, { after }) {
    if (!isPromised(after)) return {};
    const moved = from && { moved: movedFrom(from, after) };
    const until = dueTo.toString();
    return { person: { kind: "held", ...dueOf(after), ...moved, until, reason, explanation } };
  },
  release: (_, { after, today }) =>
    isPromised(after) ? { person: { kind: "released", ...promisedTo(after.dueOn, today) } } : {},
  // A reopened request that awaits approval again has no due date, so it causes no email.
  reopen: ({ note: explanation }, { after, today }) =>
    isPromised(after)
      ? { person: { kind: "reopened", ...promisedTo(after.dueOn, today), explanation } }
      : {},
};

export function mailsOf(event: RequestEvent, context: EventContext): EventMails {
  const write = mails[event.type] as (event: RequestEvent, context: EventContext) => EventMails;
  return write(event, context);
}

function mailsOfConfirmation(
  _: unknown,
  { after, calendar, today, isCarriedOut }: EventContext,
): EventMails {
  if (!isPromised(after)) return {};
  const { reference, contact } = after;
  const due = dueOf(after);
  // Anyone who still reads the closed mailbox can cancel until this time.
  const untouched = isWorking(after) ? graceUntil(after) : undefined;
  const daysLeft = countDaysLeft(calendar, today, after.dueOn);
  return {
    person: { kind: "confirmed", ...due, skippedDays: after.skipped },
    ...(contact !== undefined && {
      closedMailbox: {
        kind: "notice-confirmed",
        ...due,
        contact: maskEmail(contact).text,
        ...(untouched && { untouchedUntil: toText(untouched) }),
      },
    }),
    ...(!isCarriedOut && { team: { kind: "operator-new", reference, ...due, daysLeft } }),
  };
}

function mailsOfCancellation(
  { note: explanation = "" }: EventOf<"cancel">,
  { before, after, by }: EventContext,
): EventMails {
  if (by.actor !== "person") return { person: { kind: "cancelled-for-you", explanation } };
  const { reference, contact } = after;
  return {
    person:
      contact === undefined ? { kind: "cancelled" } : { kind: "stopped", ...neverConfirmed(after) },
    ...(before.state === "received" && { team: { kind: "operator-stopped", reference } }),
  };
}

function mailsOfStart(
  { begins }: EventOf<"take" | "tick">,
  { after, today }: EventContext,
): EventMails {
  return begins && isPromised(after)
    ? { person: { kind: "in-progress", ...promisedTo(after.dueOn, today) } }
    : {};
}

const isPromised = (request: StoredRequest): request is ConfirmedRequest =>
  request.state !== "received";

const dueOf = ({ dueOn }: ConfirmedRequest) => ({ dueOn: dueOn.toString() });

const movedFrom = (dueFrom: Temporal.PlainDate, after: ConfirmedRequest) => ({
  previouslyDueOn: dueFrom.toString(),
  skippedDays: after.skipped,
});

const neverConfirmed = (request: StoredRequest): { neverConfirmed?: true } =>
  endedUnconfirmed(request) ? { neverConfirmed: true } : {};
