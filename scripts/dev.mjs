// Serves the site from the source files and reloads the page after each save.
import { ensureInstalled, runProject } from "./project.mjs";

ensureInstalled();
runProject("vite/development-loop.ts", { NODE_ENV: "development" });
