import { z } from "zod";
import type { Campus } from "../../../campus-reader/campus.ts";
import type { OutboxRecord } from "../../delivery/outbox.ts";
import type { SkippedDay } from "../../platform/calendar/business-days.ts";
import type { CompletedNews } from "../presenters/receipt.ts";
import type { HoldReason, RefusalReason, State } from "../state-machine/request.ts";

/** The promised day. `late` is set once that day has passed; then no email may promise it. */
export type Promised = { dueOn: string; late?: true };

export function promisedTo(dueOn: Temporal.PlainDate, today: Temporal.PlainDate): Promised {
  const late = Temporal.PlainDate.compare(today, dueOn) > 0;
  return { dueOn: dueOn.toString(), ...(late && { late }) };
}

/** Days that were skipped in computing a due date. */
type Skipping = { skippedDays: readonly SkippedDay[] };

const days = z.array(z.object({ date: z.iso.date(), holiday: z.string().exactOptional() }));

const skipping = z.object({
  skippedDays: days.optional(),
  /** The same days as JSON, as versions up to 1.13 stored them. */
  skipped: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(days)
    .optional(),
});

/** Parses a stored message's skipped days. Empty if the message has none. */
export function readSkippedDays(message: object): readonly SkippedDay[] {
  const { skippedDays, skipped = [] } = skipping.parse(message);
  return skippedDays ?? skipped;
}

/**
 * Content of an email to a requester, without the email address. The facts are as of when the email
 * was queued. Dates and instants are ISO strings.
 */
export type PersonNews =
  | { kind: "confirm"; validUntil: string; receivedAt: string }
  | ({ kind: "confirmed"; dueOn: string } & Skipping)
  | ({ kind: "reminder"; state: State; toAccount?: boolean } & Promised)
  | { kind: "cancelled" }
  | { kind: "cancelled-for-you"; explanation: string }
  /**
   * Someone cancelled a request that has a contact, through a link in an email to the contact or to
   * the old mailbox.
   */
  | { kind: "stopped"; neverConfirmed?: true }
  /** The request expired because no one approved it. */
  | { kind: "faded"; neverConfirmed?: true }
  /**
   * An approver asks for another proof of ownership. `asks` has the questions in each of the
   * campus's languages.
   */
  | {
      kind: "ask-proof";
      asks: readonly Readonly<Record<string, string>>[];
      explanation: string;
      fadesAt: string;
    }
  | {
      kind: "held";
      /** The due date after the hold. `moved` is set if the hold moved it. */
      dueOn: string;
      moved?: { previouslyDueOn: string } & Skipping;
      until: string;
      reason: HoldReason;
      explanation: string;
    }
  | ({ kind: "released" } & Promised)
  /** Restore letter. The store lacks all data after `copiedAt`. */
  | {
      kind: "restored";
      state: "received" | "confirmed" | "in-progress";
      /**
       * Set if an operator entered the request for a closed mailbox; another operator has to
       * approve it.
       */
      isEntered?: true;
      copiedAt: string;
      /**
       * No operator acts on the request before this time, so that the requester can cancel. Set
       * when the letter is sent.
       */
      cancelUntil?: string;
      /** Expiry of the confirmation link. */
      validUntil?: string;
      dueOn?: string;
      late?: true;
    }
  | ({ kind: "reopened"; explanation: string } & Promised)
  /**
   * To the contact for a closed mailbox: an operator has entered the request, and another operator
   * will check it.
   */
  | { kind: "entered"; receivedAt: string }
  /** To the closed mailbox: an operator has entered a request for this account. */
  | {
      kind: "notice-entered";
      receivedAt: string;
      contact: string;
      /** Earliest time of approval. Versions up to 1.11 stored no hour. */
      stopUntil?: string;
    }
  /**
   * To the closed mailbox: the request is confirmed, and a link in this email can still cancel it.
   */
  | {
      kind: "notice-confirmed";
      dueOn: string;
      contact: string;
      /** Earliest time at which the deletion can start. Versions up to 1.11 stored no hour. */
      untouchedUntil?: string;
    }
  | ({ kind: "in-progress" } & Promised)
  | ({
      kind: "extended";
      previouslyDueOn: string;
      dueOn: string;
      explanation: string;
    } & Skipping)
  /**
   * Late notice, sent by a job: the promised day has passed, and no operator has told the
   * requester.
   */
  | { kind: "late"; dueOn: string; state: "confirmed" | "in-progress" }
  | CompletedNews
  | { kind: "refused"; reason: RefusalReason; explanation: string; neverConfirmed?: true };

