import { nextSlot } from "../../platform/database/row-slots.ts";
import { toHour } from "../../platform/database/rows.ts";
import { reading, replacingMany, type Write } from "../../platform/database/statement.ts";

/**
 * Counts submissions per network and hour, and also emails per hour from a network to a mailbox
 * (`countsOfMail`). Keys are stored as keyed hashes so that a count identifies no one. Each hour has
 * several rows (`row-slots.ts`).
 */

/**
 * The networks that contain a client. There are at most three, such as the /64, /56 and /48 of an
 * IPv6 address.
 */
type Networks = readonly string[];

/** Returns the number of forms from each network after the given hour. */
export async function formsSince(
  reader: Parameters<typeof formsOf>[0],
  networks: Networks,
  since: Temporal.Instant,
): Promise<number[]> {
  const [first = "", second = first, third = first] = networks;
  const named = { first, second, third };
  // A key that ends with ":" sorts after every row of its hour and before the next hour.
  const counts = await formsOf(reader, { ...named, since: `${toHour(since)}:` });
  return networks.map((network) => counts.get(network) ?? 0);
}

type Named = { first: string; second: string; third: string; since: string };

const formsOf = reading(
  (tables, { first, second, third, since }: Named) =>
    tables
      .selectFrom("network_forms")
      .select((select) => ["network", select.fn.sum<number | string>("forms").as("forms")])
      .where("network", "in", [first, second, third])
      .where("hour", ">", since)
      .groupBy("network"),
  (rows) => new Map(rows.map(({ network, forms }) => [network, Number(forms)])),
);

const addForms = replacingMany("network_forms", "forms", 6);

/** Adds to the counts of up to six networks, in the given order. */
export async function countForms(
  transaction: Write,
  counts: readonly { network: string; forms: number }[],
  now: Temporal.Instant,
): Promise<void> {
  if (counts.length === 0) return;
  const hour = `${toHour(now)}.${nextSlot()}`;
  await addForms(
    transaction,
    counts.map((count) => ({ ...count, hour })),
  );
}
