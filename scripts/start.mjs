import { ensureBuiltUntilStopped, ensureInstalled, runProject } from "./project.mjs";

ensureInstalled();
await ensureBuiltUntilStopped();
runProject("server/main.ts", { NODE_ENV: "production" });
