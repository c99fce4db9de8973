// Runs one of the project's command-line programs under the pinned Node: node scripts/command.mjs FILE [words ...]
// Among the words, --campus FOLDER speaks of another campus than CAMPUS_DIR.
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { ensureInstalled, runProject } from "./project.mjs";

ensureInstalled();
const [file, ...words] = process.argv.slice(2);
const { tokens, values } = parseArgs({
  args: words,
  options: { campus: { type: "string" } },
  strict: false,
  tokens: true,
});
const named = tokens.find((token) => token.kind === "option" && token.name === "campus");
if (named) words.splice(named.index, named.inlineValue ? 1 : 2);
const other = named && {
  CAMPUS_DIR: values.campus,
  BUILD_DIR: `build-${basename(String(values.campus))}`,
};
runProject(file, other, words);