export type PersonMessage = PersonNews & { token: string; reference: string };

export type OpenRequest = {
  reference: string;
  state: State;
  dueOn: string;
  daysLeft: number;
  /** Empty if no operator has taken the request. */
  owner: string;
  /** Empty if the request isn't on hold. */
  heldUntil: string;
};

export type TroubledDelivery = {
  reference: string;
  kind: string;
  problem: string;
  /** The promised day; set only if it is soon. */
  dueOn?: string;
};

export type OperatorMessage =
  | { kind: "operator-new"; reference: string; dueOn: string; daysLeft: number }
  | { kind: "operator-due-soon"; reference: string; dueOn: string; daysLeft: number; state: State }
  | {
      kind: "operator-digest";
      date: string;
      /** The requests with the earliest due dates; `openCount` also counts the rest. */
      open: OpenRequest[];
      openCount: number;
      unconfirmed: number;
      troubled: TroubledDelivery[];
      troubledCount: number;
      overdue: number;
      /** When the oldest unsent email was queued. Empty if no email is waiting. */
      waitingSince: string;
      /**
       * Since when the account system's answer has been overdue. Empty or missing if it isn't
       * overdue.
       */
      silentSince?: string;
      /** References of requests whose hold has ended since the last digest. */
      freed?: string[];
      /** Result of `findCalendarEnd`. Empty if the calendar reaches far enough. */
      calendarEnd: string;
      /**
       * First day on which a request is due and no operator is present. Empty or missing if there
       * is none.
       */
      nobodyOn?: string;
    }
  | { kind: "operator-trouble"; troubled: TroubledDelivery[]; troubledCount: number }
  | { kind: "operator-full"; unconfirmed: number }
  /**
   * No operator has approved or refused this entered request, which expires within two business
   * days.
   */
  | { kind: "operator-second-look"; reference: string; fadesAt: string }
  /** Someone who reads the closed mailbox stopped the request. */
  | { kind: "operator-stopped"; reference: string }
  /** To a new operator: the complete sign-in link and its expiry. */
  | {
      kind: "operator-invitation";
      name: string;
      link: string;
      validUntil: string;
      /** The operator who sent the invitation. */
      by?: string;
    }
  /** To an operator's previous email address, after an invitation to a new one. */
  | { kind: "operator-moved"; name: string; before: string }
  /**
   * To the admins and to the operator who owns the recovery code: someone used the code after
   * losing a device.
   */
  | { kind: "operator-recovery"; name: string; device: string }
  /** The account system deleted an account although its request is on hold. */
  | { kind: "operator-deleted-held"; reference: string }
  /** Calls to the account system failed or went unanswered. */
  | { kind: "operator-account-system"; troubled: TroubledDelivery[]; troubledCount: number };

export type Message = PersonMessage | OperatorMessage;

/** A team email. `to` is set once the email is addressed to an operator. */
export type AddressedMessage = OperatorMessage & { /** Id of an operator. */ to?: number };

/** Texts of emails, from `mail.yaml`. */
export type MailWords = Campus["mail"];

/**
 * Checks whether the notice to the closed mailbox is still unsent. A notice that the mail server
 * has put off for days counts as sent.
 */
export function isNoticeUnsent(mails: readonly OutboxRecord[]): boolean {
  const notice = mails.findLast(({ kind }) => kind === "notice-entered");
  if (notice?.state === "needs-person") return !notice.lastProblem.startsWith("recipient put off");
  return notice?.state === "waiting" || notice?.state === "sending";
}
