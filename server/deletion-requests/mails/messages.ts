import { z } from "zod";
import type { Campus } from "../../../campus-reader/campus.ts";
import type { OutboxRecord } from "../../delivery/outbox.ts";
import type { SkippedDay } from "../../platform/calendar/business-days.ts";
import type { CompletedNews } from "../presenters/receipt.ts";
import type { HoldReason, RefusalReason, State } from "../state-machine/request.ts";

/** The promised day. If `late` is set, it has passed and no email may promise it. */
export type Promised = { dueOn: string; late?: true };

export function promisedTo(dueOn: Temporal.PlainDate, today: Temporal.PlainDate): Promised {
  const late = Temporal.PlainDate.compare(today, dueOn) > 0;
  return { dueOn: dueOn.toString(), ...(late && { late }) };
}

/** Days skipped in computing a due date. */
type Skipping = { skippedDays: readonly SkippedDay[] };

const days = z.array(z.object({ date: z.iso.date(), holiday: z.string().exactOptional() }));

const skipping = z.object({
  skippedDays: days.optional(),
  /** The days as JSON, as versions up to 1.13 stored them. */
  skipped: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(days)
    .optional(),
});

/** Parses the skipped days of a stored message; an empty list if it has none. */
export function readSkippedDays(message: object): readonly SkippedDay[] {
  const { skippedDays, skipped = [] } = skipping.parse(message);
  return skippedDays ?? skipped;
}

/**
 * Content of an email to a requester, without the email address: facts as of when they became true.
 * Dates and instants are ISO strings.
 */
export type PersonNews =
  | { kind: "confirm"; validUntil: string; receivedAt: string }
  | ({ kind: "confirmed"; dueOn: string } & Skipping)
  | ({ kind: "reminder"; state: State; toAccount?: boolean } & Promised)
  | { kind: "cancelled" }
  | { kind: "cancelled-for-you"; explanation: string }
  /**
   * For a request with a contact: someone cancelled through an email to one of its two mailboxes.
   */
  | { kind: "stopped"; neverConfirmed?: true }
  /** The request expired without approval. */
  | { kind: "faded"; neverConfirmed?: true }
  /**
   * An approver asks for another proof of ownership; `asks` has the text in each campus language.
   */
  | {
      kind: "ask-proof";
      asks: readonly Readonly<Record<string, string>>[];
      explanation: string;
      fadesAt: string;
    }
  | {
      kind: "held";
      /** The due date after the hold; `moved` has the previous date if it moved. */
      dueOn: string;
      moved?: { previouslyDueOn: string } & Skipping;
      /** The last day of the hold. */
      until: string;
      reason: HoldReason;
      explanation: string;
    }
  | ({ kind: "released" } & Promised)
  /** After a restore: the store lacks all data after `copiedAt`. */
  | {
      kind: "restored";
      state: "received" | "confirmed" | "in-progress";
      /**
       * An operator entered the request for a closed mailbox; another operator has to approve it.
       */
      isEntered?: true;
      copiedAt: string;
      /** Until when the requester can cancel before any act; filled in when the letter is sent. */
      cancelUntil?: string;
      /** When the link that confirms the request expires. */
      validUntil?: string;
      dueOn?: string;
      late?: true;
    }
  | ({ kind: "reopened"; explanation: string } & Promised)
  /**
   * To the contact for a closed mailbox: an operator entered the request, and another operator will
   * check it.
   */
  | { kind: "entered"; receivedAt: string }
  /** To the mailbox reported closed: an operator entered a request for this account. */
  | {
      kind: "notice-entered";
      receivedAt: string;
      contact: string;
      /** When the request can be approved at the earliest; versions up to 1.11 gave no hour. */
      stopUntil?: string;
    }
  /** To the same mailbox: the request is confirmed and can still be cancelled there. */
  | {
      kind: "notice-confirmed";
      dueOn: string;
      contact: string;
      /** When the deletion can begin at the earliest; versions up to 1.11 gave no hour. */
      untouchedUntil?: string;
    }
  | ({ kind: "in-progress" } & Promised)
  | ({
      kind: "extended";
      previouslyDueOn: string;
      dueOn: string;
      explanation: string;
    } & Skipping)
  /** Sent by a job: the promised day has passed and no operator has told the requester. */
  | { kind: "late"; dueOn: string; state: "confirmed" | "in-progress" }
  | CompletedNews
  | { kind: "refused"; reason: RefusalReason; explanation: string; neverConfirmed?: true };

