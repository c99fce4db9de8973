import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { campusPlugin } from "./vite/campus-plugin.ts";
import { picturesPlugin } from "./vite/pictures-plugin.ts";
import { reloadPlugin } from "./vite/reload-plugin.ts";

export default defineConfig({
  plugins: [campusPlugin(), picturesPlugin(), reactRouter(), reloadPlugin()],
  build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
  environments: {
    client: {
      build: {
        // Kept, because the server looks the island's file up in it.
        manifest: true,
        rolldownOptions: { input: ["app/islands/deletion-island.tsx"] },
      },
    },
    ssr: { build: { rolldownOptions: { input: "app/server-entry.ts" } } },
  },
});
