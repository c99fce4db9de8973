/** Default lock timeout in milliseconds: about as long as anyone waits after pressing a button. */
export const usualLockWaitMs = 10_000;

/** Reason why a store is unusable: its files are gone, reads fail, or the last write failed. */
export type StoreTrouble = "gone" | "unreadable" | "unwritable";

/**
 * Thrown if the store fails: it is unreachable, full, locked for too long, or gone while open. The
 * message contains no stored data.
 */
export class StoreUnavailableError extends Error {
  override name = "StoreUnavailableError";
  readonly code: string;

  constructor(code: string, options?: { cause: unknown }) {
    super(`The database could not be used (${code})`, options);
    this.code = code;
  }
}

/**
 * Checks whether an error means that the store failed: it is full, read-only, locked, damaged, gone
 * or closed. Returns false for faulty SQL.
 */
export function isStorageProblem(error: unknown): boolean {
  if (error instanceof StoreUnavailableError) return true;
  return errorCode(error) === "ERR_INVALID_STATE" || storageErrors.has(primaryCodeOf(error) ?? 0);
}

/** Returns the code of an error from Node, SQLite, PostgreSQL or the network, if it has one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

/**
 * Returns the type and codes of an error, including SQLite's. Omits its message, which may contain
 * private values.
 */
export function errorName(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { code, errcode } = error as NodeJS.ErrnoException & { errcode?: number };
  return [error.name, code, errcode].filter((part) => part !== undefined).join(" ");
}

/** Returns an error's code, or its message if it has no specific code. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = errorCode(error);
  return code === undefined || code === sqliteError ? error.message : code;
}

// SQLite's codes

/** Checks whether another process held the lock. If so, a retry may succeed. */
export function isLocked(error: unknown): boolean {
  return primaryCodeOf(error) === busy;
}

export function isDamaged(error: unknown): boolean {
  return primaryCodeOf(error) === corrupt;
}

function primaryCodeOf(error: unknown): number | undefined {
  if (errorCode(error) !== sqliteError) return undefined;
  return Number((error as { errcode?: unknown }).errcode) & 0xff;
}

/** The code of all SQLite errors, which differ only in their `errcode`. */
const sqliteError = "ERR_SQLITE_ERROR";
const busy = 5;
const corrupt = 11;

// SQLITE_PERM, BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB
const storageErrors = new Set([3, busy, 6, 8, 10, corrupt, 13, 14, 15, 26]);
