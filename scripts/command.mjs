// Runs one of the project's command-line programs under the pinned Node: node scripts/command.mjs
// NAME [PART] [arguments ...]. The option --campus FOLDER replaces CAMPUS_DIR.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { commands, onBuild, withTestTools } from "./commands.mjs";
import { ensureBuilt, ensureInstalled, ensureTestTools, fail, runProject } from "./project.mjs";

const [name, ...words] = process.argv.slice(2);
const file = typeof commands[name] === "string" ? commands[name] : fileOfPart(commands[name]);
const { tokens } = parseArgs({
  args: words,
  options: { campus: { type: "string" } },
  strict: false,
  tokens: true,
});
const named = tokens.find((token) => token.kind === "option" && token.name === "campus");
if (named && !named.value) fail("--campus needs a campus's folder after it.");
if (named) words.splice(named.index, named.inlineValue ? 1 : 2);
const other = named && { CAMPUS_DIR: named.value, BUILD_DIR: `build-${basename(named.value)}` };
const withoutWords = [commands.statements, commands.campus.check, commands.campus.ready];
if (withoutWords.includes(file)) {
  const isStrict = file === commands.campus.check && words[0] === "--strict";
  if (words[0] && !isStrict)
    fail(`“${words[0]}” is one argument too many. To use another campus, add --campus FOLDER.`);
} else if (
  file.startsWith("scripts/") &&
  file !== commands.campus.new &&
  /^(?:--help|-h)$/m.test(words.join("\n"))
) {
  // A file's first comment contains its help text.
  const [, head] = readFileSync(file, "utf8").split(/\/\*\*|\*\//);
  console.log(head.replace(/^ \*? ?/gm, "").trim());
  process.exit();
}
if (withTestTools.has(file)) ensureTestTools();
else ensureInstalled();
if (onBuild.has(file)) ensureBuilt();
runProject(file, other, words);

function fileOfPart(parts) {
  const part = words.shift() ?? "";
  if (Object.hasOwn(parts, part)) return parts[part];
  const known = `npm run ${name} -- ${Object.keys(parts).filter(Boolean).join(" | ")}`;
  if (!["help", "--help", "-h"].includes(part)) fail(known);
  console.log(known);
  process.exit();
}
