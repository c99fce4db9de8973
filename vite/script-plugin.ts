import { readFileSync } from "node:fs";
import { minifySync, type Plugin } from "vite";

const suffix = "?script";

/** `import text from "./file.js?script"`: the file as minified text, for a script that is written into a page. */
export function scriptPlugin(): Plugin {
  return {
    name: "inline-script",
    enforce: "pre",
    load(id) {
      if (!id.endsWith(suffix)) return;
      const file = id.slice(0, -suffix.length);
      this.addWatchFile(file);
      const { code, errors } = minifySync(file, readFileSync(file, "utf8"));
      if (errors[0]) this.error(`${file}: ${errors[0].message}`);
      return `export default ${JSON.stringify(code)};`;
    },
  };
}
