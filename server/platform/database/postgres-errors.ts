import { errorCode, StoreUnavailableError } from "./storage-errors.ts";

/** Matches ECONNREFUSED and similar codes, and the names of certificate errors. */
const systemCode = /^(?:E[A-Z]+|ERR_TLS_\w+|[A-Z]+(?:_[A-Z]+)+)$/;

/** Checks whether the connection is lost or was never established. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = errorCode(error);
  // Codes for connection errors and for a server that is shutting down, has crashed or is starting.
  if (code !== undefined) return /^(?:08...|57P0[1-5])$/.test(code) || systemCode.test(code);
  // Errors raised by pg itself have no code.
  return (
    error.constructor === Error &&
    /^(?:Connection terminated|timeout exceeded|timeout expired|Query read timeout|Client (?:has encountered|was closed))/.test(
      error.message,
    )
  );
}

/** Checks whether pg rejected the statement before sending it. */
export function wasNeverSent(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith("is not queryable");
}

/** Checks whether the database failed to read or write. Returns false for faulty SQL. */
export function isStorageCode(error: unknown): boolean {
  const code = errorCode(error);
  if (code === undefined || code.length !== 5) return false;
  // In this order: login refused, database gone, rolled back by another transaction, resources,
  // operator intervention, system errors, corruption.
  return /^(?:28|3D|40|53|57|58|XX)/.test(code) || otherCodes.has(code);
}

/**
 * In this order: locked; not accepting connections; read-only; transaction idle for too long;
 * transaction too long; privileges revoked; tables missing, as in a recreated database.
 */
const otherCodes = new Set(["55P03", "55000", "25006", "25P03", "25P04", "42501", "42P01"]);

const serialization = "40001";
const deadlock = "40P01";
const uniqueViolation = "23505";
/** Raised if a table has changed since the statement was prepared. */
const changedTable = "0A000";
/**
 * Raised if a pooler has switched the session and the statement's name is unknown there or already
 * taken.
 */
const unknownName = new Set(["26000", "42P05"]);
const readOnly = "25006";

export function hasChangedTable(error: unknown): boolean {
  return errorCode(error) === changedTable;
}

export function isUnknownName(error: unknown): boolean {
  return unknownName.has(errorCode(error) ?? "");
}

export function isWorthAnotherTry(error: unknown, tries: number): boolean {
  if (error instanceof StoreUnavailableError) return false;
  switch (errorCode(error)) {
    case serialization:
    case deadlock:
      return true;
    case uniqueViolation:
      // Another transaction committed first. A new attempt sees that transaction's rows.
      return tries < 5;
    case changedTable:
      return tries < 12;
    case "26000":
    case "42P05":
      return tries < 4;
    case readOnly:
      // Another server may accept writes by now, but every connection in the pool may still lead to
      // the old one.
      return tries < 6;
    case "ECONNREFUSED":
    case "ENOENT":
      return false;
    default:
      return (
        isConnectionLost(error) && tries < 4 && !/^timeout/.test(String((error as Error).message))
      );
  }
}

/**
 * Checks whether a connection must not be reused. If its server has become read-only, another
 * server may have taken over.
 */
export function breaksConnection(error: unknown): boolean {
  return isConnectionLost(error) || hasChangedTable(error) || errorCode(error) === readOnly;
}
