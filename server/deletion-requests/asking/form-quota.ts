import type { Database } from "../../database/database.ts";
import { deleting, reading, type Write, writing } from "../../database/statement.ts";
import { toText } from "../../database/time.ts";
import type { Keys } from "../../keys/keys.ts";
import { linkHours } from "../life/request.ts";
import { countReceived } from "../store/finding.ts";

/**
 * How much room there is for requests that nobody has confirmed, and for whom. A network may send no more forms while
 * a request waits than its share of what is free at present (the dynamic threshold of queueing theory): however many
 * networks fill the store, some of it stays free for every other. Forms are counted and not requests, so that a
 * network cannot learn by its own room which addresses were known.
 */

/** A network that a form came from, and how many times the share of a single client it has. */
export type FromNetwork = { prefix: string; share: number };

/** A single client may take so much of the free room: a hundred networks of four shares take half of all. */
const shareOfRoom = 1 / 400;

/** Whether so many fill the room so far that people alone would not: somebody should look. */
export function isFilling(unconfirmed: number, maxUnconfirmed: number): boolean {
  return unconfirmed * 2 >= maxUnconfirmed;
}

/** How long a count of the unconfirmed requests is believed; those stored since are added to it. */
const countEveryMs = 60_000;

export function createRoom(services: {
  database: Database;
  keys: Keys;
  /** While so many requests wait for their confirmation, no further form is taken, whoever sends it. */
  maxUnconfirmed: number;
}) {
  const { database, keys } = services;
  let unconfirmed = { count: 0, countedAt: Number.NEGATIVE_INFINITY };

  return {
    /** Whether one more form can be taken from these networks. */
    async find(
      networks: readonly FromNetwork[],
      now: Temporal.Instant,
    ): Promise<{ kind: "free" | "network-full" } | { kind: "full"; unconfirmed: number }> {
      const age = Math.abs(now.epochMilliseconds - unconfirmed.countedAt);
      if (age >= countEveryMs) {
        const count = await countReceived(database.read);
        unconfirmed = { count, countedAt: now.epochMilliseconds };
      }
      const free = services.maxUnconfirmed - unconfirmed.count;
      if (free <= 0) return { kind: "full", unconfirmed: unconfirmed.count };
      for (const network of networks) {
        const hash = hashNetwork(keys, network);
        const sent = await formsSince(database.read, { network: hash, since: sinceOf(now) });
        if (sent >= Math.max(1, network.share * shareOfRoom * free))
          return { kind: "network-full" };
      }
      return { kind: "free" };
    },

    /** One more request waits. */
    taken(): void {
      unconfirmed.count++;
    },
  };
}

/** The keyed hash under which a network is known here. */
export function hashNetwork(keys: Keys, { prefix }: FromNetwork): string {
  return keys.hash("network", prefix).hash;
}

/** Counts a form for each of its networks. */
export async function enterForm(
  transaction: Write,
  keys: Keys,
  networks: readonly FromNetwork[],
  now: Temporal.Instant,
): Promise<void> {
  for (const network of networks) {
    await countForm(transaction, { network: hashNetwork(keys, network), hour: hourOf(now) });
  }
}

/** Forgets who sent forms longer ago than any of their requests can wait. */
export async function dropOldForms(transaction: Write, now: Temporal.Instant): Promise<void> {
  await dropForms(transaction, { hour: sinceOf(now) });
}

const hourOf = (now: Temporal.Instant) => toText(now).slice(0, "2026-11-21T06".length);
const sinceOf = (now: Temporal.Instant) => hourOf(now.subtract({ hours: linkHours }));

const formsSince = reading(
  (tables, { network, since }: { network: string; since: string }) =>
    tables
      .selectFrom("network_forms")
      .select((select) => select.fn.sum<number | string | null>("forms").as("forms"))
      .where("network", "=", network)
      .where("hour", ">", since),
  ([row]) => Number(row?.forms ?? 0),
);

const countForm = writing((tables, { network, hour }: { network: string; hour: string }) =>
  tables
    .insertInto("network_forms")
    .values({ network, hour, forms: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["network", "hour"])
        .doUpdateSet((column) => ({ forms: column("network_forms.forms", "+", 1) })),
    ),
);

const dropForms = deleting("network_forms", { hour: "<=" });
