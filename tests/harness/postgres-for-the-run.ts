import { openDatabase } from "../../server/database/database.ts";
import { createTestDatabase, startPostgres } from "./postgres.ts";

/**
 * Before the tests that need PostgreSQL: one server for all of them, unless TEST_DATABASE_URL names one, and a database
 * with all tables that each test's own is a copy of.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const slow = setTimeout(() => console.log("Setting up PostgreSQL for the tests ..."), 3000);
  const own = process.env.TEST_DATABASE_URL ? undefined : await startPostgres();
  if (own) process.env.TEST_DATABASE_URL = own.url;
  try {
    const template = await createTestDatabase();
    const opened = await openDatabase({ dataDir: import.meta.dirname, url: template.url });
    if (!opened.ok) throw new Error(opened.problem);
    await opened.database.close();
    process.env.TEST_DATABASE_TEMPLATE = template.name;
    return async () => {
      // Another project's setup may have been the one that brought the server, and have taken it away already.
      if (own) await own.close();
      else await template.drop().catch(() => {});
    };
  } catch (error) {
    await own?.close();
    throw error;
  } finally {
    clearTimeout(slow);
  }
}
