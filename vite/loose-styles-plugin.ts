import type { Plugin } from "vite";
import { loosen, loosePath, looseScriptOf } from "../app/document/script-styles.ts";
import { loadedCampus } from "./loaded-campus.ts";

/**
 * Writes a loosened copy of each stylesheet for every script of the campus's languages that needs
 * one.
 * @param campusDir the absolute path of the campus
 */
export function looseStylesPlugin(campusDir: string): Plugin {
  return {
    name: "loose-styles",
    applyToEnvironment: ({ name }) => name === "client",
    generateBundle(_, bundle) {
      const campus = loadedCampus(campusDir);
      const languages = [campus, ...campus.translations].map(({ settings }) => settings.language);
      const scripts = new Set(
        languages.map(looseScriptOf).filter((script) => script !== undefined),
      );
      for (const file of Object.values(bundle)) {
        if (file.type !== "asset" || !file.fileName.endsWith(".css")) continue;
        for (const script of scripts) {
          const fileName = loosePath(file.fileName, script);
          this.emitFile({ type: "asset", fileName, source: loosen(String(file.source), script) });
        }
      }
    },
  };
}
