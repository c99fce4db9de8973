import { statSync } from "node:fs";

/**
 * Whether the database's files are still those that were opened. A file that was removed or replaced goes on taking
 * rows, and all of them are gone when the process ends.
 */
export type StoreFiles = { areInPlace(): boolean };

/** @param path the database's; its log and its shared memory lie beside it while it is open */
export function watchStoreFiles(path: string): StoreFiles {
  const paths = [path, `${path}-wal`, `${path}-shm`];
  const opened = paths.map(identify);
  return {
    areInPlace: () => paths.every((file, index) => identify(file) === opened[index]),
  };
}

function identify(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.dev}:${stats.ino}` : "gone";
}
