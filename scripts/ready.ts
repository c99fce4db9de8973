/**
 * npm run campus -- ready: lists the tasks that remain before this campus can go online, and exits
 * with 1 if there are any. Checks only the campus and this shell's environment variables, and
 * explains how to check the rest, such as the DNS records of a mail domain.
 */

import { globSync } from "node:fs";
import { join } from "node:path";
import type { Campus, LoadedCampus } from "../campus-reader/campus.ts";
import { createFill, readPolicyMonth } from "../campus-reader/facts.ts";
import { loadCampus } from "../campus-reader/load.ts";
import { CampusError } from "../campus-reader/mistakes.ts";
import { readEnglish, readProductWords } from "../campus-reader/product-words.ts";
import { isFile, readTextFile } from "../campus-reader/text-files.ts";
import { mapStrings } from "../campus-reader/texts.ts";
import { readConfig } from "../server/config.ts";
import {
  type DataList,
  placesWithoutHow,
} from "../server/deletion-requests/state-machine/checklist.ts";
import { readPromises } from "../server/open.ts";
import { calendarWarning } from "../server/platform/calendar/business-days.ts";
import { paths } from "../server/platform/http/paths.ts";
import { removeMarks } from "../server/platform/i18n/borrowed-words.ts";
import { formatNumber } from "../server/platform/i18n/texts.ts";
import { checkCampus, findBorrowed } from "../vite/check-campus.ts";
import { questions } from "./new-campus.ts";

export type Finding = { what: string; todo: string };

/** Lists everything that prevents the campus from going online on a given day. */
export function findUnready(
  campus: LoadedCampus,
  today: Temporal.PlainDate,
  calendar: Parameters<typeof calendarWarning>[0],
): Finding[] {
  const editions = [campus, ...campus.translations];
  const isBare = calendar.holidays.length === 0 && calendar.everyYear?.length === 1;
  const warning = isBare ? "The calendar has one holiday only." : calendarWarning(calendar, today);
  return [
    ...defaultsIn(campus),
    ...exampleFareOf(campus),
    ...editions.flatMap(placeholdersIn),
    ...inventedIn(campus),
    ...editions.flatMap(storePolicy),
    ...datesOf(campus, today),
    ...(warning ? [{ what: warning, todo: "Enter the coming holidays in the calendar." }] : []),
  ];
}

/** Questions of new-campus whose default answer may be correct for a real campus. */
const mayBeTrue = ["email", "emergency", "sign", "currency", "wallet", "language", "vehicle"];

/** Finds default answers of `new-campus` that haven't been replaced. */
function defaultsIn({ settings }: Campus): Finding[] {
  return Object.entries<readonly string[]>(questions)
    .filter(([name, [, otherwise, place]]) => {
      const setting = place
        ?.split(".")
        .reduce((value: unknown, key) => Object(value)[key], settings);
      return setting === otherwise && !mayBeTrue.includes(name);
    })
    .map(([, [, otherwise, place]]) => ({
      what: `${place} is still "${otherwise}", which new-campus writes if you give no answer.`,
      todo: "Put yours into the campus's settings.",
    }));
}

/** Finds the product's example fare: the same amount in every currency. */
function exampleFareOf({ settings, landing }: Campus): Finding[] {
  if (settings.ride) return [];
  const { fill } = createFill(settings);
  const words = readProductWords(settings.language, "landing") ?? readEnglish("landing");
  const ours = mapStrings(words, fill) as Campus["landing"];
  const shown = removeMarks(landing.hero.phone.fare);
  if (shown !== ours.hero.phone.fare) return [];
  const what = `The landing page shows ${shown} as an example fare, because campus.yaml has no ride.`;
  return [{ what, todo: "Add ride, or write your own fares into landing.yaml." }];
}

/** Finds placeholder URLs and email addresses, such as those in .example or example.org. */
function inventedIn({ settings }: Campus): Finding[] {
  const { links, email, security, stores, social } = settings;
  const addresses: [string, string][] = [
    ...Object.entries(links).map(([name, url]): [string, string] => [`links.${name}`, url]),
    ...stores.map(({ name, url }): [string, string] => [`stores, ${name}`, url]),
    ...social.map(({ name, url }): [string, string] => [`social, ${name}`, url]),
    ["email", email],
    ["security.contact", security.contact],
    ["security.policy", security.policy],
  ];
  const mayBeEmpty = /^(?:stores|social|security\.policy)/;
  return addresses
    .filter(([, address]) => isInvented(address))
    .map(([field, address]) => ({
      what: `${address} is an invented address (${field}).`,
      todo: `Enter the real address in the campus's settings${mayBeEmpty.test(field) ? ', or "" where there is none yet' : ""}.`,
    }));
}

