import { join } from "node:path";
import { loadCampus } from "../campus-reader/load.ts";

export const root = join(import.meta.dirname, "..");

const loaded = new Map<string, ReturnType<typeof loadCampus>>();

/**
 * The campus in a folder, read and checked once for all parts of a build: thousands of posts take their time.
 * @throws CampusError, as `loadCampus` does
 */
export function loadedCampus(folder: string): ReturnType<typeof loadCampus> {
  return loaded.getOrInsertComputed(folder, loadCampus);
}

/** Has the folder read anew next time, after one of its files changed. */
export function forgetCampus(folder: string): void {
  loaded.delete(folder);
}
