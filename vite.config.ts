import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type EnvironmentOptions } from "vite";
import { readConfig } from "./server/config.ts";
import { campusPlugin } from "./vite/campus-plugin.ts";
import { createClassNames } from "./vite/class-names.ts";
import { writeDisplayFace } from "./vite/display-face.ts";
import { edgesPlugin } from "./vite/edges-plugin.ts";
import { lettersPlugin } from "./vite/letters-plugin.ts";
import { loadedCampus } from "./vite/loaded-campus.ts";
import { looseStylesPlugin } from "./vite/loose-styles-plugin.ts";
import { picturesPlugin } from "./vite/pictures-plugin.ts";
import { reloadPlugin } from "./vite/reload-plugin.ts";
import { scriptsPlugin } from "./vite/scripts-plugin.ts";

// Which campus is built, and where to, are settings like those of the server.
const { CAMPUS_DIR, BUILD_DIR } = process.env;
const read = readConfig({ CAMPUS_DIR, BUILD_DIR });
if (!read.ok) throw new Error(read.problems.join("\n"));
const { campusDir, buildDir } = read.config;

/** Pages lay out what the server read, and browsers are sent no script of theirs (scripts/build.mjs): that is no warning. */
const client: EnvironmentOptions = {
  build: {
    rolldownOptions: {
      // What lies far below a page's first view is a stylesheet of its own, which the page links (app/document/styles.ts).
      // So is that of pages which say what went wrong.
      output: {
        codeSplitting: {
          groups: ["late", "fault"].map((name) => ({
            name,
            test: new RegExp(`\\.${name}\\.module\\.css$`),
          })),
        },
      },
      onLog(level, log, tell) {
        if (!log.message.includes("externalized for browser compatibility")) tell(level, log);
      },
    },
  },
};

export default defineConfig(async ({ command }) => ({
  resolve: {
    alias: [
      {
        find: /^~display-face\.woff2/,
        replacement: await writeDisplayFace(loadedCampus(campusDir)),
      },
    ],
  },
  plugins: [
    campusPlugin(campusDir),
    picturesPlugin(campusDir),
    edgesPlugin(campusDir),
    lettersPlugin(campusDir),
    looseStylesPlugin(campusDir),
    scriptsPlugin(buildDir),
    reactRouter(),
    reloadPlugin(campusDir),
  ],
  // The manifest is kept, because the addresses of islands are looked up in it.
  build: {
    assetsInlineLimit: 0,
    // What every browser could by May 2024: no prefixed twins of what all of them read.
    cssTarget: ["chrome125", "edge125", "firefox126", "safari17.5", "ios17.5"],
    manifest: true,
    reportCompressedSize: false,
  },
  css: {
    modules: {
      ...(command === "build" && { generateScopedName: createClassNames(import.meta.dirname) }),
    },
  },
  environments: {
    client,
    ssr: { build: { rolldownOptions: { input: "app/server-entry.ts" } } },
  },
}));
