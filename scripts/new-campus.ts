/**
 * Writes a complete small campus into a folder of its own, to begin from. Asks for what is not given:
 *
 *   npm run campus -- new ../our-campus
 *   npm run campus -- new ../our-campus --product HopOn --university "Northlake College" --primary "#8a2be2"
 *
 * The texts that fit every campus are taken from the first one; what names places, law or people is in new-campus/.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { parse, stringify } from "yaml";
import type { z } from "zod";
import { CampusError, readCampusData, readDataFile } from "../campus-reader/data-files.ts";
import { settingsSchema } from "../campus-reader/schema.ts";
import { checkCampus } from "../vite/check-campus.ts";
import { isReadableOn, themeWith } from "./new-campus-theme.ts";

const root = join(import.meta.dirname, "..");
const first = join(root, "campus");
const texts = join(import.meta.dirname, "new-campus/content");

/** What is asked for, in this order. Everything has an answer that works until somebody knows better. */
export const questions = {
  product: ["Name of the app, as on its listing", "Our Ride"],
  team: ["Name of the team, as on the listing", "Our Ride Team"],
  university: ["University or college", "Our University"],
  city: ["City", "Our City"],
  country: ["Country", "Our Country"],
  zone: ["Time zone, such as Europe/Vienna", "Etc/UTC"],
  email: ["Mail address for questions", "help@our-ride.example"],
  emergency: ["Emergency number there", "112"],
  sign: ["Sign of the money, such as €", "€"],
  currency: ["Its three letters, such as EUR", "EUR"],
  wallet: ["The way of paying that everybody knows", "a card"],
  weekend: ["Weekend, 1 for Monday to 7 for Sunday, such as 6,7", "6,7"],
  android: ["Address in the store for Android (empty: coming soon; none: not planned)", ""],
  ios: ["Address in the store for iOS (empty: coming soon; none: not planned)", ""],
  primary: ["Main colour, such as #006d77", "#006d77"],
  person: ["Legal person that answers for it", "Our Ride Association"],
  address: ["Where letters reach it", "1 Campus Road, Our City"],
} as const satisfies Record<string, readonly [question: string, otherwise: string]>;

export type Answers = Record<keyof typeof questions, string>;

/**
 * Writes the campus.
 * @param folder must be empty or not there yet
 * @throws CampusError where an answer cannot be
 */
export async function writeCampus(folder: string, answers: Answers): Promise<void> {
  requireEmpty(folder);
  requirePossible(answers);
  try {
    await fill(folder, answers);
  } catch (error) {
    // Half a campus would be in the way of the next attempt.
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    throw error;
  }
}

function requireEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new CampusError(`${folder}: is not empty; name a folder that is not there yet`);
  }
}

/** Whoever answers by flags is told by their names, all at once. */
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
  mkdirSync(join(folder, "content/en"), { recursive: true });
  const write = (file: string, about: string, value: unknown) =>
    writeFileSync(join(folder, file), `${about}\n${stringify(value, { lineWidth: 0 })}`);
  const read = (name: string) =>
    parse(readFileSync(join(first, "content/en", `${name}.yaml`), "utf8"));

  write(
    "campus.yaml",
    "# Who this campus is. campus-reader/schema.ts says what each field means.",
    settingsFrom(answers),
  );
  write(
    "calendar.yaml",
    "# Days on which nobody works on a request: weekend days (Monday 1 to Sunday 7) and holidays. Enter yours.",
    {
      weekend: weekendDays(answers.weekend),
      everyYear: [{ day: "01-01", holiday: "new-year" }],
      holidays: [],
      names: { "new-year": { en: "New Year" } },
    },
  );
  write(
    "deletion.yaml",
    "# Where data lies, and what happens to each kind of it when an account is deleted. Make it true for you.",
    inEnglish(readDataFile(first, "deletion").value),
  );
  write(
    "content/en/interface.yaml",
    "# Your categories. Whatever you say here in place of words/en/interface.yaml, by the same key, comes first.",
    interfaceFrom(read("interface")),
  );
  write(
    "content/en/landing.yaml",
    "# All texts of the landing page.",
    landingFrom(read("landing"), answers.sign),
  );
  cpSync(texts, join(folder, "content/en"), { recursive: true });
  writeFileSync(join(folder, "theme.css"), themeWith(answers.primary, join(first, "theme.css")));
  await checkCampus(folder);
}

