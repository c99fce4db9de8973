import { ensureInstalled, runProject } from "./project.mjs";

ensureInstalled();
runProject("vite/development.ts", { NODE_ENV: "development" });
