import { existsSync, readFileSync, realpathSync } from "node:fs";
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

/** Thrown if a folder contains no build. The message tells the administrator what to do. */
export class NotBuiltError extends Error {
  override name = "NotBuiltError";
}

/**
 * Opens the output of `npm run build`. Continues to use this build even after `buildDir` becomes a
 * link to a newer build.
 * @throws NotBuiltError
 */
export async function openSiteBundle(buildDir: string): Promise<SiteBundle> {
  if (!existsSync(join(buildDir, "server/index.js"))) {
    throw new NotBuiltError(
      `There is no build in ${buildDir}. Set BUILD_DIR to the folder that npm run build wrote, or leave it out.`,
    );
  }
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
