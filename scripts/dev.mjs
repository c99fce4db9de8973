import { spawnSync } from "node:child_process";
import { ensureInstalled, pinnedNode, projectEnvironment, root, runProject } from "./project.mjs";

ensureInstalled();
// A mistake in the campus is told in its own sentence, and not by the tools that meet it.
const check = spawnSync(pinnedNode(), ["vite/check-campus.ts"], {
  cwd: root,
  env: projectEnvironment,
  stdio: "inherit",
});
if (check.status !== 0) process.exit(1);
runProject("vite/development.ts", { NODE_ENV: "development" });
