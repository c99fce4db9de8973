import type { Refusal } from "../deletion-requests/life.ts";

/** What an operator's page offers to do with a request. */
export const deskActs = [
  "take",
  "complete",
  "undo",
  "hold",
  "release",
  "extend",
  "refuse",
  "cancel",
  "hand-back",
  "approve",
  "reopen",
  "resend",
  "retry",
  "remove",
  "note",
] as const;

export type DeskAct = (typeof deskActs)[number];

/** Why not: what the life of a request says, or what stands around it. */
export const whyNots = [
  "not-yours-to-do",
  "not-confirmed",
  "already-confirmed",
  "not-entered",
  "needs-second-person",
  "not-taken",
  "already-taken",
  "taken-by-you",
  "somebody-elses",
  "already-ended",
  "held",
  "not-held",
  "already-done",
  "not-done",
  "not-later",
  "too-late-to-tell",
  "too-late-a-date",
  "in-the-past",
  "not-ended",
  "another-open",
  "persons-own-wish",
  "erased",
  "not-due-to-expire",
  "told-already",
  "no-trouble",
  "confirmed",
] as const satisfies (Refusal | string)[];

export type WhyNot = Refusal | (typeof whyNots)[number];

/** The cards of the page Today, in their order. Each request lies on one of them. */
export const groups = ["late", "mine", "nobody", "approve", "done", "system", "held"] as const;

export type Group = (typeof groups)[number];

/** The lists that can be asked for. */
export const views = [
  /** Confirmed, and still to be done. */
  "open",
  "late",
  "mine",
  "nobody",
  "held",
  /** The account system was asked, and nobody else is at work on them. */
  "system",
  "unconfirmed",
  "completed",
  "refused",
  "cancelled",
  "ended",
  "all",
] as const;

export type View = (typeof views)[number];

/**
 * `first` and `last` go by the date that matters in a view: due, end of the hold, asked, expiry, or end. `oldest` and
 * `newest` go by when a request was received.
 */
export const sortings = ["first", "last", "oldest", "newest"] as const;

export type Sorting = (typeof sortings)[number];
