import { checkCampus, ensureInstalled, runProject } from "./project.mjs";

ensureInstalled();
checkCampus();
runProject("vite/development.ts", { NODE_ENV: "development" });
