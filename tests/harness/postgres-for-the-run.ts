import { openDatabase } from "../../server/platform/database/database.ts";
import { createTestDatabase, startPostgres, type TestDatabase } from "./postgres.ts";

/**
 * Starts one server for all PostgreSQL tests unless `TEST_DATABASE_URL` is set. Creates a migrated
 * template database, which tests that need the tables copy.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  // Another test project's setup has already run.
  if (process.env.TEST_DATABASE_TEMPLATE) return;
  const slow = setTimeout(() => console.log("Setting up PostgreSQL for the tests ..."), 3000);
  const server = process.env.TEST_DATABASE_URL ? undefined : await startPostgres();
  if (server) process.env.TEST_DATABASE_URL = server.url;
  try {
    const template = await createTestDatabase();
    const opened = await openDatabase({ dataDir: import.meta.dirname, url: template.url });
    if (!opened.ok) throw new Error(opened.problem);
    await opened.database.close();
    process.env.TEST_DATABASE_TEMPLATE = template.name;
    return async () => {
      if (server) return server.close();
      await dropCopies(template);
      await template.drop();
    };
  } catch (error) {
    await server?.close();
    throw error;
  } finally {
    clearTimeout(slow);
  }
}

/** Drops the databases that tests created on an external server. */
async function dropCopies({ name, ask }: TestDatabase): Promise<void> {
  const copies = `select datname as copy from pg_database where datname like '${name}\\_%'`;
  for (const { copy } of await ask(copies)) await ask(`drop database ${copy} with (force)`);
}
