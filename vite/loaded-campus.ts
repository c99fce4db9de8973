import { join } from "node:path";
import { loadCampus } from "../campus-reader/load.ts";

export const root = join(import.meta.dirname, "..");

const loaded = new Map<string, ReturnType<typeof loadCampus>>();

/**
 * Loads and validates a campus once for all parts of a build, because reading thousands of posts
 * takes time.
 * @throws CampusError, as `loadCampus` does
 */
export function loadedCampus(folder: string): ReturnType<typeof loadCampus> {
  return loaded.getOrInsertComputed(folder, loadCampus);
}

/** Evicts a campus from the cache after a change to one of its files. */
export function forgetCampus(folder: string): void {
  loaded.delete(folder);
}
