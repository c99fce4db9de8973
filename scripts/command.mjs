// Runs one of the project's command-line programs under the pinned Node: node scripts/command.mjs NAME [PART] [words ...]
// Among the words, --campus FOLDER speaks of another campus than CAMPUS_DIR.
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { commands, onBuild, withTestTools } from "./commands.mjs";
import { ensureBuilt, ensureInstalled, ensureTestTools, fail, runProject } from "./project.mjs";

const [name, ...words] = process.argv.slice(2);
const file = typeof commands[name] === "string" ? commands[name] : fileOfPart(commands[name]);
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
if (withTestTools.has(file)) ensureTestTools();
else ensureInstalled();
if (onBuild.has(file)) ensureBuilt();
runProject(file, other, words);

function fileOfPart(parts) {
  const part = words.shift() ?? "";
  if (Object.hasOwn(parts, part)) return parts[part];
  fail(`npm run ${name} -- ${Object.keys(parts).filter(Boolean).join(" | ")}`);
}
