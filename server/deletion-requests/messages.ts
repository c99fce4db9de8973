import type { RefusalReason, State } from "./life.ts";

/**
 * What a mail tells, without the address it goes to: the facts at the moment they became true. Dates and instants are
 * text, skipped days as `skippedToText` writes them. A `token` makes the link of that mail.
 */
export type PersonMessage =
  | { kind: "confirm"; token: string; reference: string; validUntil: string; receivedAt: string }
  | { kind: "confirmed"; token: string; reference: string; dueOn: string; skipped: string }
  | { kind: "reminder"; token: string; reference: string; dueOn: string; state: State }
  | { kind: "cancelled"; token: string; reference: string }
  | { kind: "in-progress"; token: string; reference: string; dueOn: string }
  | {
      kind: "extended";
      token: string;
      reference: string;
      previouslyDueOn: string;
      dueOn: string;
      skipped: string;
      explanation: string;
    }
  | {
      kind: "completed";
      token: string;
      reference: string;
      receivedAt: string;
      confirmedAt: string;
      completedAt: string;
    }
  | {
      kind: "refused";
      token: string;
      reference: string;
      reason: RefusalReason;
      explanation: string;
    };

export type OpenRequest = { reference: string; state: State; dueOn: string; daysLeft: number };

export type TroubledDelivery = { reference: string; kind: string; problem: string };

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
    }
  | { kind: "operator-trouble"; troubled: TroubledDelivery[]; troubledCount: number }
  | { kind: "operator-full"; unconfirmed: number }
  /** What the account system could not do, or has not answered. */
  | { kind: "operator-account-system"; troubled: TroubledDelivery[]; troubledCount: number };

export type Message = PersonMessage | OperatorMessage;