function settingsFrom(answers: Answers): object {
  const { currency, sign, android, ios } = answers;
  const nextYear = Temporal.Now.plainDateISO().add({ months: 11 }).toString();
  return {
    product: answers.product,
    developer: answers.team,
    tagline: "Going your way",
    campus: answers.university,
    city: answers.city,
    country: answers.country,
    jurisdiction: answers.country,
    language: "en",
    timeZone: answers.zone,
    currency: { sign, code: currency },
    wallet: answers.wallet,
    cash: false,
    email: answers.email,
    security: { contact: `mailto:${answers.email}`, expires: nextYear, policy: "" },
    emergency: answers.emergency,
    localEmergency: answers.emergency,
    policyDate: new Date().toLocaleDateString("en", { month: "long", year: "numeric" }),
    legal: {
      person: answers.person,
      registration: "to be registered (enter where and under which number)",
      address: answers.address,
      enlistment: "not needed here (ask your transport authority)",
      dataLocation: answers.country,
      arbitrationSeat: answers.city,
    },
    deletionBusinessDays: { target: 7, limit: 10 },
    categories: ["Safety", "Money Saving", "Community"],
    defaultCategory: "Safety",
    heroVehicle: "motorbike",
    motifs: "plain",
    links: {
      download: "https://get.our-ride.example/app",
      joinAsRider: "https://get.our-ride.example/rider",
    },
    social: [],
    stores: readCampusData(first)
      .settings.stores.map((store) => ({
        ...store,
        url: store.operatingSystem === "iOS" ? ios : android,
      }))
      .filter(({ url }) => url !== "none"),
  };
}

/** A file of words, as far as it is touched here. */
type Interface = { blog: { categories: object; pictures: object } };

/** The list of data with its English words only. */
function inEnglish(list: unknown): unknown {
  return JSON.parse(JSON.stringify(list), (key, value) =>
    key === "words" && value?.en ? { en: value.en } : value,
  );
}

/** The categories that it begins with, as the first campus calls and draws them. */
function interfaceFrom({ blog }: Interface): unknown {
  const kept = ["Safety", "Money Saving", "Community"];
  const only = (list: object) =>
    Object.fromEntries(Object.entries(list).filter(([key]) => kept.includes(key)));
  return { blog: { categories: only(blog.categories), pictures: only(blog.pictures) } };
}

/** The first campus's landing page without its vehicle, its services, its places and its prices. */
function landingFrom(words: object, sign: string): unknown {
  // A sign of letters stands apart from its sum.
  const currency = `{currency}${/\p{L}$/u.test(sign) ? "\u00a0" : ""}`;
  const { paint: _paint, ...landing } = JSON.parse(
    JSON.stringify(words)
      .replaceAll("{currency}45", `${currency}3.00`)
      .replaceAll("{currency}20", `${currency}1.20`)
      .replaceAll("{currency}5", `${currency}0.60`)
      .replaceAll("Cash or {wallet}", "With {wallet}"),
  );
  landing.hero.phone.fare = `${currency}3`;
  landing.hero.pictureAlt = "A motorbike with two people passes a rising sun";
  landing.services.lead = "One service, and it is on the road.";
  landing.services.items = landing.services.items.slice(0, 1);
  landing.services.facts = [
    { label: "Where", value: "On campus and around it" },
    { label: "When", value: "Daily, best around class hours" },
  ];
  const pay = landing.features.tiles.find((tile: { id: string }) => tile.id === "pay");
  pay.title = "Pay in the app";
  pay.text =
    "With {wallet} or in another way that the app shows. Our terms allow no cash from hand to hand.";
  pay.alt = "Two bank cards beside a phone that has paid";
  pay.details[0].label = "Otherwise";
  landing.steps.items.at(-1).alt =
    "User and Rider face each other over a phone with a tick, five stars below each";
  landing.safety.points.at(-1).facts = [
    { value: "{localEmergency}", label: "emergency service in {country}", call: true },
  ];
  landing.registration.joinNote =
    "One person, one account. Staff and faculty may join where campus policy allows it.";
  landing.about.pictureAlt = "Students and a motorbike pass the hall and the water before it";
  landing.careers.roles = landing.careers.roles.map((role: { title: string }) =>
    role.title === "Writing"
      ? { ...role, text: "Safety tips and money savers for the blog." }
      : role,
  );
  return landing;
}

