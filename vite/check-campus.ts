/**
 * npm run campus -- check [--strict] lists this campus's mistakes, one sentence each, and its
 * notes, which don't fail the build. Exits with 1 if there are mistakes; with --strict, also if
 * there are notes. A build adds --briefly, and --draw=FOLDER to draw the pictures of a campus
 * without mistakes.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { LoadedCampus } from "../campus-reader/campus.ts";
import { readCampusData } from "../campus-reader/data-files.ts";
import { readCampus } from "../campus-reader/load.ts";
import {
  CampusError,
  type Details,
  errorsIn,
  formatMistake,
  type Mistake,
  notesIn,
  seenIn,
} from "../campus-reader/mistakes.ts";
import { listTexts, readProductWords, wordFiles } from "../campus-reader/product-words.ts";
import { parseYaml, readTextFile } from "../campus-reader/text-files.ts";
import { readConfig } from "../server/config.ts";
import { findUnreadable } from "./contrast.ts";
import { findMissingFont } from "./heading-font.ts";
import { checkOwnPictures } from "./own-pictures.ts";
import { drawInto, findMissingPictures } from "./pictures-plugin.ts";
import { findUnwritableMails } from "./sample-mails.ts";
import { checkTheme, type Theme } from "./theme.ts";

/**
 * Validates a campus like a build, but without building: text, colors, pictures, and one email of
 * each kind. Reads every file, even if other files contain mistakes.
 */
export async function findMistakes(campusDir: string) {
  const { campus, kit, mistakes: all, report } = readCampus(campusDir);
  const add = (found: readonly (Mistake & Details)[]) => {
    for (const { file, field, sentence, ...details } of found)
      report(file, field, sentence, details);
  };
  const { theme, mistakes: inTheme } = checkTheme(join(campusDir, "theme.css"));
  add(inTheme);
  const wrong = inTheme.map(({ field }) => field.replace(/^.*--/, ""));
  if (theme) add(findUnreadable(theme, wrong));
  const { pictures, mistakes: inPictures, unusable } = await checkOwnPictures(campusDir);
  add(inPictures);
  if (campus) add(findMissingPictures(campus, pictures, unusable));
  if (campus) add(findMissingFont(campusDir, campus.settings));
  // Rendering emails fails if their text contains mistakes.
  const editions = campus && errorsIn(all).length === 0 ? [campus, ...campus.translations] : [];
  for (const edition of theme ? editions : []) add(findUnwritableMails(edition, theme as Theme));
  return { campus, kit, errors: errorsIn(all), notes: notesIn(all) };
}

/**
 * Reports, for each language that lacks some of the product's texts, how many it has and which
 * language the others are shown in.
 */
export function findBorrowed(
  { settings, translations }: LoadedCampus,
  campusDir: string,
): string[] {
  return [settings, ...translations.map((translation) => translation.settings)].flatMap(
    ({ language }) => {
      const [translated, all] = countWords(campusDir, language);
      if (translated === all) return [];
      const from = language === settings.language ? "English" : settings.language;
      return `${language}: ${translated} of ${all} product texts; the others are shown in ${from === "en" ? "English" : from}`;
    },
  );
}

/**
 * Counts the product's messages. Returns how many of them exist in this language (`translated`), in
 * the product or the campus, and how many there are (`all`).
 */
function countWords(campusDir: string, language: string): [translated: number, all: number] {
  const counts = wordFiles.map((name) => {
    const path = join(campusDir, "content", language, `${name}.yaml`);
    const campusWords = existsSync(path) ? parseYaml(readTextFile(path)) : {};
    const spoken = [readProductWords(language, name) ?? {}, campusWords].flatMap((words) =>
      listTexts(words),
    );
    const there = new Set(spoken.map(([place]) => place));
    const places = listTexts(readProductWords("en", name)).map(([place]) => place);
    return [places.filter((place) => there.has(place)).length, places.length] as const;
  });
  const sum = (index: 0 | 1) => counts.reduce((total, count) => total + count[index], 0);
  return [sum(0), sum(1)];
}

/**
 * Validates a campus like a build, and returns its notes.
 * @throws CampusError with one line per mistake
 */
export async function checkCampus(campusDir: string): Promise<readonly Mistake[]> {
  const { errors, notes } = await findMistakes(campusDir);
  if (errors.length > 0) throw new CampusError(errors);
  return notes;
}

const toTakeOut =
  "You can remove what deletion.yaml says about this website, because words/ already says it. Your own wording goes into held in content/LANGUAGE/deletion.yaml.";

async function run(
  campusDir: string,
  { isBrief, isStrict }: { isBrief: boolean; isStrict: boolean },
): Promise<void> {
  const { campus, errors, notes } = await findMistakes(campusDir);
  const list = (found: readonly Mistake[]) =>
    seenIn(campusDir, found.map(formatMistake).join("\n"));
  if (errors.length > 0) {
    console.error(`${campusDir} has mistakes:\n${list(errors)}`);
    process.exitCode = 1;
  } else {
    console.log(`No mistakes in ${campusDir}.`);
  }
  if (notes.length > 0) {
    const many =
      notes.length === 1
        ? "1 note, which doesn't fail the build"
        : `${notes.length} notes, which don't fail the build`;
    console.log(`${many}: ${isBrief ? "see npm run campus -- check" : `\n${list(notes)}`}`);
    if (isStrict) process.exitCode = 1;
  }
  if (isBrief || errors.length > 0 || !campus) return;
  const { settings, dataList } = readCampusData(campusDir);
  for (const translation of campus.translations) {
    const borrowed = translation.landing.services.items.filter(({ language }) => language);
    const names = borrowed.map(({ id }) => id).join(", ");
    const place = `content/${translation.settings.language}/landing.yaml: services.items`;
    if (names) console.log(`${place}: not translated, shown in ${settings.language}: ${names}`);
  }
  for (const line of findBorrowed(campus, campusDir)) console.log(line);
  const today = Temporal.Now.plainDateISO(settings.timeZone).toString();
  for (const [index, { until }] of settings.notices.entries()) {
    if (until < today) console.log(`campus.yaml: notices.${index}: ended on ${until}; remove it`);
  }
  const website = dataList.stores.find(({ holder }) => holder === "this-site");
  if (website?.words[settings.language]) console.log(toTakeOut);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      briefly: { type: "boolean" },
      strict: { type: "boolean" },
      draw: { type: "string" },
    },
  });
  const read = readConfig({ CAMPUS_DIR: process.env.CAMPUS_DIR });
  if (!read.ok) throw new Error(read.problems.join("\n"));
  await run(read.config.campusDir, {
    isBrief: values.briefly === true,
    isStrict: values.strict === true,
  });
  if (values.draw && process.exitCode === undefined) {
    await drawInto(values.draw, read.config.campusDir);
  }
}
