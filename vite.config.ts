import { createHash } from "node:crypto";
import { relative } from "node:path";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { campusPlugin } from "./vite/campus-plugin.ts";
import { picturesPlugin } from "./vite/pictures-plugin.ts";
import { reloadPlugin } from "./vite/reload-plugin.ts";
import { scriptPlugin } from "./vite/script-plugin.ts";

export default defineConfig(({ command }) => ({
  plugins: [campusPlugin(), picturesPlugin(), scriptPlugin(), reactRouter(), reloadPlugin()],
  // The manifest is kept, because the server looks the island's file up in it.
  build: { assetsInlineLimit: 0, manifest: true, reportCompressedSize: false },
  css: {
    modules: {
      // Class names are sent with every page, in its markup and in its styles.
      ...(command === "build" && {
        generateScopedName: (name: string, file: string) =>
          `c${createHash("sha256")
            .update(`${relative(import.meta.dirname, file.split("?")[0] ?? "")} ${name}`)
            .digest("base64url")
            .replaceAll(/[-_]/g, "")
            .slice(0, 4)}`,
      }),
    },
  },
  environments: {
    client: {
      build: {
        rolldownOptions: { input: ["app/islands/deletion-island.tsx"] },
      },
    },
    ssr: { build: { rolldownOptions: { input: "app/server-entry.ts" } } },
  },
}));
