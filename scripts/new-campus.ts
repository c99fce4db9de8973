/**
 * Writes a small, complete campus into a new folder, as a starting point. It is a copy of
 * new-campus/ with your answers, in the colors of the first campus, adapted to your main color.
 * Asks for the answers unless you give some of them as flags:
 *
 *   npm run campus -- new ../our-campus
 *   npm run campus -- new ../our-campus --product HopOn --university "Northlake College" --primary "#8a2be2"
 */
import {
  cpSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { isScalar, parseDocument, visit } from "yaml";
import type { z } from "zod";
import { heroVehicles, sectionNames } from "../campus-reader/choices.ts";
import { CampusError } from "../campus-reader/mistakes.ts";
import { settingsSchema } from "../campus-reader/schema.ts";
import { isFolder, parseYaml, readTextFile } from "../campus-reader/text-files.ts";
import { checkCampus } from "../vite/check-campus.ts";
import { isReadableOn, themeWith } from "./new-campus-theme.ts";
import { root } from "./project.mjs";
import { nameSchemas } from "./write-schemas.ts";

/**
 * Questions in order, with their default answers. If an answer goes into `campus.yaml` unchanged,
 * the third value is its path there. All defaults are valid answers.
 */
export const questions = {
  product: ["Name of the app, as on its listing", "Our Ride", "product"],
  team: ["Name of the team, as on the listing", "Our Ride Team", "developer"],
  university: ["University or college", "Our University", "campus"],
  city: ["City", "Our City", "city"],
  country: ["Country", "Our Country", "country"],
  language: [
    "Language of your texts, two letters (de: most begin in German; bn: in Bangla; others: in English)",
    "en",
    "language",
  ],
  zone: ["Time zone, such as Europe/Vienna", "Etc/UTC", "timeZone"],
  email: ["Email address for questions", "help@our-ride.example", "email"],
  emergency: ["Emergency number there", "112", "emergency"],
  sign: ["Sign of the money, such as €", "€", "currency.sign"],
  currency: ["Its three letters, such as EUR", "EUR", "currency.code"],
  wallet: ["The way of paying that everyone knows", "a card", "wallet"],
  fare: ["Fare of a short ride, such as 50 (empty: a guess for this currency)", ""],
  weekend: ["Weekend, 1 for Monday to 7 for Sunday, such as 6,7", "6,7"],
  android: ["Address in the store for Android (empty: coming soon; none: not planned)", ""],
  ios: ["Address in the store for iOS (empty: coming soon; none: not planned)", ""],
  vehicle: [
    `Vehicle at the top of the page: ${heroVehicles.join(" or ")}`,
    "motorbike",
    "heroVehicle",
  ],
  without: [`Parts to leave out, such as blog, careers (of ${sectionNames.join(", ")})`, ""],
  primary: ["Main colour, such as #006d77", "#006d77"],
  person: ["Legal person that answers for it", "Our Ride Association", "legal.person"],
  address: ["Where letters reach it", "1 Campus Road, Our City", "legal.address"],
} as const satisfies Record<string, readonly [question: string, otherwise: string, place?: string]>;

export type Answers = Record<keyof typeof questions, string>;

/** The default answers. */
export const untouched = Object.fromEntries(
  Object.entries(questions).map(([key, [, otherwise]]) => [key, otherwise]),
) as Answers;

/**
 * Writes the campus folder.
 * @param folder must be empty or missing
 * @throws CampusError if an answer is invalid or the folder can't be used
 */
export async function writeCampus(folder: string, answers: Answers): Promise<void> {
  requireEmpty(folder);
  requirePossible(answers);
  try {
    await fill(folder, answers);
  } catch (error) {
    if (!existsSync(folder)) {
      const { code } = error as NodeJS.ErrnoException;
      throw new CampusError(
        `${folder}: cannot be made (${code}); name a folder that you may write`,
      );
    }
    // Delete the files of an incomplete campus, because the next attempt needs an empty folder.
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    throw error;
  }
}

function requireEmpty(folder: string): void {
  if (existsSync(folder) && !isFolder(folder)) {
    throw new CampusError(`${folder}: is a file; name a folder that is not there yet`);
  }
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new CampusError(`${folder}: is not empty; name a folder that is not there yet`);
  }
}

