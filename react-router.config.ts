import type { Config } from "@react-router/dev/config";
import { writeWordTypes } from "./campus-reader/product-words.ts";

writeWordTypes();

export default {
  ssr: true,
  buildDirectory: process.env.BUILD_DIR?.trim() || "build",
  // Every page is rendered by the server and carries no framework script, so no route is ever fetched lazily.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
