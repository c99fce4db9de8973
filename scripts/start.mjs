import { ensureBuilt, ensureInstalled, runProject } from "./project.mjs";

ensureInstalled();
ensureBuilt();
runProject("server/main.ts", { NODE_ENV: "production" });