/** Reports all invalid answers, each with its flag. */
function requirePossible(answers: Answers): void {
  const mistakes = (Object.entries(answers) as [keyof Answers, string][]).flatMap(
    ([key, answer]) => {
      const mistake = findMistake(key, answer);
      return mistake ? `--${key}=${answer}: ${mistake}` : [];
    },
  );
  if (mistakes.length > 0) throw new CampusError(mistakes.join("\n"));
}

async function fill(folder: string, answers: Answers): Promise<void> {
  cpSync(join(import.meta.dirname, "new-campus"), folder, { recursive: true });
  const questionsIn = join(translations, `${answers.language}.faq.yaml`);
  if (existsSync(questionsIn)) cpSync(questionsIn, join(folder, "content/en/faq.yaml"));
  const edit = (file: string, change: (text: string) => string) =>
    writeFileSync(join(folder, file), change(readFileSync(join(folder, file), "utf8")));
  const values: Record<string, unknown> = {
    ...answers,
    weekend: weekendDays(answers.weekend),
    contact: `mailto:${answers.email}`,
    nextYear: Temporal.Now.plainDateISO().add({ months: 11 }),
    ...fareOf(answers),
    thisMonth: new Date().toLocaleDateString("en", { month: "long", year: "numeric" }),
  };
  const put = (text: string) =>
    text.replace(/\$(\w+)/g, (_, name: string) => JSON.stringify(values[name]));
  edit("calendar.yaml", put);
  edit("content/en/landing.yaml", put);
  leaveOut(folder, listOf(answers.without));
  edit("campus.yaml", (text) =>
    put(text)
      .replace(/^.*url: "none".*\n/gm, "")
      .replace(/^stores:\n(?! )/m, "stores: []\n"),
  );
  const theme = themeWith(answers.primary, join(root, "campus/theme.css"));
  writeFileSync(join(folder, "theme.css"), theme);
  if (answers.language !== "en") moveTo(answers.language, folder);
  if (isTranslated(answers.language)) translate(answers.language, folder);
  nameSchemas(folder);
  await checkCampus(folder);
}

/** Splits an answer that contains several names. */
const listOf = (answer: string) => answer.split(/[\s,]+/).filter(Boolean);

/** Default fares for a short ride, keyed by currency. */
const usualFares: Record<string, number> = {
  BDT: 45,
  EGP: 25,
  GHS: 20,
  INR: 40,
  KES: 100,
  NGN: 900,
  NPR: 100,
  PHP: 60,
  PKR: 150,
  RWF: 900,
  TZS: 2000,
  UAH: 80,
  UGX: 4000,
  VND: 20_000,
  IDR: 12_000,
  ZAR: 30,
};

/** Returns the three parts of the example fare, keyed by placeholder. */
function fareOf({ fare, currency }: Answers): Record<string, number> {
  const total = Number(fare) || (usualFares[currency] ?? 3);
  const unit = Number.isInteger(total) && total >= 10 ? 1 : 100;
  const round = (part: number) => Math.round(part * unit) / unit;
  const base = round(total * 0.4);
  return { fareBase: base, fareDistance: base, fareTime: round(total - 2 * base) };
}

/** Removes sections from the campus, and links to these sections from its text. */
function leaveOut(folder: string, names: readonly string[]): void {
  if (names.length === 0) return;
  const kept = sectionNames.filter((name) => !names.includes(name));
  const file = join(folder, "campus.yaml");
  writeFileSync(file, `${readFileSync(file, "utf8")}sections: [${kept.join(", ")}]\n`);
  if (names.includes("blog")) {
    rmSync(join(folder, "content/en/posts"), { recursive: true });
    rmSync(join(folder, "content/en/interface.yaml"));
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(/^categories:\n(?: .*\n)+defaultCategory: .*\n/m, ""));
  }
  if (names.includes("faq")) rmSync(join(folder, "content/en/faq.yaml"));
  const places = names.map((name) => (name === "blog" ? "/blog[^)]*" : `/(?:faq)?#${name}`));
  const links = new RegExp(`\\[([^\\]]+)\\]\\((?:${places.join("|")})\\)`, "gi");
  for (const name of globSync("**/*.{yaml,md}", { cwd: join(folder, "content") })) {
    const path = join(folder, "content", name);
    writeFileSync(path, readFileSync(path, "utf8").replace(links, "$1"));
  }
}