const { shape } = settingsSchema;

/** The field of the settings that an answer goes into as it is. */
const fields: Partial<Record<keyof Answers, z.ZodType>> = {
  product: shape.product,
  team: shape.developer,
  university: shape.campus,
  city: shape.city,
  country: shape.country,
  zone: shape.timeZone,
  email: shape.email,
  emergency: shape.emergency,
  sign: shape.currency.shape.sign,
  currency: shape.currency.shape.code,
  wallet: shape.wallet,
  person: shape.legal.shape.person,
  address: shape.legal.shape.address,
};

/** What is wrong with an answer, in a sentence; undefined where nothing is. */
function findMistake(key: keyof Answers, answer: string): string | undefined {
  const reason = fields[key]?.safeParse(answer).error?.issues[0]?.message;
  if (reason) return `It ${reason}.`;
  switch (key) {
    case "weekend": {
      const days = weekendDays(answer);
      return days.every((day) => /^[1-7]$/.test(`${day}`)) && new Set(days).size === days.length
        ? undefined
        : "It must be days from 1 to 7, each once, such as 6,7.";
    }
    case "android":
    case "ios":
      return /^(?:none|https:\/\/\S+\.\S+|)$/.test(answer)
        ? undefined
        : "It must be an address that begins with https://, or nothing, or none.";
    case "primary":
      if (!/^#[0-9a-f]{6}$/i.test(answer)) return "It must be a colour such as #006d77.";
      return isReadableOn(answer)
        ? undefined
        : "No words can be read on it; it must be a darker or a lighter one.";
    default:
      return undefined;
  }
}

function weekendDays(answer: string): number[] {
  return answer.split(",").map(Number);
}

/** Asks somebody at a terminal, each question until its answer can be. Whoever gives flags is asked nothing. */
export async function ask(
  given: Partial<Answers>,
  streams: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream; isTerminal: boolean },
): Promise<Answers> {
  const answers = Object.fromEntries(
    Object.entries(questions).map(([key, [, otherwise]]) => [key, otherwise]),
  ) as Answers;
  Object.assign(answers, given);
  if (!streams.isTerminal || Object.keys(given).length > 0) return answers;
  const { input, output } = streams;
  output.write(
    "Return takes what stands in brackets. Everything can be changed later in the files.\n",
  );
  const terminal = createInterface({ input, output });
  // Lines are taken one after the other, so that answers pasted all at once are each heard.
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
        // After the end of what was piped in, lines are still in hand, but nothing can be prompted for.
        if (!hasEnded) terminal.prompt();
        const said = await lines.next();
        if (said.done) throw new CampusError("\nNothing was written.");
        answers[key] = said.value.trim() || otherwise;
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

/** The command that gives the same answers again, for who has typed them all once. */
function commandWith(folder: string, answers: Answers): string {
  const flags = Object.entries(answers)
    .filter(([key, answer]) => answer !== questions[key as keyof Answers][1])
    .map(([key, answer]) => ` --${key} '${answer.replaceAll("'", "'\\''")}'`);
  return `npm run campus -- new ${folder}${flags.join("")}`;
}

/** The folder and the answers that stand on the command line; whoever mistypes one is told the others. */
function readFlags() {
  const names = Object.keys(questions);
  try {
    return parseArgs({
      allowPositionals: true,
      options: Object.fromEntries(names.map((key) => [key, { type: "string" as const }])),
    });
  } catch (error) {
    const [reason = ""] = (error as Error).message.split(/\. |\n/);
    console.error(`${reason}. There are ${names.map((name) => `--${name}`).join(", ")}.`);
    return process.exit(2);
  }
}

if (import.meta.main) {
  const { values, positionals } = readFlags();
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
    console.log(
      `${basename(folder)} stands in ${folder}. See it with:\n\n  CAMPUS_DIR=${place} npm start\n\ndocs/your-campus.md goes through the evening.`,
    );
  } catch (error) {
    if (!(error instanceof CampusError)) throw error;
    console.error(error.seenIn(folder));
    process.exitCode = 1;
  }
}
