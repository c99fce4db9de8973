// The siege at full length, a few minutes, and 500 kills: npm run test:siege, or one attack by words of its name, and no
// kills: npm run test:siege -- -t lock
import { ensureBuilt, ensureInstalled, runProject } from "./project.mjs";

ensureInstalled();
ensureBuilt();
const some = process.argv.slice(2);
const kills =
  some.length > 0 ? [] : ["--project=site", "tests/siege/", "tests/faults/killed-server"];
runProject(
  "node_modules/vitest/vitest.mjs",
  { NODE_ENV: "test", SIEGE: "long", KILLS: process.env.KILLS ?? "500" },
  ["run", "--project=siege", ...kills, "--no-file-parallelism", ...some],
);
