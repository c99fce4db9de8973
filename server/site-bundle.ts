import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Campus } from "../campus-reader/campus.ts";
import type { Site } from "./app.ts";
import type { MailLook } from "./mail/blocks.ts";
import type { SiteServices } from "./services.ts";

/** What the build made: the pages' code and the files for browsers. */
export type SiteBundle = {
  createSite: (services: SiteServices) => Site;
  /** The campus and its colours, as they were built in. */
  campus: Campus;
  translations: readonly Campus[];
  theme: MailLook;
  clientDir: string;
  readAsset: (path: string) => string;
};

/** Opens the result of `npm run build`, and keeps to it when `buildDir` becomes a link to a newer one. */
export async function openSiteBundle(buildDir: string): Promise<SiteBundle> {
  const folder = realpathSync(buildDir);
  const clientDir = join(folder, "client");
  const texts = new Map<string, string>();
  const server = (await import(pathToFileURL(join(folder, "server/index.js")).href)) as Pick<
    SiteBundle,
    "createSite" | "campus" | "translations" | "theme"
  >;
  return {
    createSite: server.createSite,
    campus: server.campus,
    translations: server.translations,
    theme: server.theme,
    clientDir,
    readAsset(path) {
      let text = texts.get(path);
      if (text === undefined) {
        text = readFileSync(join(clientDir, path), "utf8");
        texts.set(path, text);
      }
      return text;
    },
  };
}
