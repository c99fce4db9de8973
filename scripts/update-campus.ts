/**
 * npm run campus -- update
 *
 * Updates the campus to this version of the product. Removes text that equals the product's or that
 * no page shows anymore, removes markup from plain text, quotes sentences that a # cuts off, raises
 * low contrasts, updates deletion.yaml, and raises `kit` in campus.yaml. Lists what's new and which
 * changes to make by hand. Until you have made them, `kit` stays the same, and the campus builds as
 * before.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { type Document, isMap, isNode, isScalar, parseDocument, type YAMLMap } from "yaml";
import { checkDataFiles } from "../campus-reader/data-files.ts";
import { currentKit, isNewer, namesKit, writeKit } from "../campus-reader/kit.ts";
import { CampusError, formatMistake, type Mistake, seenIn } from "../campus-reader/mistakes.ts";
import { removePlainMarks, toRemoveMarks } from "../campus-reader/placeholders.ts";
import { readProductWords, wordFiles } from "../campus-reader/product-words.ts";
import { findTakenKey } from "../campus-reader/schema.ts";
import { cutOff, readTextFile } from "../campus-reader/text-files.ts";
import { findMistakes } from "../vite/check-campus.ts";
import { readThemeText } from "../vite/theme.ts";
import { raiseContrast } from "./new-campus-theme.ts";
import { campusDir, root } from "./project.mjs";
import { nameSchemas } from "./write-schemas.ts";

/** What's new for campus owners in each version. */
const changes: readonly (readonly [kit: string, sentence: string])[] = [
  ["1.12", "Unknown keys and texts are mistakes now. The message suggests the nearest key."],
  ["1.14", "Your own logo, photos and drawings go into pictures/ (npm run dev shows each name)."],
  [
    "1.14",
    "Editors complete and explain each file by its first line (.vscode recommends the extension).",
  ],
  ["1.14", "theme.css may not load anything from other hosts."],
  ["1.14", "Texts need a contrast of 7 to 1."],
  ["1.14", "Curly quotes, markup in plain text and stray files are mistakes now."],
  [
    "1.14",
    "So are linked files in an SVG, spaces in a photo's name, and texts that begin with & or !.",
  ],
];

type Update = {
  /** Descriptions of what the update changed. */
  done: string[];
  /** Changes that the owner must make by hand before the kit version can be raised. */
  left: string[];
  /** What's new since the campus's kit version. */
  changes: string[];
};

/**
 * Updates a campus.
 * @throws CampusError if the campus has mistakes under its own kit version. They must be fixed
 * first
 */
export async function updateCampus(folder: string): Promise<Update> {
  const before = await findMistakes(folder);
  if (before.errors.length > 0) throw new CampusError(before.errors);
  const done = [
    ...renameKeys(folder),
    ...quoteCutOff(folder, before.notes),
    ...removeUnshown(folder, before.notes),
    ...removeMarks(folder, before.notes),
    ...removeWords(folder),
    ...raiseContrasts(folder, before.notes),
  ];
  nameSchemas(folder);
  const file = join(folder, "campus.yaml");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, writeKit(text, currentKit));
  const { errors } = await findMistakes(folder);
  // A campus must build after an update, so restore the old kit version if some changes must be
  // made by hand.
  if (errors.length > 0) writeFileSync(file, text);
  else if (before.kit !== currentKit) done.push(`campus.yaml: kit is ${currentKit} now`);
  return {
    done,
    left: errors.map(formatMistake),
    changes: changes.filter(([kit]) => isNewer(kit, before.kit)).map(([, sentence]) => sentence),
  };
}

/** Edits a YAML file without losing its comments. Deletes the file if nothing is left in it. */
function edit(folder: string, file: string, change: (document: Document.Parsed) => string[]) {
  const path = join(folder, file);
  if (!existsSync(path)) return [];
  const text = readTextFile(path);
  const document = parseDocument(text);
  const done = change(document).map((what) => `${file}: ${what}`);
  if (done.length === 0) return [];
  const { contents } = document;
  if (isMap(contents) && contents.items.length === 0) {
    rmSync(path);
    return [...done, `${file}: the file was deleted, because nothing was left in it`];
  }
  writeFileSync(path, document.toString({ lineWidth: 0 }));
  return done;
}

/**
 * Marks a store that has the website's key as the website's own entry, and removes `holds`, which
 * nothing reads.
 */
function renameKeys(folder: string): string[] {
  return edit(folder, "deletion.yaml", (document) => {
    const taken = findTakenKey(document.toJS());
    const done: string[] = [];
    if (taken >= 0) {
      document.setIn(["stores", taken, "holder"], "this-site");
      document.deleteIn(["stores", taken, "told"]);
      done.push(`stores.${taken}.holder is this-site now, as the website's own entry`);
    }
    for (const [index, kind] of (document.toJS().kinds ?? []).entries()) {
      if (!("holds" in Object(kind))) continue;
      document.deleteIn(["kinds", index, "holds"]);
      done.push(`kinds.${index}.holds was removed; nothing reads it`);
    }
    return done;
  });
}

