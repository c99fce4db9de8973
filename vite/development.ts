import { join } from "node:path";
import { createServer } from "vite";
import type { SiteServices } from "../server/app.ts";
import { startServer } from "../server/start-server.ts";

/** `npm run dev`: the same server on the sources themselves; a saved change reloads the page. */

const root = join(import.meta.dirname, "..");

await startServer(async () => {
  const vite = await createServer({ root, server: { middlewareMode: true }, appType: "custom" });
  const load = () =>
    vite.ssrLoadModule("/app/server-entry.ts") as Promise<typeof import("../app/server-entry.ts")>;
  const { campus, theme } = await load();
  return {
    campus,
    theme,
    createSite: (services: SiteServices) => ({
      async fetch(request, connection) {
        return (await load()).createSite(services).fetch(request, connection as never);
      },
    }),
    clientDir: join(root, "build/client"),
    readAsset: () => "",
    islandUrl: "/app/islands/deletion-island.tsx",
    before: (request, response, next) => vite.middlewares(request, response, next),
  };
});
