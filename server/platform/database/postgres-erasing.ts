import { setTimeout } from "node:timers/promises";
import type { PostgresStore } from "./postgres.ts";
import { isStorageProblem } from "./storage-errors.ts";

/**
 * A database up to this size is rewritten right away, because that takes no longer than a page view.
 */
const rewrittenAtOnceBytes = 8 * 2 ** 20;
/** A table up to this size is rewritten once a day, which delays forms by a few seconds. */
const rewrittenDailyBytes = 256 * 2 ** 20;
const dayMs = 24 * 60 * 60_000;

/**
 * Creates a function that removes the bytes of erased rows from the tables' files. A plain VACUUM
 * frees their space but leaves the bytes until something overwrites them. Rewriting a table deletes
 * its old files. Small databases are rewritten right away, larger ones once a day. The largest
 * tables get only a plain VACUUM, because rewriting them would block forms for too long. The
 * write-ahead log, replicas and backups are out of reach; docs/put-it-online.md says how long they
 * keep rows.
 */
export function createErasing(store: Pick<PostgresStore, "command">): () => Promise<boolean> {
  let notBefore = 0;

  /**
   * Waits about a second for older transactions to end. They still see erased rows, so a rewrite
   * would keep those rows.
   */
  async function isAlone(): Promise<boolean> {
    const [now] = await store.command(
      "select pg_snapshot_xmax(pg_current_snapshot())::text as horizon",
    );
    const horizon = `age('${now?.horizon}'::xid8::xid)`;
    for (let attempt = 0; attempt < 20; attempt++) {
      const [found] = await store.command(
        // A client that is still connecting has no database yet and delays the cleanup of every
        // database.
        `select count(*) as count from pg_stat_activity
          where (datname = current_database() or datname is null and backend_type <> 'walsender')
          and pid <> pg_backend_pid() and greatest(age(backend_xmin), age(backend_xid)) > ${horizon}`,
      );
      if (found?.count === 0) return true;
      await setTimeout(50);
    }
    return false;
  }

  /**
   * Vacuums a table without queueing for its lock, because a queued lock request blocks all later
   * statements. Returns false if the table stayed in use.
   */
  async function vacuum(name: string, rewrites: boolean): Promise<boolean> {
    if (!rewrites) {
      await store.command(`vacuum (skip_locked) ${name}`);
      return true;
    }
    const readFile = async () => {
      const [found] = await store.command(`select pg_relation_filenode('${name}') as file`);
      return found?.file;
    };
    const before = await readFile();
    for (let tries = 0; tries < 20; tries++) {
      await store.command(`vacuum (full, skip_locked) ${name}`);
      if ((await readFile()) !== before) return true;
      await setTimeout(50);
    }
    return false;
  }

  return async () => {
    const started = performance.now();
    if (started < notBefore) return false;
    notBefore = Number.POSITIVE_INFINITY;
    let again = 60_000;
    try {
      if (!(await isAlone())) return false;
      const tables = await store.command(
        `select quote_ident(relname) as name, pg_total_relation_size(oid) as bytes from pg_class
          where relnamespace = current_schema()::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`,
      );
      const bytes = tables.reduce((sum, table) => sum + Number(table.bytes), 0);
      const isSmall = bytes <= rewrittenAtOnceBytes;
      for (const { name, bytes } of tables) {
        const rewrites = isSmall || Number(bytes) <= rewrittenDailyBytes;
        if (!(await vacuum(String(name), rewrites))) return false;
      }
      again = isSmall ? 0 : dayMs;
      return true;
    } catch (error) {
      if (isStorageProblem(error)) return false;
      throw error;
    } finally {
      notBefore = started + again;
    }
  };
}
