/** What SQLite's codes come down to. */

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

/** True when SQLite could not read or write: full, read-only, locked, damaged, closed. Not for faulty SQL. */
export function isSqliteProblem(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  if (error.code === "ERR_INVALID_STATE") return true;
  return storageErrors.has(primaryCodeOf(error) ?? 0);
}

// SQLITE_PERM, BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB
const storageErrors = new Set([3, busy, 6, 8, 10, corrupt, 13, 14, 15, 26]);
