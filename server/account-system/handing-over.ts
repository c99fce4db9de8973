import type { Write } from "../database/statement.ts";
import {
  isEnded,
  isWorking,
  type WorkingRequest,
  waitOf,
} from "../deletion-requests/store/request.ts";
import type { Change } from "../deletion-requests/working/acts.ts";
import type { Keys } from "../keys/keys.ts";
import { addMessage, replaceUnsent } from "../outbox/outbox.ts";
import { type AccountEvent, accountChannel, type CancelledBecause } from "./events.ts";
import {
  addHandOver,
  enterAsked,
  enterStanding,
  findHandOverOf,
  type HandOver,
  isDoubted,
  stopAsking,
} from "./hand-overs.ts";

/**
 * Tells the account system what becomes of requests: each event is written in the transaction of the change it tells of,
 * whoever made the change. What is the account system's own doing is not told to it.
 */

/**
 * Writes an event to the outbox, in place of what was to be told of the same request before. The address is looked up
 * when it leaves, so that erasing needs to look in one place.
 */
export async function oweEvent(
  transaction: Write,
  keys: Keys,
  handOver: Pick<HandOver, "publicId" | "requestId">,
  reference: string,
  event: { kind: AccountEvent["kind"]; because?: CancelledBecause },
  now: Temporal.Instant,
): Promise<void> {
  await replaceUnsent(transaction, accountChannel, handOver.requestId, now);
  await addMessage<AccountEvent>(transaction, keys, now, {
    channel: accountChannel,
    message: { ...event, reference, id: handOver.publicId },
    // What is cancelled must be told although the request is erased meanwhile.
    ownerId: event.kind === "account.deletion.cancelled" ? null : handOver.requestId,
  });
}

/** Whether an operator keeps it waiting: until that ends, the account system is not asked for it. */
export function isKeptWaiting(request: WorkingRequest): boolean {
  return waitOf(request)?.by === "operator";
}

/**
 * Asks for a request, or once more, unless an operator keeps it waiting or has it in hand. After a copy was put back it
 * is first asked what is known of it: it may have been cancelled since.
 */
export async function announce(
  transaction: Write,
  keys: Keys,
  handOver: HandOver,
  request: WorkingRequest,
  now: Temporal.Instant,
): Promise<void> {
  const isInHand = request.state === "in-progress" && !handOver.isBegun;
  if (isInHand || isKeptWaiting(request)) {
    await stopAsking(transaction, { id: handOver.id, state: "blocked" });
    return;
  }
  const owe = (kind: AccountEvent["kind"]) =>
    oweEvent(transaction, keys, handOver, request.reference, { kind }, now);
  if (await isDoubted(transaction, handOver)) {
    await enterStanding(transaction, { id: handOver.id, now });
    return owe("account.deletion.standing");
  }
  await enterAsked(transaction, handOver, now);
  const wasBegun = handOver.state === "started";
  return owe(wasBegun ? "account.deletion.reminder" : "account.deletion.requested");
}

/** @param mode whether what is handed over now is a trial */
export function createHandingOver(mode: "dry-run" | "live", keys: Keys) {
  return async (transaction: Write, change: Change, now: Temporal.Instant): Promise<void> => {
    const { before, after, by } = change;
    if (by.isAccountSystem) return;
    const known = await findHandOverOf(transaction, { requestId: after.id });
    const isOpen = known !== undefined && known.state !== "closed" && known.state !== "done";
    const tell = (event: { kind: AccountEvent["kind"]; because?: CancelledBecause }) =>
      known && oweEvent(transaction, keys, known, after.reference, event, now);

    if (isEnded(after)) {
      if (!isOpen) return;
      await stopAsking(transaction, { id: known.id, state: "closed" });
      const because = after.state === "completed" ? "done-by-hand" : after.state;
      return tell({ kind: "account.deletion.cancelled", because });
    }
    // What the account system did not find, and an operator takes back, is the team's until the night.
    if (before.state === "refused" && before.endedBy === "system") return;
    const isFree = waitOf(before) !== undefined && waitOf(after) === undefined;
    if (!isWorking(before) || isFree) {
      // By hand: somebody is at work on it already.
      if (!isOpen && after.state === "in-progress") return;
      const handOver = isOpen
        ? known
        : await addHandOver(transaction, { requestId: after.id, test: mode === "dry-run", now });
      return announce(transaction, keys, handOver, after, now);
    }
    const isTaken = before.state === "confirmed" && after.state === "in-progress";
    if (isOpen && isTaken) await stopAsking(transaction, { id: known.id, state: "blocked" });
    if (isOpen && isKeptWaiting(after) && !isKeptWaiting(before)) {
      await stopAsking(transaction, { id: known.id, state: "blocked" });
      return tell({ kind: "account.deletion.held" });
    }
  };
}
