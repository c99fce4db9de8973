// Builds what the mails of a drill are made of, if need be, and runs it.
import { ensureBuilt, ensureInstalled, runProject } from "./project.mjs";

ensureInstalled();
ensureBuilt();
runProject("server/command-line/drill.ts", {}, process.argv.slice(2));
