import { join } from "node:path";
import { createServer } from "vite";
import type { SiteServices } from "../server/app.ts";
import { startServer } from "../server/start-server.ts";

/** `npm run dev`: the same server on the sources themselves; a saved change reloads the page. */

const root = join(import.meta.dirname, "..");

await startServer(async () => {
  const vite = await createServer({ root, server: { middlewareMode: true }, appType: "custom" });
  return {
    createSite: (services: SiteServices) => ({
      async fetch(request, connection) {
        const entry = (await vite.ssrLoadModule(
          "/app/server-entry.ts",
        )) as typeof import("../app/server-entry.ts");
        return entry.createSite(services).fetch(request, connection as never);
      },
    }),
    clientDir: join(root, "build/client"),
    readAsset: () => "",
    islandUrl: "/app/islands/deletion-island.tsx",
    before: (request, response, next) => vite.middlewares(request, response, next),
  };
});