/** Moves the English text into another language's folder, for the campus's team to translate. */
function moveTo(language: string, folder: string): void {
  renameSync(join(folder, "content/en"), join(folder, "content", language));
  for (const name of ["calendar.yaml", "deletion.yaml"]) {
    const path = join(folder, name);
    writeFileSync(path, readFileSync(path, "utf8").replace(/^( +)en:/gm, `$1${language}:`));
  }
}

/** Folder with translations of a new campus's short text and questions. */
const translations = join(import.meta.dirname, "new-campus-languages");

/** Checks whether the short text of a new campus exists in this language. */
function isTranslated(language: string): boolean {
  return existsSync(join(translations, `${language}.yaml`));
}

/** Translates the short text of a new campus: names, descriptions and the data list. */
function translate(language: string, folder: string): void {
  const words = new Map(
    Object.entries(parseYaml(readTextFile(join(translations, `${language}.yaml`))) as object),
  );
  for (const file of globSync(["*.yaml", "content/*/{landing,interface}.yaml"], { cwd: folder })) {
    const path = join(folder, file);
    const document = parseDocument(readTextFile(path));
    visit(document, {
      Pair(_, { key }) {
        // Posts and URLs refer to categories by key, so don't translate the keys.
        const isKeyOnly = isScalar(key) && /ategor/.test(`${key.value}`) && file === "campus.yaml";
        return isKeyOnly ? visit.SKIP : undefined;
      },
      Scalar(place, node) {
        if (place !== "key" && typeof node.value === "string")
          node.value = words.get(node.value) ?? node.value;
      },
    });
    writeFileSync(path, document.toString({ lineWidth: 0 }));
  }
}

/**
 * Returns the schema of the setting that contains the answer unchanged, if there is such a setting.
 */
function schemaOf(key: keyof Answers): z.ZodType | undefined {
  const [, , place]: readonly string[] = questions[key];
  const within = (schema: z.ZodType, name: string) =>
    (schema as z.ZodObject<Record<string, z.ZodType>>).shape[name] as z.ZodType;
  return place?.split(".").reduce(within, settingsSchema as z.ZodType);
}

function isWeekend(answer: string): boolean {
  const days = weekendDays(answer);
  return days.every((day) => /^[1-7]$/.test(`${day}`)) && new Set(days).size === days.length;
}

const isStore = (answer: string) => /^(?:none|https:\/\/\S+\.\S+|)$/.test(answer);
const mustBeStore = "It must be an address that begins with https://, or nothing, or none.";

/** Rules for answers that no schema validates, each with an explanation for invalid answers. */
const rules: [key: keyof Answers, canBe: (answer: string) => boolean, sentence: string][] = [
  ["fare", (it) => it === "" || Number(it) > 0, "It must be a number such as 50 or 3.20."],
  [
    "without",
    (it) => listOf(it).every((name) => (sectionNames as readonly string[]).includes(name)),
    `It must be names of ${sectionNames.join(", ")}.`,
  ],
  ["weekend", isWeekend, "It must be days from 1 to 7, each once, such as 6,7."],
  ["android", isStore, mustBeStore],
  ["ios", isStore, mustBeStore],
  ["primary", (it) => /^#[0-9a-f]{6}$/i.test(it), "It must be a colour such as #006d77."],
  ["primary", isReadableOn, "Text on it would be unreadable; it must be darker or lighter."],
];

/** Returns a sentence that describes an invalid answer, or `undefined` if the answer is valid. */
function findMistake(key: keyof Answers, answer: string): string | undefined {
  const reason = schemaOf(key)?.safeParse(answer).error?.issues[0]?.message;
  if (reason) return `It ${reason}.`;
  return rules.find(([name, canBe]) => name === key && !canBe(answer))?.[2];
}

function weekendDays(answer: string): number[] {
  return answer.split(",").map(Number);
}

/**
 * Prompts for the answers on the terminal, and repeats each question until its answer is valid.
 * Asks nothing if any answer was given as a flag. If the input isn't a terminal, reads the answers
 * without prompting.
 */
export async function ask(
  given: Partial<Answers>,
  streams: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream; isTerminal: boolean },
): Promise<Answers> {
  const answers = { ...untouched, ...given };
  if (Object.keys(given).length > 0) return answers;
  const { input, output } = streams;
  if (!streams.isTerminal) return await readAnswers(input);
  output.write(
    "Press Return for the answer in brackets. Everything can be changed later in the files.\n",
  );
  const terminal = createInterface({ input, output });
  // Read line by line so that each of several pasted answers goes to its question.
  const lines = terminal[Symbol.asyncIterator]();
  let hasEnded = false;
  terminal.once("close", () => {
    hasEnded = true;
  });
  try {
    for (const [name, [question, otherwise]] of Object.entries(questions)) {
      const key = name as keyof Answers;
      for (;;) {
        terminal.setPrompt(`${question}${otherwise ? ` [${otherwise}]` : ""}: `);
        // After the end of the input, buffered lines may remain, but prompting would fail.
        if (!hasEnded) terminal.prompt();
        const line = await lines.next();
        if (line.done) throw new CampusError("\nNothing was written.");
        answers[key] = line.value.trim() || otherwise;
        const mistake = findMistake(key, answers[key]);
        if (mistake === undefined) break;
        output.write(`  ${mistake}\n`);
      }
    }
  } finally {
    terminal.close();
  }
  return answers;
}

