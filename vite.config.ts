import { join } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type EnvironmentOptions } from "vite";
import { readConfig } from "./server/config.ts";
import { campusPlugin } from "./vite/campus-plugin.ts";
import { loadedCampus } from "./vite/loaded-campus.ts";
import { picturesPlugin } from "./vite/pictures-plugin.ts";
import { reloadPlugin } from "./vite/reload-plugin.ts";
import { scriptsPlugin } from "./vite/scripts-plugin.ts";

// The campus and the output folder come from settings that the server reads, too.
const { CAMPUS_DIR, BUILD_DIR } = process.env;
const read = readConfig({ CAMPUS_DIR, BUILD_DIR });
if (!read.ok) throw new Error(read.problems.join("\n"));
const { campusDir, buildDir } = read.config;

/**
 * Suppresses warnings about empty chunks. Most chunks are empty because most pages send no script
 * to browsers (scripts/build.mjs).
 */
const client: EnvironmentOptions = {
  build: {
    rolldownOptions: {
      // Styles of the footer, of sections far below the fold and of error pages become separate
      // stylesheets so that pages can link to them (app/document/styles.ts).
      output: {
        codeSplitting: {
          groups: [
            { name: "footer", test: /site-footer\.module\.css$/ },
            { name: "late", test: /\.late\.module\.css$/ },
            { name: "fault", test: /\.fault\.module\.css$/ },
          ],
        },
      },
      onLog(level, log, tell) {
        if (!log.message.includes("externalized for browser compatibility")) tell(level, log);
      },
    },
  },
};

export default defineConfig(({ command }) => ({
  resolve: {
    alias: [
      // Edges of sections, cards and pictures: scallops for the delta motifs, waves for all others.
      {
        find: "~edges",
        replacement: join(
          import.meta.dirname,
          "app/components/edges",
          loadedCampus(campusDir).settings.motifs === "delta" ? "scallops" : "waves",
        ),
      },
    ],
  },
  plugins: [
    campusPlugin(campusDir),
    picturesPlugin(campusDir),
    scriptsPlugin(buildDir),
    reactRouter(),
    reloadPlugin(campusDir),
  ],
  // The server looks up the URLs of islands in the manifest.
  build: {
    assetsInlineLimit: 0,
    // Browsers released since May 2024, none of which needs vendor prefixes.
    cssTarget: ["chrome125", "edge125", "firefox126", "safari17.5", "ios17.5"],
    manifest: true,
    reportCompressedSize: false,
  },
  css: {
    modules: {
      // Short class names, because they are in every page's markup and styles.
      ...(command === "build" && { generateScopedName: "[hash:base26:4]" }),
    },
  },
  environments: {
    client,
    ssr: { build: { rolldownOptions: { input: "app/server-entry.ts" } } },
  },
}));
