import { globSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { minifySync, type Plugin } from "vite";
import { root } from "./loaded-campus.ts";

const island = "?island";
const inline = "?script";

/**
 * Bundles scripts for browsers. Each `name.island.tsx` (with React) and `name.script.ts` (without)
 * becomes a separate script; `import scriptUrl from "./name.island.tsx?island"` returns its URL.
 * The server bundle is built second, because it imports these URLs. `import text from
 * "./file.js?script"` returns a file's minified code for inlining into a page.
 */
export function scriptsPlugin(buildDir: string): Plugin {
  return {
    name: "scripts",
    enforce: "pre",
    config: () => ({
      environments: {
        client: {
          build: {
            rolldownOptions: { input: globSync("app/**/*.{island.tsx,script.ts}", { cwd: root }) },
          },
        },
      },
    }),
    load(id) {
      if (id.endsWith(inline)) {
        const file = id.slice(0, -inline.length);
        this.addWatchFile(file);
        const { code, errors } = minifySync(file, readFileSync(file, "utf8"));
        if (errors[0]) this.error(`${file}: ${errors[0].message}`);
        return `export default ${JSON.stringify(code)};`;
      }
      if (!id.endsWith(island)) return;
      const file = relative(root, id.slice(0, -island.length)).split(sep).join("/");
      let url = `/${file}`;
      if (this.environment.mode === "build" && this.environment.name === "ssr") {
        const manifest = readFileSync(join(buildDir, "client/.vite/manifest.json"), "utf8");
        const built = (JSON.parse(manifest) as Record<string, { file: string } | undefined>)[file];
        if (!built) this.error(`${file}: the build for browsers has no such island`);
        url = `/${built.file}`;
      }
      return `export default ${JSON.stringify(url)};`;
    },
  };
}
