import type { Database } from "../../database/database.ts";
import type { Write } from "../../database/statement.ts";
import { letOthersIn } from "../../let-others-in.ts";
import { isWorking, type WorkingRequest } from "../life/request.ts";
import { findRequestById } from "../store/finding.ts";
import type { Forget, Forgetting } from "./erasing.ts";

/**
 * Many requests, a small lot of them in each transaction: between two lots everybody else is served. A list is asked anew for
 * each lot, so that nothing to do costs nothing.
 */

/** Requests in one transaction. */
export const lot = 50;

/** Lot after lot, until `list` finds no more. */
export async function inLots(
  list: () => Promise<number[]>,
  doLot: (ids: number[]) => Promise<void>,
): Promise<void> {
  let before: number | undefined;
  for (;;) {
    const ids = await list();
    // What could not be done the first time stays for the next round.
    if (ids.length === 0 || ids[0] === before) return;
    before = ids[0];
    await doLot(ids);
    await letOthersIn();
  }
}

/** Those of a list that are still to be done when their turn comes. */
export function changeAll(
  database: Database,
  list: () => Promise<number[]>,
  change: (transaction: Write, request: WorkingRequest) => Promise<void>,
): Promise<void> {
  return inLots(list, (ids) =>
    database.write(async (transaction) => {
      for (const id of ids) {
        const request = await findRequestById(transaction, { id });
        if (request && isWorking(request)) await change(transaction, request);
      }
    }),
  );
}

export function forgetAll(
  forgetting: Forgetting,
  list: () => Promise<number[]>,
  forgetOne: (transaction: Write, forget: Forget, id: number) => Promise<void>,
): Promise<void> {
  return inLots(list, (ids) =>
    forgetting.writeLot(async (transaction, forget) => {
      for (const id of ids) await forgetOne(transaction, forget, id);
    }),
  );
}
