// Runs one of the project's command-line programs under the pinned Node: node scripts/command.mjs FILE [words ...]
import { ensureInstalled, runProject } from "./project.mjs";

ensureInstalled();
const [file, ...words] = process.argv.slice(2);
runProject(file, {}, words);