/** A message with the `token` for its link. */
export type PersonMessage = PersonNews & { token: string; reference: string };

export type OpenRequest = {
  reference: string;
  state: State;
  dueOn: string;
  daysLeft: number;
  /** Empty if no operator owns the request. */
  owner: string;
  /** Empty if the request isn't on hold. */
  heldUntil: string;
};

export type TroubledDelivery = {
  reference: string;
  kind: string;
  problem: string;
  /** Promised day, if it is soon. */
  dueOn?: string;
};

export type OperatorMessage =
  | { kind: "operator-new"; reference: string; dueOn: string; daysLeft: number }
  | { kind: "operator-due-soon"; reference: string; dueOn: string; daysLeft: number; state: State }
  | {
      kind: "operator-digest";
      date: string;
      /** Requests with the earliest due dates; `openCount` counts all of them. */
      open: OpenRequest[];
      openCount: number;
      unconfirmed: number;
      troubled: TroubledDelivery[];
      troubledCount: number;
      overdue: number;
      /** When the oldest unsent email was created; empty if none is waiting. */
      waitingSince: string;
      /** Since when the account system's answer has been overdue; empty or missing if it isn't. */
      silentSince?: string;
      /** References of requests whose hold reached its last day since the last digest. */
      freed?: string[];
      /** Result of `findCalendarEnd`; empty as long as the calendar reaches far enough. */
      calendarEnd: string;
      /**
       * The first day on which something is due and no operator is present; empty or missing if
       * there is none.
       */
      nobodyOn?: string;
    }
  | { kind: "operator-trouble"; troubled: TroubledDelivery[]; troubledCount: number }
  | { kind: "operator-full"; unconfirmed: number }
  /** An entered request expires in two business days and is neither approved nor refused. */
  | { kind: "operator-second-look"; reference: string; fadesAt: string }
  /** Someone who reads the mailbox that was reported closed has stopped the request. */
  | { kind: "operator-stopped"; reference: string }
  /** To a new operator: the complete sign-in link, and when it expires. */
  | {
      kind: "operator-invitation";
      name: string;
      link: string;
      validUntil: string;
      /** Name of the operator who sent the invitation. */
      by?: string;
    }
  /** To an operator's previous address, after an invitation to a new one. */
  | { kind: "operator-moved"; name: string; before: string }
  /** To the admins and the code's owner: an operator reported a lost device. */
  | { kind: "operator-recovery"; name: string; device: string }
  /** The account system has deleted an account whose request is on hold. */
  | { kind: "operator-deleted-held"; reference: string }
  /** Failed or unanswered calls to the account system. */
  | { kind: "operator-account-system"; troubled: TroubledDelivery[]; troubledCount: number };

export type Message = PersonMessage | OperatorMessage;

/** A team email with its recipient. */
export type AddressedMessage = OperatorMessage & { /** Id of an operator. */ to?: number };

/** Texts of emails, as in `mail.yaml`. */
export type MailWords = Campus["mail"];

/**
 * Checks whether the notice to the mailbox reported closed is still unsent. A notice that the
 * mailbox has deferred for days counts as sent.
 */
export function isNoticeUnsent(mails: readonly OutboxRecord[]): boolean {
  const notice = mails.findLast(({ kind }) => kind === "notice-entered");
  if (notice?.state === "needs-person") return !notice.lastProblem.startsWith("recipient put off");
  return notice?.state === "waiting" || notice?.state === "sending";
}
