import { toHour } from "../../platform/database/rows.ts";
import { reading, replacing, type Write } from "../../platform/database/statement.ts";

/**
 * Counts submissions per network and hour. Networks are stored as keyed hashes, so that a count
 * identifies no one.
 */

export const formsSince = reading(
  (tables, { network, since }: { network: string; since: string }) =>
    tables
      .selectFrom("network_forms")
      .select((select) => select.fn.sum<number | string | null>("forms").as("forms"))
      .where("network", "=", network)
      .where("hour", ">", since),
  ([row]) => Number(row?.forms ?? 0),
);

const addForms = replacing("network_forms", "forms");

export async function countForms(
  transaction: Write,
  { network, forms, now }: { network: string; forms: number; now: Temporal.Instant },
): Promise<void> {
  await addForms(transaction, { network, hour: toHour(now), forms });
}
