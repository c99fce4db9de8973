import { type Dialect, Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import * as first from "./migrations/0001-first.ts";
import * as team from "./migrations/0002-team.ts";
import * as codes from "./migrations/0003-contract-codes.ts";
import * as indexes from "./migrations/0004-unused-indexes.ts";
import * as afterRestore from "./migrations/0005-after-a-restore.ts";
import * as savedChecklists from "./migrations/0006-kept-walks.ts";
import * as closedMailbox from "./migrations/0007-closed-mailbox.ts";
import * as ledger from "./migrations/0008-plain-ledger.ts";

// biome-ignore lint/suspicious/noExplicitAny: the tables are known only when the program runs
export type AnyKysely = Kysely<any>;

/** All migrations, keyed by name. Each store records which migrations it has run. */
export const migrations: Record<string, Migration> = {
  "0001-first": first,
  "0002-team": team,
  "0003-contract-codes": codes,
  "0004-unused-indexes": indexes,
  "0005-after-a-restore": afterRestore,
  "0006-kept-walks": savedChecklists,
  "0007-closed-mailbox": closedMailbox,
  "0008-plain-ledger": ledger,
};

/**
 * Migrates the tables to this version.
 * @param known this version's migrations, except in tests
 */
export async function upgradeStore(dialect: Dialect, known = migrations): Promise<void> {
  const kysely = new Kysely({ dialect });
  const newer = (await readMigrations(kysely)).filter((name) => !(name in known));
  if (newer.some((name) => name.includes("-contract-"))) {
    throw new Error("it belongs to a newer version of this program");
  }
  // Skips migrations of a newer version that runs alongside this one. They only add to the schema.
  const skipped = newer.map((name) => [name, { up: async () => {} }]);
  const { error } = await new Migrator({
    db: kysely,
    provider: {
      getMigrations: async () => ({ ...known, ...Object.fromEntries(skipped) }),
    },
  }).migrateToLatest();
  if (error) throw error;
}

/**
 * Lists the tables of the current schema only, because someone may have moved old tables to another
 * schema.
 */
export async function readTables(database: AnyKysely): Promise<string[]> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  if (tables.every(({ schema }) => schema === undefined)) return tables.map(({ name }) => name);
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(database);
  return tables.filter(({ schema }) => schema === rows[0]?.name).map(({ name }) => name);
}

/** Returns the sorted names of the migrations that a store has run. */
export async function readMigrations(database: AnyKysely): Promise<string[]> {
  if (!(await readTables(database)).includes("kysely_migration")) return [];
  const rows = await database.selectFrom("kysely_migration").select("name").execute();
  return rows.map(({ name }) => String(name)).sort();
}