/** Finds stores in deletion.yaml without instructions for deleting an account, or with placeholders. */
export function findPlaces(dataList: DataList, languages: readonly string[]): Finding[] {
  const lacking = placesWithoutHow(dataList, languages).map((key) => ({
    what: `deletion.yaml, stores.${key}: it doesn't say how an account is deleted there.`,
    todo: "Enter adminPage, the address of its admin page, or how, in two sentences at most in each language.",
  }));
  const invented = dataList.stores.flatMap(({ key, adminPage = "", how = {} }) => {
    const texts = [adminPage, ...Object.values(how)];
    const found = texts.find((text) => isInvented(text) || isUnfinished(text));
    return found
      ? [
          {
            what: `deletion.yaml, stores.${key}: "${found}" is a placeholder.`,
            todo: "Enter where and how an account is deleted there.",
          },
        ]
      : [];
  });
  return [...lacking, ...invented];
}

/** Checks whether a text contains a placeholder URL or email address. */
const isInvented = (text: string) =>
  /[.@/](?:[\w-]+\.example|example\.(?:com|net|org))(?=[:/?#]|$)/.test(text);

/** Checks whether a text contains a gap that new-campus has marked. */
const isUnfinished = (text: string) =>
  /\((?:example|Beispiel|উদাহরণ|enter|ask)(?!\p{L})/iu.test(text) || /\b0000\b/.test(text);

const legalFiles: Record<string, string> = {
  privacy: "privacy-policy.md",
  terms: "terms-conditions.md",
};

/** Finds unfinished legal text in one of the campus's languages. */
function placeholdersIn({ settings, legal }: Campus): Finding[] {
  const unfinished = Object.entries(settings.legal)
    .filter(([, text]) => isUnfinished(text))
    .map(([field, text]) => ({
      what: `legal.${field} is not filled in: "${text}".`,
      todo: "Enter the real value; docs/legal-notes.md explains why it is needed.",
    }));
  const drafts = Object.entries(legal)
    .filter(([, { intro }]) => intro.includes("a beginning, not advice"))
    .map(([name]) => ({
      what: `content/${settings.language}/legal/${legalFiles[name]} still says that it is a beginning.`,
      todo: "Have someone who knows your law read it, then take that sentence out.",
    }));
  return [...unfinished, ...drafts];
}

/** Finds texts of a campus in another language that are still the English ones of new-campus. */
export function findEnglish(campusDir: string, language: string): Finding[] {
  if (language === "en") return [];
  const ours = join(import.meta.dirname, "new-campus/content/en");
  return globSync(["faq.yaml", "{posts,legal}/*.md"], { cwd: ours })
    .toSorted()
    .filter((file) => {
      const path = join(campusDir, "content", language, file);
      return isFile(path) && readWords(path) === readWords(join(ours, file));
    })
    .map((file) => ({
      what: `content/${language}/${file} has the English text of new-campus.`,
      todo: `Translate it into ${language}${file.startsWith("posts/") ? ", or remove it" : ""}.`,
    }));
}

/** Reads a text without its comments and front matter, which can differ in each campus. */
const readWords = (path: string) =>
  readTextFile(path).replace(/^---\n[\s\S]*?\n---\n|^#(?!#).*\n/gm, "");

/** Checks the deletion page in one language against the app stores' rules. */
function storePolicy({ settings, deletion }: Campus): Finding[] {
  const page = JSON.stringify({ ...deletion, held: undefined });
  const { product, developer, deletionBusinessDays: days, language } = settings;
  const unnamed = Object.entries({ product, developer }).filter(([, name]) => !page.includes(name));
  const findings = unnamed.map(([field, name]) => ({
    what: `The deletion page (${language}) does not name "${name}".`,
    todo: `The stores require the listing's names on it: add {${field}} to a text of deletion.yaml.`,
  }));
  const noDays = {
    what: `The deletion page (${language}) does not say how long it takes.`,
    todo: "Add {deletionDays} to a text of deletion.yaml.",
  };
  return page.includes(formatNumber(language, days.limit)) ? findings : [...findings, noDays];
}

/** Explains what to enter in the app stores' listings, and what the deletion page promises. */
function explainListing({ settings, dataKinds }: Campus, publicUrl: string): string {
  const kept = dataKinds.filter(({ onDeletion }) => onDeletion === "kept");
  return `On the stores' listings enter ${publicUrl + paths.deletion}
  It opens without signing in, for ${settings.product} by ${settings.developer}: compare both names with the listings letter by
  letter. It promises ${settings.deletionBusinessDays.limit} business days, and names what is kept, why and how long: ${kept.map(({ kind }) => kind).join("; ")}.
`;
}

/** Finds dates that have passed, expire soon or are in the future. */
function datesOf({ settings }: Campus, today: Temporal.PlainDate): Finding[] {
  const { policyDate, security } = settings;
  const findings: Finding[] = [];
  const month = readPolicyMonth(settings);
  if (month && Temporal.PlainYearMonth.compare(month, today.toPlainYearMonth()) > 0) {
    findings.push({
      what: `The legal documents are dated ${policyDate}, which is in the future.`,
      todo: "Set policyDate to the month in which they were adopted, this one at the latest.",
    });
  }
  if (Temporal.PlainDate.compare(today.add({ days: 60 }), security.expires) > 0) {
    const isPast = Temporal.PlainDate.compare(today, security.expires) > 0;
    findings.push({
      what: `security.txt ${isPast ? "ended" : "ends"} on ${security.expires}.`,
      todo: "Check that its contact is still right, then set security.expires to a day within the next year.",
    });
  }
  return findings;
}

/** Settings that a public site requires, each with its purpose. */
const wanted = {
  PUBLIC_URL: "the https address that visitors use; emails link to it",
  SECRET_KEYS: "the keys for links and ledger; docs/put-it-online.md says how they are made",
  SMTP_URL: "your mail server; without it no one can confirm a request",
  MAIL_FROM: "the sender of your emails",
  OPERATOR_MAIL: "where the team gets emails about new requests and problems",
};

/**
 * Checks each setting separately so that an invalid setting doesn't make other settings appear to
 * be missing.
 */
function findMissingSettings(env: Record<string, string | undefined>): Finding[] {
  return Object.entries(wanted)
    .filter(([name]) => !(name === "PUBLIC_URL" ? /^\s*https:/ : /\S/).test(env[name] ?? ""))
    .map(([name, what]) => ({ what: `${name} is not set.`, todo: `Set it to ${what}.` }));
}

/** Explains how to check that other mail servers trust the campus's email. */
function explainMail(mailFrom: string | undefined): string {
  const domain = mailFrom?.split("@")[1] ?? "YOUR-DOMAIN";
  return `Other mail servers trust email from ${domain} only if its domain says so. Check three records:
  SPF    dig +short TXT ${domain}               names the servers that may send, such as "v=spf1 include:... -all"
  DKIM   dig +short TXT SELECTOR._domainkey.${domain}   the key of your mail server's signature; it tells the SELECTOR
  DMARC  dig +short TXT _dmarc.${domain}        what to do with the rest, such as "v=DMARC1; p=quarantine; rua=mailto:..."
Your mail provider says what to enter. Then send yourself a request from the site to a mailbox elsewhere, open "show
original" there, and see that all three say "pass".
`;
}

if (import.meta.main) {
  const read = readConfig(process.env);
  const shown = read.ok ? read : readConfig({ CAMPUS_DIR: process.env.CAMPUS_DIR });
  if (!shown.ok) throw new Error(shown.problems.join("\n"));
  const { campusDir } = shown.config;
  const publicUrl = (read.ok ? undefined : process.env.PUBLIC_URL) ?? shown.config.publicUrl;
  try {
    await checkCampus(campusDir);
    const campus = loadCampus(campusDir);
    const promises = readPromises(campusDir);
    const today = Temporal.Now.plainDateISO(campus.settings.timeZone);
    const findings = [
      ...(read.ok ? [] : read.problems.map((what) => ({ what, todo: "Correct it." }))),
      ...findMissingSettings(process.env),
      ...findEnglish(campusDir, campus.settings.language),
      ...(promises.ok
        ? [
            ...findUnready(campus, today, promises.promises.calendar),
            ...findPlaces(promises.promises.dataList, promises.promises.languages),
          ]
        : []),
    ];
    for (const { what, todo } of findings) console.log(`- ${what}\n  ${todo}`);
    for (const line of findBorrowed(campus, campusDir)) console.log(line);
    console.log(`\n${explainListing(campus, publicUrl)}`);
    console.log(explainMail(process.env.MAIL_FROM));
    console.log(findings.length === 0 ? "Everything is ready." : `${findings.length} to do.`);
    process.exitCode = findings.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof CampusError)) throw error;
    console.error(`${campusDir} has mistakes:\n${error.seenIn(campusDir)}`);
    process.exitCode = 2;
  }
}
