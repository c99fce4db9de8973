import { countUnknown } from "../deletion-requests/ledger/ledger.ts";
import type { Desk, QueuePart } from "../deletion-requests/working/desk.ts";
import { createDesk, queueParts } from "../deletion-requests/working/desk.ts";
import { actLines, runAct } from "./act.ts";
import {
  backUp,
  exportFigures,
  exportRequests,
  openSubjectWords,
  writeSubjectFile,
} from "./request-files.ts";
import {
  showFigures,
  showJournal,
  showQueue,
  showStory,
  tellNotFound,
  toTable,
} from "./request-views.ts";
import { done, failed, findNearest, notUnderstood } from "./sentences.ts";
import { requireOperator, signAct } from "./signature.ts";
import { type CommandServices, type Outcome, runOnData } from "./start.ts";
import { toPrintable } from "./table.ts";
import { readWords } from "./words.ts";

/** `npm run requests`: what operators do, on the data folder of a server that may be running. */

const usage = `Deletion requests. REF is any reference of a request, such as K7RM-4XQP; NAME is yours, as the team knows it
(npm run operators). Days and times are the campus's.

What there is to do
  npm run requests -- list                     what is open: due soonest first, then unconfirmed ones
                      --only PART              one of: confirmed, unconfirmed, ended
                      --all                    ended ones, too, newest end first
                      --after REF              the page behind that request
  npm run requests -- find REF | ADDRESS       by any reference; by address whatever became of it
  npm run requests -- show REF                 one request: what was sent, its trail, its mails

What is done with one
  npm run requests -- act ACT REF [FIELD=VALUE ...] --as NAME
                      as on its page; without its fields an act says what it asks for. ACT, with its fields:
${actLines.trimEnd()}
                      drafts of mails, and requests of a closed mailbox, are the pages' alone
  npm run requests -- retry [REF] --as NAME    send again what could not be delivered

Numbers and files
  npm run requests -- figures [--month 2026-11]
                                               how it goes
                      --out FILE               month by month as CSV, without addresses
  npm run requests -- export --out FILE        open requests as CSV, with addresses; --all for every one
  npm run requests -- subject ADDRESS --out FOLDER --as NAME
                                               "all you hold about me": one page to read and one file of JSON
  npm run requests -- journal                  who exported, checked, merged, copied or deleted
  npm run requests -- backup FILE [--seal-for KEY]
                                               copy the database to a new file, sealed (npm run store -- backup makes keys)
  npm run requests -- delete REF --as NAME     remove an unconfirmed request, such as spam
  npm run requests -- trust-clock --as NAME    this machine's clock is right, though the server doubts it

New here? Walk one request: list, show REF, act take REF --as NAME, act complete REF --as NAME.
`;

const optionNames = ["as", "after", "only", "month", "out", "seal-for"] as const;
const flagNames = ["all"] as const;

export type Options = Partial<Record<(typeof optionNames)[number], string>> & { all?: boolean };

const readings = ["list", "find", "show", "figures", "export", "journal", "help"];
const commandNames = [...readings, "act", "backup", "subject", "retry", "trust-clock", "delete"];

/** Requests on a page of the queue. */
const pageSize = 50;
const troubledShown = 20;

const partsByName: Record<string, QueuePart> = {
  confirmed: "working",
  unconfirmed: "received",
  ended: "ended",
};

/** Runs one command. Prints nothing itself, so that a test can read what it says. */
export async function runCommand(
  words: readonly string[],
  services: CommandServices,
  openWords = openSubjectWords,
): Promise<Outcome> {
  const read = readWords(words, { options: optionNames, flags: flagNames });
  if ("problem" in read) return notUnderstood(read.problem);
  const [command = "help", ...behind] = read.positionals;
  const options: Options = read.options;
  if (!commandNames.includes(command)) return tellUnknown(command);
  const desk = createDesk(services);
  if (command === "act") {
    const by = await requireOperator(services, options.as);
    return "problem" in by ? by.problem : runAct({ services, desk, name: by.name }, behind);
  }
  const [subject, ...rest] = behind;
  if (rest.length > 0) {
    return notUnderstood(`“${toPrintable(rest.join(" "))}” is too much behind ${command}.`);
  }
  const reading = await runReading(services, desk, command, subject, options);
  if (reading) return reading;
  if (command === "backup") {
    if (!subject) return notUnderstood("Say which file to write: backup FILE.");
    const by = await signAct(services, options.as);
    if ("problem" in by) return by.problem;
    return backUp(services, desk, subject, by.name, options["seal-for"]);
  }
  if (!subject && command !== "retry" && command !== "trust-clock") {
    return notUnderstood(
      command === "subject"
        ? "Say whose: subject ADDRESS."
        : `Say which request: ${command} REF. The list has them: npm run requests -- list`,
    );
  }
  const known = await requireOperator(services, options.as);
  if ("problem" in known) return known.problem;
  const { name } = known;
  return command === "subject"
    ? writeSubjectFile(services, desk, subject ?? "", options.out, name, openWords)
    : runWriting(desk, command, subject ?? "", name);
}

