import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Campus } from "../campus-reader/campus.ts";
import type { Site } from "./app.ts";
import type { BuiltFiles, SiteServices } from "./services.ts";

export type SiteBundle = BuiltFiles & {
  campus: Campus;
  translations: readonly Campus[];
  createSite: (services: SiteServices) => Site;
};

/**
 * Opens the output of `npm run build`. Continues to use this build even after `buildDir` becomes a
 * link to a newer build.
 */
export async function openSiteBundle(buildDir: string): Promise<SiteBundle> {
  const folder = realpathSync(buildDir);
  const clientDir = join(folder, "client");
  const texts = new Map<string, string>();
  const built: Pick<SiteBundle, "createSite" | "campus" | "translations" | "theme"> = await import(
    pathToFileURL(join(folder, "server/index.js")).href
  );
  return {
    ...built,
    clientDir,
    readAsset: (path) =>
      texts.getOrInsertComputed(path, () => readFileSync(join(clientDir, path), "utf8")),
  };
}
