import type { Campus } from "../../../campus-reader/campus.ts";
import type { OutboxRecord } from "../../outbox/outbox.ts";
import type { Proof } from "../ledger/proof.ts";
import type { Completion } from "../life/completion.ts";
import type { HoldReason, RefusalReason, State } from "../life/request.ts";

/** The day that was promised, and whether it has passed, so that it is promised no more. */
export type Promised = { dueOn: string; late?: true };

export function promisedTo(dueOn: Temporal.PlainDate, today: Temporal.PlainDate): Promised {
  const late = Temporal.PlainDate.compare(today, dueOn) > 0;
  return { dueOn: dueOn.toString(), ...(late && { late }) };
}

/**
 * What a mail tells its person, without the address it goes to: the facts at the moment they became true. Dates and instants
 * are text, skipped days as they are stored.
 */
export type PersonNews =
  | { kind: "confirm"; validUntil: string; receivedAt: string }
  | { kind: "confirmed"; dueOn: string; skipped: string }
  | ({ kind: "reminder"; state: State; toAccount?: boolean } & Promised)
  | { kind: "cancelled" }
  | { kind: "cancelled-for-you"; explanation: string }
  /** Of a request with a contact: someone pressed the button in a mail to one of its two mailboxes. */
  | { kind: "stopped"; neverConfirmed?: true }
  /** No one approved it in time. */
  | { kind: "faded"; neverConfirmed?: true }
  /** An approver asks for another proof, in words of each language of the campus. */
  | {
      kind: "ask-proof";
      asks: readonly Readonly<Record<string, string>>[];
      explanation: string;
      fadesAt: string;
    }
  | {
      kind: "held";
      /** Behind the last day of the hold, with what was promised before where it was not. */
      dueOn: string;
      moved?: { previouslyDueOn: string; skipped: string };
      /** The last day of the hold. */
      until: string;
      reason: HoldReason;
      explanation: string;
    }
  | ({ kind: "released" } & Promised)
  /** After a restore: the store knows nothing that happened after `copiedAt`. */
  | {
      kind: "restored";
      state: "received" | "confirmed" | "in-progress";
      /** An operator entered it for somebody whose mailbox is closed, and another one has to approve it. */
      isEntered?: true;
      copiedAt: string;
      /** Until then nobody acts on it; filled in when the letter leaves. */
      cancelUntil?: string;
      /** Of the link that confirms it. */
      validUntil?: string;
      dueOn?: string;
      late?: true;
    }
  | ({ kind: "reopened"; explanation: string } & Promised)
  /** For a closed mailbox: an operator entered it, and it is checked before anything is deleted. */
  | { kind: "entered"; receivedAt: string }
  /** To the mailbox itself that is said to be closed: that somebody entered a request for its account. */
  | {
      kind: "notice-entered";
      receivedAt: string;
      contact: string;
      /** Approval waits until then; versions up to 1.11 named no hour. */
      stopUntil?: string;
    }
  /** To that mailbox, too: that the request is confirmed, and can still be cancelled there. */
  | {
      kind: "notice-confirmed";
      dueOn: string;
      contact: string;
      /** Nothing is deleted before; versions up to 1.11 named no hour. */
      untouchedUntil?: string;
    }
  | ({ kind: "in-progress" } & Promised)
  | {
      kind: "extended";
      previouslyDueOn: string;
      dueOn: string;
      skipped: string;
      explanation: string;
    }
  /** From the website itself: the promised day has passed, and nobody had said anything. */
  | { kind: "late"; dueOn: string; state: "confirmed" | "in-progress" }
  | {
      kind: "completed";
      receivedAt: string;
      confirmedAt: string;
      completedAt: string;
      /** Left out by versions before this was written down. */
      completion?: Completion;
      /** Left out likewise. */
      proof?: Proof;
    }
  | { kind: "refused"; reason: RefusalReason; explanation: string; neverConfirmed?: true };

/** The `token` makes the link of that mail. */
export type PersonMessage = PersonNews & { token: string; reference: string };

export type OpenRequest = {
  reference: string;
  state: State;
  dueOn: string;
  daysLeft: number;
  /** Empty while nobody has taken it up. */
  owner: string;
  /** Empty where it is not held. */
  heldUntil: string;
};

export type TroubledDelivery = {
  reference: string;
  kind: string;
  problem: string;
  /** Where the day is near by which it was promised. */
  dueOn?: string;
};

export type OperatorMessage =
  | { kind: "operator-new"; reference: string; dueOn: string; daysLeft: number }
  | { kind: "operator-due-soon"; reference: string; dueOn: string; daysLeft: number; state: State }
  | {
      kind: "operator-digest";
      date: string;
      /** The first to be due; `openCount` tells of how many. */
      open: OpenRequest[];
      openCount: number;
      unconfirmed: number;
      troubled: TroubledDelivery[];
      troubledCount: number;
      overdue: number;
      /** Since when the oldest mail waits that could not leave yet; empty where none does. */
      waitingSince: string;
      /** Since when the account system owes an answer; empty or left out where it owes none. */
      silentSince?: string;
      /** References of those whose hold ended by its date since the last digest. */
      freed?: string[];
      /** As `findCalendarEnd` tells it; empty while it is fine. */
      calendarEnd: string;
      /** The first day on which something is due and nobody is there; empty or left out while there is none. */
      nobodyOn?: string;
    }
  | { kind: "operator-trouble"; troubled: TroubledDelivery[]; troubledCount: number }
  | { kind: "operator-full"; unconfirmed: number }
  /** A request for a closed mailbox that no one has approved or refused, two business days before it fades. */
  | { kind: "operator-second-look"; reference: string; fadesAt: string }
  /** The mailbox that was said to be closed stopped its request. */
  | { kind: "operator-stopped"; reference: string }
  /** To somebody who may come in to the operators' pages: the whole link, and until when it is good. */
  | {
      kind: "operator-invitation";
      name: string;
      link: string;
      validUntil: string;
      /** The operator who invites. */
      by?: string;
    }
  /** To where somebody's mails went before they were invited again at another address. */
  | { kind: "operator-moved"; name: string; before: string }
  /** To admins, and to whom the code belongs: a phone was said to be lost. */
  | { kind: "operator-recovery"; name: string; device: string }
  /** The account system has deleted what one of the team keeps waiting. */
  | { kind: "operator-deleted-held"; reference: string }
  /** What the account system could not do, or has not answered. */
  | { kind: "operator-account-system"; troubled: TroubledDelivery[]; troubledCount: number };

export type Message = PersonMessage | OperatorMessage;

/** A mail to the team, once it is known to whom of it. */
export type AddressedMessage = OperatorMessage & { /** An operator, by id. */ to?: number };

/** The words of the mails, as `mail.yaml` has them. */
export type MailWords = Campus["mail"];

/**
 * Whether an entered request's notice is still on its way to the mailbox that is said to be closed. One that the mailbox
 * keeps putting off for days counts as told.
 */
export function isNoticeUnsent(mails: readonly OutboxRecord[]): boolean {
  const notice = mails.findLast(({ kind }) => kind === "notice-entered");
  if (notice?.state === "needs-person") return !notice.lastProblem.startsWith("recipient put off");
  return notice?.state === "waiting" || notice?.state === "sending";
}
