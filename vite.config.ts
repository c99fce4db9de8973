import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { campusPlugin } from "./vite/campus-plugin.ts";
import { createClassNames } from "./vite/class-names.ts";
import { islandsPlugin } from "./vite/islands-plugin.ts";
import { picturesPlugin } from "./vite/pictures-plugin.ts";
import { reloadPlugin } from "./vite/reload-plugin.ts";
import { scriptPlugin } from "./vite/script-plugin.ts";

export default defineConfig(({ command }) => ({
  plugins: [
    campusPlugin(),
    picturesPlugin(),
    scriptPlugin(),
    islandsPlugin(),
    reactRouter(),
    reloadPlugin(),
  ],
  // The manifest is kept, because the addresses of islands are looked up in it.
  build: { assetsInlineLimit: 0, manifest: true, reportCompressedSize: false },
  css: {
    modules: {
      ...(command === "build" && { generateScopedName: createClassNames(import.meta.dirname) }),
    },
  },
  environments: {
    ssr: { build: { rolldownOptions: { input: "app/server-entry.ts" } } },
  },
}));
