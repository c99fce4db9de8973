import type { Database } from "../database/database.ts";
import { listCompleted } from "../deletion-requests/ledger/chain.ts";
import { isWorking } from "../deletion-requests/life/request.ts";
import { addEvent, enterAct } from "../deletion-requests/store/audit-log.ts";
import { findRequest, findRequestById } from "../deletion-requests/store/finding.ts";
import type { Keys } from "../keys/keys.ts";
import { retryChannel } from "../outbox/outbox.ts";
import { accountChannel } from "./events.ts";
import { enterStop, findHandOverOf } from "./hand-overs.ts";
import { announce, askWhetherGone, isOpen } from "./handing-over.ts";

/**
 * After accounts were restored from a backup, every deletion that the ledger still knows is asked about, so that what
 * came back goes again: what the account system deleted itself, by its own ids. What a person deleted nobody knows but by
 * the keyed hash of an address, as what the account system deleted without saying what it calls the account: those are
 * looked for with `npm run store -- ledger check`.
 */

type Services = { database: Database; keys: Keys; clock: () => Temporal.Instant };

/**
 * Begins anew: asks about everything, whatever an earlier recheck found.
 * @param isLive whether the account system can be asked; if not, everything is for a person
 */
export async function beginRecheck(
  services: Services,
  isLive: boolean,
  name: string,
): Promise<{ asked: number; byHand: number }> {
  const { database, keys } = services;
  const now = services.clock();
  let asked = 0;
  let byHand = 0;
  for await (const requestId of listCompleted(database.read)) {
    const isAsked = await database.write(async (transaction) => {
      const request = await findRequestById(transaction, { id: requestId });
      const handOver = request && (await findHandOverOf(transaction, { requestId }));
      // It deleted that itself, and has a name by which it can be asked about it.
      const isTheirs = handOver?.state === "done" && handOver.accountId !== undefined;
      if (!request || !isLive || !isTheirs || handOver.test) return false;
      await askWhetherGone(transaction, keys, handOver, request.reference, now);
      return true;
    });
    if (isAsked) asked++;
    else byHand++;
  }
  await database.write((transaction) =>
    enterAct(transaction, {
      at: now,
      name,
      act: "account-recheck",
      about: `${asked} ${isLive ? "live" : "by-hand"}`,
    }),
  );
  return { asked, byHand };
}

/** Somebody has looked whether it may be deleted: the account system is asked for it, whatever was said of it before. */
export async function handOverAgain(
  { database, keys, clock }: Services,
  reference: string,
  name: string,
): Promise<"done" | "not-open"> {
  const now = clock();
  return database.write(async (transaction) => {
    const request = await findRequest(transaction, { reference });
    const handOver = request && (await findHandOverOf(transaction, { requestId: request.id }));
    if (!request || !isWorking(request) || !isOpen(handOver)) return "not-open";
    await announce(transaction, keys, { ...handOver, askedAt: now }, request, now);
    await addEvent(transaction, request, { actor: "operator", name, type: "retry", at: now });
    return "done";
  });
}

/** Sends on after the account system had said that it is gone. Returns how many events. */
export async function resume(
  services: { database: Database; clock: () => Temporal.Instant },
  name: string,
): Promise<number> {
  const now = services.clock();
  return services.database.write(async (transaction) => {
    await enterStop(transaction, { at: undefined });
    await enterAct(transaction, { at: now, name, act: "account-resume", about: "" });
    return retryChannel(transaction, { channel: accountChannel, now });
  });
}