/** Quotes sentences that a # would cut off. */
function quoteCutOff(folder: string, notes: readonly Mistake[]): string[] {
  return notes.flatMap(({ file, line = 0, sentence }) => {
    const path = join(folder, file);
    if (sentence !== cutOff || !file.endsWith(".yaml")) return [];
    const lines = readTextFile(path).split("\n");
    const [, key = "", text] =
      /^(\s*(?:- )?[\w-]+: |\s*- )(\S.*)$/.exec(lines[line - 1] ?? "") ?? [];
    if (text === undefined) return [];
    lines[line - 1] = key + JSON.stringify(text.trim());
    writeFileSync(path, lines.join("\n"));
    return [`${file}: the sentence of line ${line} is in quotes now, so that # doesn't cut it off`];
  });
}

/**
 * Removes overrides that don't match the product's text and are therefore ignored. Keeps texts with
 * other notes, such as about a word that no one says.
 */
function removeUnshown(folder: string, notes: readonly Mistake[]): string[] {
  const ofWords = notes.filter(({ isIgnored }) => isIgnored);
  return [...new Set(ofWords.map(({ file }) => file))].flatMap((file) =>
    edit(folder, file, (document) =>
      ofWords
        .filter((note) => note.file === file)
        .flatMap(({ field }) => {
          // A campus replaces lists entirely, so remove the full list.
          const path = field.replace(/\.\d+(?:\..*)?$/, "").split(".");
          if (!document.hasIn(path)) return [];
          document.deleteIn(path);
          return [`${path.join(".")} was removed; no page shows it`];
        }),
    ),
  );
}

/** Removes Markdown that a page would show literally, and keeps the text. */
function removeMarks(folder: string, notes: readonly Mistake[]): string[] {
  const marked = notes.filter(
    ({ file, sentence }) => file.endsWith(".yaml") && sentence.endsWith(toRemoveMarks),
  );
  return marked.flatMap(({ file, field }) =>
    edit(folder, file, (document) => {
      const path = field.split(".").map((key) => (/^\d+$/.test(key) ? Number(key) : key));
      const text = document.getIn(path);
      if (typeof text !== "string") return [];
      document.setIn(path, removePlainMarks(text));
      return [`${field} is without markup now, which the page would show`];
    }),
  );
}

/** Removes overrides that equal the product's text. */
function removeWords(folder: string): string[] {
  const { settings } = checkDataFiles(folder);
  const languages = [settings.language, ...Object.keys(settings.translations)];
  return languages.flatMap((language) =>
    wordFiles.flatMap((name) =>
      edit(folder, `content/${language}/${name}.yaml`, ({ contents }) => {
        const ours = readProductWords(language, name);
        const count = isMap(contents) ? removeAlike(contents, ours, "") : 0;
        return count > 0 ? [`${count} texts were removed, because they equal the product's`] : [];
      }),
    ),
  );
}

/** Changes colors whose contrast is too low under the rules of this version. */
function raiseContrasts(folder: string, notes: readonly Mistake[]): string[] {
  const path = join(folder, "theme.css");
  if (!notes.some(({ file, field }) => file === "theme.css" && field.includes(" --"))) return [];
  const before = readTextFile(path);
  const css = raiseContrast(before, join(root, "campus/theme.css"));
  const [old, changed] = [readThemeText(before), readThemeText(css)];
  writeFileSync(path, css);
  return (["light", "dark"] as const).flatMap((scheme) =>
    Object.entries(changed[scheme])
      .filter(([name, colour]) => old[scheme][name] !== colour)
      .map(
        ([name, colour]) => `theme.css: ${scheme} --${name} is ${colour} now, for better contrast`,
      ),
  );
}

/** Groups that a campus replaces entirely. */
const wholeGroups = /^form\.reasons$/;

/**
 * Removes overrides that equal the product's text, and groups that become empty. Returns the number
 * of removed overrides.
 */
function removeAlike(node: YAMLMap, ours: unknown, at: string): number {
  let count = 0;
  for (const { key, value } of [...node.items]) {
    const name = isScalar(key) ? String(key.value) : "";
    const place = at ? `${at}.${name}` : name;
    const same = Object(ours)[name];
    const plain = isNode(value) ? value.toJSON() : value;
    if (same !== undefined && isDeepStrictEqual(plain, same)) {
      count += 1;
      node.delete(key);
    } else if (isMap(value) && !wholeGroups.test(place)) {
      count += removeAlike(value, same, place);
      if (value.items.length === 0) node.delete(key);
    }
  }
  return count;
}

if (import.meta.main) {
  parseArgs({ options: {} });
  try {
    const { kit } = checkDataFiles(campusDir);
    const from = namesKit(kit) ? `made by ${kit}` : "without a kit, so from before 1.14";
    const { done, left, changes } = await updateCampus(campusDir);
    console.log(`${campusDir} was ${from}; this is ${currentKit}.`);
    if (changes.length > 0) console.log(`\nNew:\n${changes.map((line) => `- ${line}`).join("\n")}`);
    if (done.length > 0) console.log(`\nDone:\n${done.map((line) => `- ${line}`).join("\n")}`);
    if (left.length > 0) {
      console.log(`\nLeft for you; kit stays until then:\n${seenIn(campusDir, left.join("\n"))}`);
      process.exitCode = 1;
    }
  } catch (error) {
    if (!(error instanceof CampusError)) throw error;
    console.error(`${campusDir} has mistakes; fix them first:\n${error.seenIn(campusDir)}`);
    process.exitCode = 1;
  }
}
