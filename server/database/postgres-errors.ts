import { StoreUnavailableError } from "./trouble.ts";

/** What PostgreSQL's codes, and those of the network before it, come down to. */

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

/** ECONNREFUSED and the like, and what a certificate that does not fit is called. */
const systemCode = /^(?:E[A-Z]+|ERR_TLS_\w+|[A-Z]+(?:_[A-Z]+)+)$/;

/** True when the connection is gone, or never came to be. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  // Connection exceptions; the server shuts down, crashed, or is starting.
  if (code !== undefined) return /^(?:08...|57P0[1-5])$/.test(code) || systemCode.test(code);
  // What pg says has no code.
  return (
    error.constructor === Error &&
    /^(?:Connection terminated|timeout exceeded|timeout expired|Query read timeout|Client (?:has encountered|was closed))/.test(
      error.message,
    )
  );
}

/** True when the connection was known to be gone before anything was said. */
export function wasNeverSent(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith("is not queryable");
}

/** True when the store could not read or write, so that the same may work later. Not for faulty SQL. */
export function isStorageCode(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined || code.length !== 5) return false;
  // Not let in any more, or the database is gone; rolled back by others' doing, resources, operator intervention, system
  // errors, corruption.
  return /^(?:28|3D|40|53|57|58|XX)/.test(code) || others.has(code);
}

/**
 * Locked; closed to everybody; only read; idle for too long; rights were taken away; the tables are gone, as in a database
 * that was made anew.
 */
const others = new Set(["55P03", "55000", "25006", "25P03", "25P04", "42501", "42P01"]);

const serialization = "40001";
const deadlock = "40P01";
const uniqueViolation = "23505";
/** Somebody changed a table under a statement that was prepared before. */
const changedTable = "0A000";

/** Whether the same work, begun anew, can have another outcome. */
export function isWorthAnotherTry(error: unknown, tries: number): boolean {
  if (error instanceof StoreUnavailableError) return false;
  switch (codeOf(error)) {
    case serialization:
    case deadlock:
      return true;
    case uniqueViolation:
      // Somebody was first; now it can be seen.
      return tries < 5;
    case changedTable:
      return tries < 12;
    case "ECONNREFUSED":
    case "ENOENT":
      return false;
    default:
      return (
        isConnectionLost(error) && tries < 4 && !/^timeout/.test(String((error as Error).message))
      );
  }
}

/** Whether a connection must not be used again. */
export function isSpoilt(error: unknown): boolean {
  return isConnectionLost(error) || codeOf(error) === changedTable;
}
