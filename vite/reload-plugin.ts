import { join } from "node:path";
import type { Plugin } from "vite";
import { productWords } from "../campus-reader/product-words.ts";
import { forgetCampus, root } from "./loaded-campus.ts";

/**
 * Pages carry no framework script, so in development any changed source reloads the whole page. What no module imports, the
 * campus, the words and the drawings, may be in any of them: all are made anew.
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
