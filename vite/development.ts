import { join } from "node:path";
import { createServer } from "vite";
import { loadCampus } from "../campus-reader/load.ts";
import { CampusError, formatMistake, seenIn } from "../campus-reader/mistakes.ts";
import { escapeHtml } from "../server/platform/i18n/html-text.ts";
import type { SiteServices } from "../server/services.ts";
import type { SiteBundle } from "../server/site-bundle.ts";
import { startServer } from "../server/start.ts";
import { checkCampus } from "./check-campus.ts";
import { loadModules } from "./load-modules.ts";
import { root } from "./loaded-campus.ts";
import { readTheme } from "./theme.ts";

/** `npm run dev`: runs the server from source, and reloads the page whenever a file is saved. */

await startServer(async ({ campusDir, port }) => {
  // The reload port depends on the server's port so that several development servers can run.
  const hmr = { port: port < 40_000 ? port + 20_000 : port - 20_000 };
  const server = { middlewareMode: true, hmr };
  const vite = await createServer({ root, server, appType: "custom" });
  const campus = loadCampus(campusDir);
  const load = async () =>
    (await loadModules(vite, "/app/server-entry.ts")) as Pick<SiteBundle, "createSite">;
  // Result of the campus check. Pages report the mistakes that would fail a build, such as poor
  // contrast.
  let found: Promise<void> | undefined;
  vite.watcher.on("all", (_, file) => {
    if (file.startsWith(campusDir)) found = undefined;
  });
  // Load the pages before listening, because the first load takes longer than the server keeps idle
  // connections open.
  await load();
  return {
    campus,
    translations: campus.translations,
    theme: readTheme(join(campusDir, "theme.css")),
    createSite: (services: SiteServices) => ({
      // Vite's development server handles each request first, to serve files.
      listener: (incoming, outgoing) =>
        vite.middlewares(incoming, outgoing, async () => {
          try {
            found ??= requireNoMistakes(campusDir);
            await found;
            const { createSite } = await load();
            createSite(services).listener(incoming, outgoing);
          } catch (error) {
            vite.ssrFixStacktrace(error as Error);
            const { name, message, stack = message } = error as Error;
            const report =
              name === "CampusError" ? new CampusError(message).seenIn(campusDir) : stack;
            console.error(report);
            // This script reloads the error page once the mistake is fixed.
            const client = '<script type="module" src="/@vite/client"></script>';
            const headers = { "content-type": "text/html; charset=utf-8" };
            outgoing.writeHead(500, headers).end(`${client}<pre>${escapeHtml(report)}</pre>`);
          }
        }),
      // Development has no page cache to fill.
      prepare() {},
    }),
    clientDir: join(root, "app"),
    readAsset: () => "",
  };
});

/**
 * Validates the campus like a build, and prints the notes to the terminal.
 * @throws CampusError with one line per mistake
 */
async function requireNoMistakes(campusDir: string): Promise<void> {
  for (const note of await checkCampus(campusDir))
    console.warn(`Note: ${seenIn(campusDir, formatMistake(note))}`);
}
