import type { OutboxRecord } from "../../outbox/outbox.ts";
import type { Refusal } from "../life/life.ts";
import { isEnded, isSameName, type StoredRequest } from "../life/request.ts";

/** Under which names the trail has what was taken back. */
export const takenBack = ["undo", "release", "hand-back", "reopen"] as const;

/** What taking the last step back is, and whether its person knows of that step: then they are told why it was none. */
export type TakingBack =
  | { act: (typeof takenBack)[number]; isKnown: boolean }
  | { because: Refusal };

/** What an operator would take back now. */
export function findTakingBack(
  request: StoredRequest,
  mails: readonly Pick<OutboxRecord, "state">[],
  name: string,
): TakingBack {
  if (request.state === "received") return { because: "not-confirmed" };
  if (isEnded(request)) {
    const last = mails.at(-1);
    // The account is gone, whether its person has read so or not.
    const isKnown = request.state === "completed" || !last || !isUnsent(last);
    return { act: "reopen", isKnown };
  }
  if (request.done) return { act: "undo", isKnown: false };
  if (request.hold) return { act: "release", isKnown: true };
  return request.owner !== undefined && isSameName(request.owner, name)
    ? { act: "hand-back", isKnown: false }
    : { because: "not-done" };
}

/** A mail that has not left and can still be taken back. */
function isUnsent({ state }: Pick<OutboxRecord, "state">): boolean {
  return state === "waiting" || state === "needs-person";
}
