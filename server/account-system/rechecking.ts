import type { Database } from "../database/database.ts";
import { enterAct } from "../deletion-requests/journal.ts";
import { findRequestById } from "../deletion-requests/store/finding.ts";
import type { Keys } from "../keys/keys.ts";
import { retryChannel } from "../outbox/outbox.ts";
import { accountChannel } from "./events.ts";
import { countByHand, enterRecheck, enterStop, listDone } from "./hand-overs.ts";
import { oweEvent } from "./handing-over.ts";

const lot = 50;

/**
 * After accounts were restored from a backup: asks about everything that the account system has deleted and the ledger
 * still knows, so that what came back goes again.
 * @returns how many are asked about, and how many deletions were done by hand, of which only `npm run ledger -- check` can
 *   tell
 */
export async function recheckAll(
  services: { database: Database; keys: Keys; clock: () => Temporal.Instant },
  name: string,
): Promise<{ asked: number; byHand: number }> {
  const { database, keys } = services;
  const now = services.clock();
  let asked = 0;
  for (let after = 0; ; ) {
    const done = await listDone(database.read, after, lot);
    const last = done.at(-1);
    if (!last) break;
    await database.write(async (transaction) => {
      for (const handOver of done) {
        if (handOver.test) continue;
        const request = await findRequestById(transaction, handOver.requestId);
        if (request?.state !== "completed") continue;
        await enterRecheck(transaction, handOver.id, now);
        const kind = "account.deletion.recheck";
        await oweEvent(transaction, keys, handOver, request.reference, { kind }, now);
        asked++;
      }
    });
    after = last.id;
  }
  const byHand = await countByHand(database.read);
  await database.write((transaction) =>
    enterAct(transaction, { at: now, name, act: "account-recheck", about: String(asked) }),
  );
  return { asked, byHand };
}

/** Sends on after the account system had said that it is gone. Returns how many events. */
export async function resume(
  services: { database: Database; clock: () => Temporal.Instant },
  name: string,
): Promise<number> {
  const now = services.clock();
  return services.database.write(async (transaction) => {
    await enterStop(transaction, undefined);
    await enterAct(transaction, { at: now, name, act: "account-resume", about: "" });
    return retryChannel(transaction, accountChannel, now);
  });
}
