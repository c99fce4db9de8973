import { StoreUnavailableError } from "./postgres-errors.ts";
import { isSqliteProblem } from "./sqlite-errors.ts";

/**
 * What keeps a store from serving: the files are not those that were opened; reading fails; the last attempt to change
 * something failed.
 */
export type StoreTrouble = "gone" | "unreadable" | "unwritable";

/** Thrown by work whose rows went into a file that is no longer there. */
export class StoreGoneError extends Error {
  override name = "StoreGoneError";
  readonly code = "ERR_STORE_GONE";

  constructor() {
    super("The database was removed or replaced while it was open");
  }
}

/** True when the store could not read or write: full, read-only, locked, damaged, gone, closed. Not for faulty SQL. */
export function isStorageProblem(error: unknown): boolean {
  return (
    error instanceof StoreGoneError ||
    error instanceof StoreUnavailableError ||
    isSqliteProblem(error)
  );
}
