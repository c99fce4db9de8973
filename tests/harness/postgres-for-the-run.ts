import { startPostgres } from "./postgres.ts";

/** Before the tests that need PostgreSQL: one server for all of them, unless TEST_DATABASE_URL names one. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE_URL) return undefined;
  const slow = setTimeout(
    () => console.log("Setting up a PostgreSQL server for the tests ..."),
    3000,
  );
  try {
    const server = await startPostgres();
    process.env.TEST_DATABASE_URL = server.url;
    return server.close;
  } finally {
    clearTimeout(slow);
  }
}
