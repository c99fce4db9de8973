import { mayHaveArrived } from "../../mail/delivery-problem.ts";
import type { OutboxRecord } from "../../outbox/outbox.ts";
import { isSameName, type Refusal } from "../life/life.ts";
import { type EndedRequest, isEnded, type StoredRequest } from "../life/request.ts";
import { stateTold } from "../telling/tell-request.ts";

/** What takes the last step of an operator back, under the name that the trail has for it. */
export const waysBack = ["undo", "release", "hand-back", "reopen"] as const;

export type WayBack = (typeof waysBack)[number];

/** What taking the last step back is, and whether its person knows of that step: then they are told why it was none. */
export type TakingBack = { act: WayBack; isKnown: boolean } | { because: Refusal };

type Mail = Pick<OutboxRecord, "kind" | "state" | "lastProblem">;

/** What an operator would take back now. */
export function findTakingBack(
  request: StoredRequest,
  mails: readonly Mail[],
  name: string,
): TakingBack {
  if (request.state === "received") return { because: "not-confirmed" };
  if (isEnded(request)) return { act: "reopen", isKnown: isEndKnown(request, mails) };
  if (request.done) return { act: "undo", isKnown: false };
  if (request.hold) return { act: "release", isKnown: true };
  return request.owner !== undefined && isSameName(request.owner, name)
    ? { act: "hand-back", isKnown: false }
    : { because: "not-done" };
}

/** Whether the person of a request knows of its end, or may: then they are told why it was none. */
export function isEndKnown({ state }: EndedRequest, mails: readonly Mail[]): boolean {
  // The account is gone, whether its person has read so or not.
  if (state === "completed") return true;
  const told = mails.findLast(({ kind }) => stateTold[kind] === state);
  return !told || !isUnsent(told);
}

/** A mail that can still be taken back and cannot have arrived. */
function isUnsent({ state, lastProblem }: Mail): boolean {
  return (state === "waiting" || state === "needs-person") && !mayHaveArrived(lastProblem);
}
