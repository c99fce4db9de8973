import { join } from "node:path";
import type { Plugin } from "vite";
import { productWords } from "../campus-reader/product-words.ts";
import { forgetCampus, root } from "./loaded-campus.ts";

/**
 * Reloads the whole page in development on any changed source, because pages carry no framework
 * script. Any page can depend on files that no module imports (campus, words, drawings), so a
 * change there rebuilds all.
 */
export function reloadPlugin(campusDir: string): Plugin {
  return {
    name: "reload-page",
    configureServer(server) {
      server.watcher.add([campusDir, productWords]);
    },
    hotUpdate({ file, server }) {
      const isContent = [campusDir, productWords, join(root, "app/art")].some((folder) =>
        file.startsWith(folder),
      );
      const isSource = isContent || /[\\/](app|server)[\\/]/.test(file);
      if (this.environment.name !== "client" || !isSource) return;
      if (isContent) {
        forgetCampus(campusDir);
        for (const { moduleGraph } of Object.values(server.environments))
          moduleGraph.invalidateAll();
      }
      server.environments.client.hot.send({ type: "full-reload" });
      return [];
    },
  };
}
