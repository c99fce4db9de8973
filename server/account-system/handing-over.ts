import type { Write } from "../database/statement.ts";
import { isEnded, isWorking } from "../deletion-requests/store/request.ts";
import type { Change } from "../deletion-requests/transitions.ts";
import type { Keys } from "../keys/keys.ts";
import { addMessage } from "../outbox/outbox.ts";
import { type AccountEvent, accountChannel, type CancelledBecause } from "./events.ts";
import {
  addHandOver,
  closeHandOver,
  enterAsked,
  findHandOverOf,
  type HandOver,
} from "./hand-overs.ts";

/**
 * Tells the account system what becomes of requests: each event is written in the transaction of the change it tells of,
 * whoever made the change. What is not the account system's own doing is told to it.
 */

/** Writes an event to the outbox. The address is looked up when it leaves, so that erasing needs to look in one place. */
export async function oweEvent(
  transaction: Write,
  keys: Keys,
  handOver: Pick<HandOver, "publicId" | "requestId">,
  reference: string,
  event: { kind: AccountEvent["kind"]; because?: CancelledBecause },
  now: Temporal.Instant,
): Promise<void> {
  await addMessage<AccountEvent>(transaction, keys, now, {
    channel: accountChannel,
    message: { ...event, reference, id: handOver.publicId },
    // What is cancelled must be told although the request is erased meanwhile.
    ownerId: event.kind === "account.deletion.cancelled" ? null : handOver.requestId,
  });
}

/** @param mode whether what is handed over now is a trial */
export function createHandingOver(mode: "dry-run" | "live", keys: Keys) {
  return async (transaction: Write, change: Change, now: Temporal.Instant): Promise<void> => {
    const { before, after, by } = change;
    const known = await findHandOverOf(transaction, after.id);
    const isOpen = known !== undefined && known.state !== "closed" && known.state !== "done";

    if (after.state === "confirmed" && !isWorking(before)) {
      const handOver = await addHandOver(transaction, after.id, mode === "dry-run", now);
      const kind = "account.deletion.requested";
      return oweEvent(transaction, keys, handOver, after.reference, { kind }, now);
    }
    if (!isOpen) return;
    if (after.state === "confirmed" && before.state === "in-progress") {
      await enterAsked(transaction, { ...known, state: "asked" }, now);
      const kind = "account.deletion.requested";
      return oweEvent(transaction, keys, known, after.reference, { kind }, now);
    }
    // What an operator called done is completed by the clock.
    const byHand = by.actor !== "system" || (isWorking(before) && before.done !== undefined);
    if (isEnded(after) && byHand) {
      await closeHandOver(transaction, known.id);
      const kind = "account.deletion.cancelled";
      const because = after.state === "completed" ? "done-by-hand" : after.state;
      return oweEvent(transaction, keys, known, after.reference, { kind, because }, now);
    }
  };
}