function tellUnknown(command: string): Outcome {
  const meant = findNearest(command, commandNames);
  const hint = meant ? ` Did you mean ${meant}?` : "";
  return notUnderstood(
    `There is no command ${toPrintable(command)}.${hint} npm run requests shows all of them.`,
  );
}

async function runReading(
  services: CommandServices,
  desk: Desk,
  command: string,
  subject: string | undefined,
  options: Options,
): Promise<Outcome | undefined> {
  const { calendar } = services;
  switch (command) {
    case "help":
      return { code: 0, out: usage };
    case "show": {
      if (!subject) return notUnderstood("Say which request: show REF.");
      const story = await desk.tell(subject);
      return story ? { code: 0, out: showStory(services, story) } : tellNotFound(desk, subject);
    }
    case "find": {
      if (!subject) return notUnderstood("Say what to look for: find REF or find ADDRESS.");
      const found = await desk.search(subject);
      if (found.length > 0) return { code: 0, out: toTable(services, found) };
      if (!subject.includes("@")) return tellNotFound(desk, subject);
      return tellNothingFound(subject, await countUnknown(services.database.read, services.keys));
    }
    case "list":
      if (subject) return tellListing(subject);
      return listPage(services, desk, options);
    case "export": {
      const by = await signAct(services, options.as);
      return "problem" in by ? by.problem : exportRequests(desk, options, by.name);
    }
    case "figures": {
      if (options.out === undefined) return tellFigures(services, desk, options.month);
      const by = await signAct(services, options.as);
      return "problem" in by ? by.problem : exportFigures(desk, options.out, by.name);
    }
    case "journal":
      return { code: 0, out: await showJournal(calendar, desk) };
    default:
      return undefined;
  }
}

function tellListing(subject: string): Outcome {
  return notUnderstood(
    partsByName[subject]
      ? `Say it with --only: list --only ${subject}.`
      : `list takes no reference. One request: npm run requests -- show ${toPrintable(subject)}`,
  );
}

async function listPage(services: CommandServices, desk: Desk, options: Options): Promise<Outcome> {
  const part = options.only === undefined ? undefined : partsByName[options.only];
  if (options.only !== undefined && !part) {
    return notUnderstood(`--only takes one of: ${Object.keys(partsByName).join(", ")}.`);
  }
  const parts = part ? [part] : queueParts.filter((one) => options.all || one !== "ended");
  const page = await desk.list(parts, pageSize, options.after);
  if (!page) return tellNotFound(desk, options.after ?? "");
  const out = showQueue(services, page, {
    troubled: await desk.troubled(troubledShown),
    failing: await desk.failing(troubledShown),
  });
  return { code: 0, out };
}

async function tellFigures(
  services: CommandServices,
  desk: Desk,
  typed: string | undefined,
): Promise<Outcome> {
  const { calendar } = services;
  if (typed === undefined) {
    const standing = await desk.standing();
    return { code: 0, out: showFigures(calendar, await desk.happened(), standing) };
  }
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(typed)) {
    return notUnderstood("Give the month as --month 2026-11.");
  }
  const month = Temporal.PlainYearMonth.from(typed);
  return { code: 0, out: showFigures(calendar, await desk.happened(month)) };
}

async function runWriting(
  desk: Desk,
  command: string,
  subject: string,
  name: string,
): Promise<Outcome> {
  switch (command) {
    case "retry": {
      const request = subject === "" ? undefined : await desk.find(subject);
      if (subject !== "" && !request) return tellNotFound(desk, subject);
      const count = await desk.retry(name, request);
      if (count === 0) return done("No mail waits to be sent again.");
      return done(`${count === 1 ? "1 mail" : `${count} mails`} will be sent again.`);
    }
    case "trust-clock": {
      if (subject) return notUnderstood("trust-clock takes nothing but --as NAME.");
      await desk.trustClock(name);
      return done("The clock is taken as right. A running server notices within a minute.");
    }
    case "delete": {
      const result = await desk.removeUnconfirmed(subject, name);
      if (result === "not-found") return tellNotFound(desk, subject);
      return result === "done"
        ? done("It is gone.")
        : failed("It is confirmed, so it cannot just disappear: complete or refuse it.");
    }
    default:
      return { code: 2, problem: usage };
  }
}

/** @param unknown ended requests that cannot be compared with any address */
function tellNothingFound(address: string, unknown: number): Outcome {
  if (unknown === 0) return failed(`There is no request of ${toPrintable(address)}.`);
  return {
    code: 4,
    problem: `Cannot tell whether there is a request of ${toPrintable(address)}: ${unknown} ended ones were hashed with a key that is missing from SECRET_KEYS.\n`,
  };
}

if (import.meta.main) await runOnData((services) => runCommand(process.argv.slice(2), services));
