// Serves the result of `npm run build` without installing or building anything, so that the
// server's OS user needs write access only to the data folder. If this process already runs under
// the pinned Node, it becomes the server.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fail, findBuild, npm, pinnedNode, root, runProject } from "./project.mjs";

const advice = "Run `npm run build` first, as the owner of the code.";
if (!existsSync(join(root, "node_modules"))) fail(`Nothing is installed yet. ${advice}`);
const build = findBuild();
if (build === "missing") fail(`Nothing is built yet. ${advice}`);
if (build === "outdated") fail(`The code has changed since it was built. ${advice}`);

process.env.NODE_ENV = "production";
if (process.execPath === pinnedNode() && !npm) await import("../server/main.ts");
else runProject("server/main.ts", { NODE_ENV: "production" });
