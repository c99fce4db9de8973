import { join } from "node:path";
import type { Plugin } from "vite";
import { CampusError, loadCampus } from "../campus/load.ts";
import { readTheme } from "./theme.ts";

const id = "virtual:campus";

/**
 * Offers the whole checked campus folder to the pages as `virtual:campus`. A mistake in the folder fails the build
 * with file, field and reason; in development a changed file reloads the page.
 */
export function campusPlugin(): Plugin {
  let folder = "";
  return {
    name: "campus",
    configResolved(config) {
      folder = join(config.root, "campus");
    },
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(source) {
      if (source !== `\0${id}`) return;
      try {
        const theme = readTheme(join(folder, "theme.css"));
        return `export const campus = ${JSON.stringify(loadCampus(folder))};\nexport const theme = ${JSON.stringify(theme)};`;
      } catch (error) {
        if (error instanceof CampusError)
          this.error(`The campus folder has mistakes:\n${error.message}`);
        throw error;
      }
    },
    configureServer(server) {
      server.watcher.add(folder);
    },
    hotUpdate({ file, server }) {
      if (!file.startsWith(folder)) return;
      for (const environment of Object.values(server.environments)) {
        const module = environment.moduleGraph.getModuleById(`\0${id}`);
        if (module) environment.moduleGraph.invalidateModule(module);
      }
    },
  };
}
