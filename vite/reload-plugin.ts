import type { Plugin } from "vite";
import { productWords } from "../campus-reader/product-words.ts";

/** Pages carry no framework script, so in development any changed source reloads the whole page. */
export function reloadPlugin(campusDir: string): Plugin {
  return {
    name: "reload-page",
    hotUpdate({ file, server }) {
      const isSource =
        /[\\/](app|server)[\\/]/.test(file) ||
        [campusDir, productWords].some((folder) => file.startsWith(folder));
      if (this.environment.name !== "client" || !isSource) return;
      server.environments.client.hot.send({ type: "full-reload" });
      return [];
    },
  };
}
