import { createWriteStream } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseEmailAddress } from "../addresses/email-address.ts";
import { readConfig } from "../config.ts";
import { personalIn } from "../database/schema.ts";
import { toCsvLine } from "../deletion-requests/ledger/csv.ts";
import { carryOutFigures } from "../deletion-requests/ledger/figures.ts";
import { isEnded, isWorking } from "../deletion-requests/store/request.ts";
import { collectSubject } from "../deletion-requests/telling/subject.ts";
import { type SubjectWords, writeSubjectPage } from "../deletion-requests/telling/subject-page.ts";
import type { Desk } from "../deletion-requests/working/desk.ts";
import { isSealingKey } from "../keys/sealed-file.ts";
import { createCalendarWords } from "../language/in-words.ts";
import { openSiteBundle } from "../site-bundle.ts";
import { whyUnwritten, writeSealedCopy } from "./copies.ts";
import { enterAndTell } from "./old-copies.ts";
import type { Options } from "./requests.ts";
import { done, failed, notUnderstood } from "./sentences.ts";
import type { CommandServices, Outcome } from "./start.ts";
import { toPrintable } from "./table.ts";

/** What commands write into files of their own. None is ever overwritten. */

/** To a new file that only this user may read, or to standard output where none is named. */
async function writeOut(
  path: string | undefined,
  lines: AsyncIterable<string>,
  sentence: string,
): Promise<Outcome> {
  if (path === undefined) return { code: 0, out: lines };
  try {
    await pipeline(Readable.from(lines), createWriteStream(path, { flags: "wx", mode: 0o600 }));
    return done(`${sentence} ${path}.`);
  } catch (error) {
    return tellUnwritten(path, error);
  }
}

function tellUnwritten(path: string, error: unknown): Outcome {
  return failed(whyUnwritten(path, error));
}

/** Beside the address: what else of its person a form holds. */
const typed = personalIn("submissions").filter((column) => column !== "email");

/** Every form as a line of CSV; the act is entered before the first. */
export function exportRequests(desk: Desk, options: Options, name: string): Promise<Outcome> {
  const which = options.all ? "all" : "open";
  const what = options.all ? "every request is" : "what is open is";
  return writeOut(
    options.out,
    listRequests(desk, which, name),
    `With addresses, so keep it safe and delete it when you are done: ${what} in`,
  );
}

async function* listRequests(
  desk: Desk,
  which: "open" | "all",
  name: string,
): AsyncGenerator<string> {
  await desk.enter(name, "export", which);
  yield toCsvLine([
    "reference",
    "request",
    "state",
    "address",
    "contact",
    "owner",
    "reason",
    ...typed,
    "received",
    "confirmed",
    "due",
    "due first",
    "held until",
    "ended",
    "refusal",
  ]);
  for await (const { request, submission } of desk.carryOut(which)) {
    const confirmed = isWorking(request) || isEnded(request) ? request : undefined;
    const working = isWorking(request) ? request : undefined;
    yield toCsvLine([
      submission.reference,
      request.reference,
      request.state,
      submission.email ?? "",
      request.contact ?? "",
      working?.owner ?? "",
      submission.reason,
      ...typed.map((column) => submission.theirs[column] ?? ""),
      submission.receivedAt.toString(),
      confirmed?.confirmedAt.toString() ?? "",
      confirmed?.dueOn.toString() ?? "",
      confirmed?.firstDueOn.toString() ?? "",
      working?.hold?.until.toString() ?? "",
      isEnded(request) ? request.endedAt.toString() : "",
      request.state === "refused" ? request.refusalReason : "",
    ]);
  }
}

/** What happened, a line for each month. Nothing in it names or concerns a single person. */
export function exportFigures(desk: Desk, path: string, name: string): Promise<Outcome> {
  return writeOut(path, carryOutFigures(desk, name), "The figures are in");
}

/** The words of the built site in a language of the campus, or in its first. */
export async function openSubjectWords(language: string): Promise<SubjectWords> {
  const read = readConfig(process.env);
  if (!read.ok) throw new Error(read.problems.join(" "));
  const { campus, translations } = await openSiteBundle(read.config.buildDir);
  const words = translations.find(({ settings }) => settings.language === language) ?? campus;
  const { holidays, mail, settings } = words;
  const { timeZone } = settings;
  return { ...words, dates: createCalendarWords({ locale: mail.locale, timeZone, holidays }) };
}

/**
 * "All you hold about me": a page that can be read and printed, in the language in which its person last asked, and the
 * same as JSON.
 */
export async function writeSubjectFile(
  services: CommandServices,
  desk: Desk,
  typed: string,
  folder: string | undefined,
  name: string,
  openWords: typeof openSubjectWords,
): Promise<Outcome> {
  const address = parseEmailAddress(typed);
  if (!address.ok) return notUnderstood(`${toPrintable(typed)} is no mail address.`);
  if (!folder) return notUnderstood("Say which folder to make for it: --out FOLDER.");
  const found = await desk.search(address.email);
  const subject = await collectSubject(services, address.email, found);
  const page = writeSubjectPage(subject, await openWords(subject.language));
  try {
    await mkdir(folder, { mode: 0o700 });
    const write = (file: string, text: string) =>
      writeFile(join(folder, file), text, { flag: "wx", mode: 0o600 });
    await write("held-data.json", `${JSON.stringify(subject, undefined, 2)}\n`);
    await write("held-data.html", page);
  } catch (error) {
    return tellUnwritten(folder, error);
  }
  await desk.enter(name, "subject-file", found.map(({ reference }) => reference).join(" "));
  const count = found.length === 1 ? "1 request" : `${found.length} requests`;
  return done(
    `${count} of that address: ${join(folder, "held-data.html")} to read, held-data.json for machines. Read it before you send it: what is written there about others must be blackened.`,
  );
}

export async function backUp(
  services: CommandServices,
  desk: Desk,
  path: string,
  name: string,
  sealFor: string | undefined,
): Promise<Outcome> {
  if (sealFor !== undefined && !isSealingKey(sealFor)) {
    return notUnderstood(
      "--seal-for takes the 43 characters that npm run store -- backup new-key printed.",
    );
  }
  const { database } = services;
  const tellCopied = async (seal: string) => {
    const own = await database.tellOwnCopy?.();
    const sentence = `The database was copied to ${path}${seal}.`;
    return enterAndTell(services, "backup", path, sentence, own ? `\n${own}\n` : "");
  };
  try {
    await desk.enter(name, "backup", "");
    if (sealFor === undefined) {
      await database.copyTo(path);
      return await tellCopied(". The copy is not sealed");
    }
    const problem = await writeSealedCopy(database, path, sealFor);
    return problem ? failed(problem) : await tellCopied(", sealed");
  } catch (error) {
    return tellUnwritten(path, error);
  }
}
