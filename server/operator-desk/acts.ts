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
