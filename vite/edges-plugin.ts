import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { isLongName } from "../app/ui/long-name.ts";
import { loadedCampus, root } from "./loaded-campus.ts";

/** Part of a stylesheet that cuts or hangs an ornamental edge, between two comments. */
const edge = /\/\* <edge ([\w-]+)> \*\/([\s\S]*?)\/\* <\/edge> \*\//g;

/** Styles that only a long name of the app needs. */
const longName = /\/\* <long-name> \*\/[\s\S]*?\/\* <\/long-name> \*\//g;

/**
 * Replaces the scalloped edges of fields, cards and pictures by waves for a campus whose drawings
 * show another place than the delta. The build does it, so that no page carries both. Removes
 * styles for a long app name if the name is short.
 * @param campusDir the absolute path of the campus
 */
export function edgesPlugin(campusDir: string): Plugin {
  return {
    name: "edges",
    enforce: "pre",
    transform(css, id) {
      if (!/\.css(\?|$)/.test(id) || (css.search(edge) < 0 && css.search(longName) < 0)) return;
      const { motifs, product } = loadedCampus(campusDir).settings;
      const named = forName(css, product);
      const waves = () => readFileSync(join(root, "app/ui/waves.css"), "utf8");
      return { code: motifs === "delta" ? named : withWaves(named, waves()), map: null };
    },
  };
}

/** Removes the styles for a long name if the name is short. */
export function forName(css: string, product: string): string {
  return isLongName(product) ? css : css.replace(longName, "");
}

/** Replaces a stylesheet's edges by those of the same names in `waves`. */
export function withWaves(css: string, waves: string): string {
  const cuts = new Map([...waves.matchAll(edge)].map(([, name, cut]) => [name, cut]));
  return css.replace(edge, (_, name: string) => {
    const cut = cuts.get(name);
    if (cut === undefined) throw new Error(`app/ui/waves.css has no edge named ${name}`);
    return cut;
  });
}
