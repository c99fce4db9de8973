import { type Calendar, dateAt } from "../../calendar/business-days.ts";
import type { Keys } from "../../keys/keys.ts";
import { tally } from "../ledger/monthly-counters.ts";
import { parseReference } from "../life/reference.ts";
import { enterAct } from "../store/audit-log.ts";
import { findRequest } from "../store/finding.ts";
import { listReferences } from "../store/forms.ts";
import { enterGone } from "../store/gone-references.ts";
import type { Forgetting } from "./erasing.ts";

/** Of so many forms of a request that is gone the references are remembered. */
export const goneReferences = 100;

/** For spam: removes an unconfirmed request and every trace of it. A confirmed one is never just removed. */
export async function removeUnconfirmed(
  services: {
    calendar: Calendar;
    keys: Keys;
    forgetting: Forgetting;
    clock: () => Temporal.Instant;
  },
  typed: string,
  name: string,
): Promise<"done" | "not-found" | "confirmed"> {
  const { calendar, keys, forgetting } = services;
  const parsed = parseReference(typed);
  if (parsed === undefined) return "not-found";
  const now = services.clock();
  return forgetting.write(now, async (transaction, forget) => {
    const request = await findRequest(transaction, { reference: parsed });
    if (!request) return "not-found";
    if (request.state !== "received") return "confirmed";
    const { id, reference, receivedAt } = request;
    const references = await listReferences(transaction, { requestId: id, limit: goneReferences });
    await enterGone(transaction, keys, references, "removed", now);
    await forget(id, "whole", now);
    await tally(transaction, dateAt(calendar, receivedAt), "removed");
    await enterAct(transaction, { at: now, name, act: "delete", about: reference });
    return "done";
  });
}
