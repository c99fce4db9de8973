import { randomUUID } from "node:crypto";
import type { Database, Duty } from "./database.ts";
import type { Lease, PostgresStore } from "./postgres.ts";

/**
 * A duty is a lease that is fenced: every transaction of its holder first prolongs the lease and keeps its row locked.
 * An instance that was held up for longer than the lease finds another's name there when it goes on, and changes
 * nothing; one that is held up inside a transaction loses that to the database's own patience.
 */
export function createDuty(
  name: string,
  database: Database,
  store: Pick<PostgresStore, "write" | "takeLease" | "leaveLease">,
): Duty {
  const lease: Lease = { name, holder: randomUUID() };
  return {
    database: { ...database, write: (work) => store.write(work, lease) },
    take: () => store.takeLease(lease),
    leave: () => store.leaveLease(lease),
  };
}