/**
 * Reads answers from a pipe, one per line, in the order of the questions. Doesn't wait for the end
 * of the input, because `yes "" |` never ends.
 */
async function readAnswers(input: NodeJS.ReadableStream): Promise<Answers> {
  const answers: Answers = { ...untouched };
  const names = Object.keys(questions) as (keyof Answers)[];
  for await (const line of createInterface({ input })) {
    const name = names.shift();
    if (name !== undefined && line.trim()) answers[name] = line.trim();
    if (names.length === 0) break;
  }
  return answers;
}

function explainFlags(): string {
  const flags = Object.entries(questions).map(
    ([name, [question, otherwise]]) =>
      `  ${`--${name}`.padEnd(13)} ${question}${otherwise ? ` [${otherwise}]` : ""}`,
  );
  return `npm run campus -- new FOLDER [--FLAG VALUE ...]

Writes a complete small campus into a new folder. Asks each question unless a flag is given; answers can also come from a pipe,
one on each line.

${flags.join("\n")}`;
}

/** Returns the command that creates a campus with these answers. */
function commandWith(folder: string, answers: Answers): string {
  const flags = Object.entries(answers)
    .filter(([key, answer]) => answer !== untouched[key as keyof Answers])
    .map(([key, answer]) => ` --${key} '${answer.replaceAll("'", "'\\''")}'`);
  return `npm run campus -- new ${folder}${flags.join("")}`;
}

/**
 * Parses the folder and the answers from the command line. If a flag is unknown, prints all flags
 * and exits.
 */
function readFlags() {
  const names = Object.keys(questions);
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        ...Object.fromEntries(names.map((key) => [key, { type: "string" as const }])),
        help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    const [reason = ""] = (error as Error).message.split(/\. |\n/);
    console.error(`${reason}. There are ${names.map((name) => `--${name}`).join(", ")}.`);
    return process.exit(2);
  }
}

if (import.meta.main) {
  const { values, positionals } = readFlags();
  if (values.help) {
    console.log(explainFlags());
    process.exit();
  }
  const folder = resolve(root, positionals[0] ?? "");
  if (!positionals[0] || folder === root) {
    console.error("Name the folder of the new campus: npm run campus -- new ../our-campus");
    process.exit(2);
  }
  try {
    const { stdin: input, stdout: output } = process;
    const streams = { input, output, isTerminal: input.isTTY === true };
    requireEmpty(folder);
    const answers = await ask(values as Partial<Answers>, streams);
    try {
      await writeCampus(folder, answers);
    } catch (error) {
      if (!(error instanceof CampusError) || !streams.isTerminal) throw error;
      const again = commandWith(positionals[0], answers);
      throw new CampusError(
        `${error.seenIn(folder)}\nChange what is wrong in your answers:\n\n  ${again}`,
      );
    }
    const place = relative(root, folder);
    const { language } = answers;
    if (language !== "en") {
      const which = isTranslated(language) ? "The posts and legal documents" : "The texts";
      console.log(`${which} in content/${language} are English, for you to translate.`);
    }
    console.log(
      `${basename(folder)} is in ${folder}. See it with:\n\n  CAMPUS_DIR=${place} npm start\n\ndocs/your-campus.md goes through the evening.`,
    );
  } catch (error) {
    if (!(error instanceof CampusError)) throw error;
    console.error(error.seenIn(folder));
    process.exitCode = 1;
  }
}
