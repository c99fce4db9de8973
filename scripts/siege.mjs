// The siege at full length, a few minutes: npm run test:siege, or one attack by words of its name: npm run test:siege -- -t lock
import { ensureBuilt, ensureInstalled, runProject } from "./project.mjs";

ensureInstalled();
ensureBuilt();
runProject("node_modules/vitest/vitest.mjs", { NODE_ENV: "test", SIEGE: "long" }, [
  "run",
  "--project=siege",
  ...process.argv.slice(2),
]);
