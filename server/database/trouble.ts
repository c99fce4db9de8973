/** A person who pressed a button waits about this long before giving up, and so does what they want to change. */
export const usualLockWaitMs = 10_000;

/**
 * What keeps a store from serving: the files are not those that were opened; reading fails; the last attempt to change
 * something failed.
 */
export type StoreTrouble = "gone" | "unreadable" | "unwritable";

/** Thrown by what the store could not do: unreachable, full, locked for too long, gone while it was open. Names no value. */
export class StoreUnavailableError extends Error {
  override name = "StoreUnavailableError";
  readonly code: string;

  constructor(code: string, options?: { cause: unknown }) {
    super(`The database could not be used (${code})`, options);
    this.code = code;
  }
}

/** True when the store could not read or write: full, read-only, locked, damaged, gone, closed. Not for faulty SQL. */
export function isStorageProblem(error: unknown): boolean {
  if (error instanceof StoreUnavailableError) return true;
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "ERR_INVALID_STATE" || storageErrors.has(primaryCodeOf(error) ?? 0);
}

/** Names the kind of an error with its codes, SQLite's own too; its words may repeat what must not be logged. */
export function nameOfError(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { code, errcode } = error as NodeJS.ErrnoException & { errcode?: number };
  return [error.name, code, errcode].filter((part) => part !== undefined).join(" ");
}

/** Why in a few words, for whoever has the machine. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && error.code !== "ERR_SQLITE_ERROR" ? String(error.code) : error.message;
}

// What SQLite's codes come down to

/** True when another process holds the lock: the same again may work a moment later. */
export function isLocked(error: unknown): boolean {
  return primaryCodeOf(error) === busy;
}

/** True when the file is a database, and broken. */
export function isDamaged(error: unknown): boolean {
  return primaryCodeOf(error) === corrupt;
}

function primaryCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return "code" in error && error.code === "ERR_SQLITE_ERROR"
    ? Number(error.errcode) & 0xff
    : undefined;
}

const busy = 5;
const corrupt = 11;

// SQLITE_PERM, BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB
const storageErrors = new Set([3, busy, 6, 8, 10, corrupt, 13, 14, 15, 26]);
