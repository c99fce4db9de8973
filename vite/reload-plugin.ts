import { join } from "node:path";
import type { Plugin } from "vite";
import { productWords } from "../campus-reader/product-words.ts";
import { forgetCampus, root } from "./loaded-campus.ts";

/**
 * During development, reloads the page after every change to a source file, because pages have no
 * client-side framework to update them. If no module imports the file (campus, text, drawings),
 * rebuilds everything, because any page may depend on it.
 */
export function reloadPlugin(campusDir: string): Plugin {
  return {
    name: "reload-page",
    configureServer(server) {
      server.watcher.add([campusDir, productWords]);
    },
    hotUpdate({ file, server }) {
      const isContent = [campusDir, productWords, join(root, "art")].some((folder) =>
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
