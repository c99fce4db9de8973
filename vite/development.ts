import { join } from "node:path";
import { createServer } from "vite";
import { loadCampus } from "../campus-reader/load.ts";
import type { SiteServices } from "../server/services.ts";
import type { SiteBundle } from "../server/site-bundle.ts";
import { startServer } from "../server/start-server.ts";
import { root } from "./loaded-campus.ts";
import { readTheme } from "./theme.ts";

/** `npm run dev`: the same server on the sources themselves; a saved change reloads the page. */

await startServer(async ({ campusDir }) => {
  const vite = await createServer({ root, server: { middlewareMode: true }, appType: "custom" });
  const campus = loadCampus(campusDir);
  const load = async () =>
    (await vite.ssrLoadModule("/app/server-entry.ts")) as Pick<SiteBundle, "createSite">;
  // The first time takes longer than the server leaves a silent connection open.
  await load();
  return {
    campus,
    translations: campus.translations,
    theme: readTheme(join(campusDir, "theme.css")),
    createSite: (services: SiteServices) => ({
      // Files come from the development server, which is asked first.
      listener: (incoming, outgoing) =>
        vite.middlewares(incoming, outgoing, async () => {
          try {
            const { createSite } = await load();
            createSite(services).listener(incoming, outgoing);
          } catch (error) {
            vite.ssrFixStacktrace(error as Error);
            console.error(error);
            outgoing.writeHead(500).end(String((error as Error).stack));
          }
        }),
      // Nothing is kept here.
      prepare() {},
    }),
    clientDir: join(root, "app"),
    readAsset: () => "",
  };
});
