import type { Config } from "@react-router/dev/config";
import { writeWordTypes } from "./campus-reader/product-words.ts";

writeWordTypes();

export default {
  ssr: true,
  buildDirectory: process.env.BUILD_DIR?.trim() || "build",
  // Pages contain no framework script, so no route is loaded lazily.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
