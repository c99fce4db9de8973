import { type Read, reading, type Write, writing } from "./statement.ts";
import { toInstant, toText } from "./time.ts";

/**
 * After a copy was put back nobody knows what happened since it was made, so nothing may expire and nothing may leave
 * until somebody has looked at what came back and said so.
 */
export type Restore = {
  id: number;
  at: Temporal.Instant;
  name: string;
  /** When somebody had looked; undefined until then. */
  confirmedAt: Temporal.Instant | undefined;
  /** Up to when the restored data knows what happened. */
  knownUntil: Temporal.Instant;
  /** JSON. */
  report: string;
};

export async function isHeldByRestore(database: Read): Promise<boolean> {
  return (await database.one(unconfirmed)) !== undefined;
}

/** The newest one that nobody has confirmed. */
export async function findUnconfirmedRestore(database: Read): Promise<Restore | undefined> {
  const row = await database.one(unconfirmed);
  return row && toRestore(row);
}

/** The last one, confirmed or not. */
export async function findLastRestore(database: Read): Promise<Restore | undefined> {
  const row = await database.one(last);
  return row && toRestore(row);
}

const unconfirmed = reading((tables) =>
  tables
    .selectFrom("restores")
    .selectAll()
    .where("confirmed_at", "is", null)
    .orderBy("id", "desc")
    .limit(1),
);

const last = reading((tables) =>
  tables.selectFrom("restores").selectAll().orderBy("id", "desc").limit(1),
);

export async function enterRestore(
  transaction: Write,
  restore: Omit<Restore, "id" | "confirmedAt">,
): Promise<void> {
  await transaction.run(insertRestore, {
    at: toText(restore.at),
    name: restore.name,
    knownUntil: toText(restore.knownUntil),
    report: restore.report,
  });
}

const insertRestore = writing(
  (tables, to: { at: string; name: string; knownUntil: string; report: string }) =>
    tables.insertInto("restores").values({
      at: to.at,
      name: to.name,
      known_until: to.knownUntil,
      report: to.report,
      confirmed_at: null,
    }),
);

/** Somebody has looked: everything goes on. */
export async function enterRestoreConfirmed(
  transaction: Write,
  at: Temporal.Instant,
): Promise<void> {
  await transaction.run(confirmAll, { at: toText(at) });
}

const confirmAll = writing((tables, { at }: { at: string }) =>
  tables.updateTable("restores").set({ confirmed_at: at }).where("confirmed_at", "is", null),
);

/** What was found when a copy was put back names references and an operator: kept as long as the requests themselves. */
export async function dropOldRestores(transaction: Write, before: Temporal.Instant): Promise<void> {
  await transaction.run(dropConfirmed, { before: toText(before) });
}

const dropConfirmed = writing((tables, { before }: { before: string }) =>
  tables.deleteFrom("restores").where("confirmed_at", "<=", before),
);

function toRestore(row: {
  id: number;
  at: string;
  name: string;
  known_until: string;
  confirmed_at: string | null;
  report: string;
}): Restore {
  const { id, name, report } = row;
  return {
    id,
    at: toInstant(row.at),
    name,
    confirmedAt: toInstant(row.confirmed_at),
    knownUntil: toInstant(row.known_until),
    report,
  };
}
