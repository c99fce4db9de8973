// npm run bench, or some of its parts: npm run bench -- pages form
import { ensureBuilt, ensureInstalled, runProject } from "./project.mjs";

ensureInstalled();
ensureBuilt();
runProject("bench/bench.ts");
