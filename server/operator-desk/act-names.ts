import type { Refusal } from "../deletion-requests/life/life.ts";
import { holdReasons } from "../deletion-requests/life/request.ts";

/** What the acts of `acts.ts` are called, and why one is not possible: names alone, for words and pages. */
export const deskActs = [
  "take",
  "complete",
  "later",
  "refuse",
  "cancel",
  "undo",
  "approve",
  "resend",
  "note",
] as const;

export type DeskAct = (typeof deskActs)[number];

/** Why not: what the life of a request says, or that nothing is left to do. */
export type WhyNot = Refusal | "taken-by-you";

/** Why the date is not kept: what keeps the request, or the team's own lack of time. */
export const laterReasons = ["time", ...holdReasons] as const;

/** What somebody found in a place where data lies. */
export const foundThere = ["done", "none", "kept"] as const;

/** Why something of it stays. */
export const whyKept = ["open-matter", "legal-duty"] as const;

/** So many characters a note may have. */
export const maxNote = 2000;

/** More at once nobody does by name. */
export const mostAtOnce = 50;

export function isDeskAct(name: string): name is DeskAct {
  return deskActs.some((act) => act === name);
}
