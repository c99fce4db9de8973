import { join } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type EnvironmentOptions } from "vite";
import { readConfig } from "./server/config.ts";
import { campusPlugin } from "./vite/campus-plugin.ts";
import { writeDisplayFace } from "./vite/display-face.ts";
import { lettersPlugin } from "./vite/letters-plugin.ts";
import { loadedCampus } from "./vite/loaded-campus.ts";
import { looseStylesPlugin } from "./vite/loose-styles-plugin.ts";
import { picturesPlugin } from "./vite/pictures-plugin.ts";
import { reloadPlugin } from "./vite/reload-plugin.ts";
import { scriptsPlugin } from "./vite/scripts-plugin.ts";

// Campus and output folder are settings, like the server's.
const { CAMPUS_DIR, BUILD_DIR } = process.env;
const read = readConfig({ CAMPUS_DIR, BUILD_DIR });
if (!read.ok) throw new Error(read.problems.join("\n"));
const { campusDir, buildDir } = read.config;

/** Browsers get no script of most pages (scripts/build.mjs), so empty chunks are no warning. */
const client: EnvironmentOptions = {
  build: {
    rolldownOptions: {
      // Styles far below a page's first view become a stylesheet of their own, which the page links
      // (app/document/styles.ts). So do those of error pages.
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
      // Edges of fields, cards and pictures: scallops in the delta, waves elsewhere.
      {
        find: "~edges",
        replacement: join(
          import.meta.dirname,
          "app/ui/edges",
          loadedCampus(campusDir).settings.motifs === "delta" ? "scallops" : "waves",
        ),
      },
      {
        find: /^~display-face\.woff2/,
        replacement: await writeDisplayFace(loadedCampus(campusDir)),
      },
    ],
  },
  plugins: [
    campusPlugin(campusDir),
    picturesPlugin(campusDir),
    lettersPlugin(campusDir),
    looseStylesPlugin(campusDir),
    scriptsPlugin(buildDir),
    reactRouter(),
    reloadPlugin(campusDir),
  ],
  // Keeps the manifest, to look up the addresses of islands.
  build: {
    assetsInlineLimit: 0,
    // Browsers of May 2024 and later: none needs prefixed twins.
    cssTarget: ["chrome125", "edge125", "firefox126", "safari17.5", "ios17.5"],
    manifest: true,
    reportCompressedSize: false,
  },
  css: {
    modules: {
      // Every page sends the names, in its markup and its styles.
      ...(command === "build" && { generateScopedName: "[hash:base26:4]" }),
    },
  },
  environments: {
    client,
    ssr: { build: { rolldownOptions: { input: "app/server-entry.ts" } } },
  },
}));
