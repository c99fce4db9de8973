import type { Desk, QueuePart } from "../deletion-requests/desk.ts";
import { createDesk, queueParts } from "../deletion-requests/desk.ts";
import { countUnknown } from "../deletion-requests/ledger.ts";
import { holdReasons, refusalReasons } from "../deletion-requests/life.ts";
import { openMailWriter, previewMail } from "./preview.ts";
import { type Act, acts } from "./request-acts.ts";
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

The ordinary way: take it, delete the account, complete it
  npm run requests -- take REF --as NAME       it is yours; the person can no longer cancel
  npm run requests -- complete REF --as NAME   shows whose it is and the checklist, and asks for the rest:
                      --address ADDRESS        of the account that you deleted
                      --account user | rider | both
                      --gone PLACE,...         which you have been through; the receipt and the trail say so
                      --told RECIPIENT,...     who was told by you
                      --none KIND,...          of which there was nothing
                      --kept KIND:WHY:DATE     that must stay (WHY: open-matter, legal-duty), several behind commas
  npm run requests -- undo REF --as NAME       take "complete", "refuse" or "cancel" back, for ten minutes

When it is not ordinary
  npm run requests -- hold REF --until DATE --reason CODE [--because TEXT] --as NAME
                                               it waits; the person is told why. CODE: ${holdReasons.join(", ")}
  npm run requests -- release REF --as NAME    the hold is over; the person is told
  npm run requests -- extend REF --days N --because TEXT --as NAME
                                               N more business days, from today when it is late; the person is told why
  npm run requests -- refuse REF --reason CODE [--because TEXT] --as NAME
                                               CODE: ${refusalReasons.join(", ")}
  npm run requests -- cancel REF [--because TEXT] --as NAME
                                               because the person asked you to; the account stays
  npm run requests -- hand-back REF --as NAME  nobody's again, for somebody else to take
  npm run requests -- reopen REF --because TEXT --as NAME
                                               it had ended by mistake; as long as its address is there
  npm run requests -- note REF --because TEXT --as NAME
                                               for the team; the person reads it only in "all you hold about me"

Closed mailbox
  npm run requests -- enter OLD-ADDRESS --contact ADDRESS --shown WAY [--received DATE] [--reason CODE] --as NAME
                                               a request for somebody who cannot read mail there any more
                      --language CODE          in which they are written to, where your campus has more than one
  npm run requests -- approve REF --as NAME    a second person has looked at it: confirmed, with a due date

Mails
  npm run requests -- preview ACT REF ... --as NAME
                                               the mail that take, hold, release, extend, refuse, cancel or reopen would
                                               send with these options, in its reader's language; changes nothing
  npm run requests -- resend REF --as NAME     mail the link again
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
                                               copy the database to a new file, sealed (npm run backup makes keys)
  npm run requests -- delete REF --as NAME     remove an unconfirmed request, such as spam
  npm run requests -- trust-clock --as NAME    this machine's clock is right, though the server doubts it

New here? Walk one request: list, show REF, take REF --as NAME, complete REF --as NAME.
`;

const optionNames = [
  "as",
  "reason",
  "because",
  "days",
  "until",
  "after",
  "only",
  "month",
  "out",
  "address",
  "account",
  "gone",
  "told",
  "none",
  "kept",
  "contact",
  "shown",
  "received",
  "language",
  "seal-for",
] as const;
const flagNames = ["all"] as const;

export type Options = Partial<Record<(typeof optionNames)[number], string>> & { all?: boolean };

const readings = ["list", "find", "show", "figures", "export", "journal", "help", "preview"];
const stores = ["backup", "subject", "retry", "trust-clock", "delete", "resend", "enter", "note"];
const commandNames = [...readings, ...stores, ...Object.keys(acts)];

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
  openWriter = openMailWriter,
  openWords = openSubjectWords,
): Promise<Outcome> {
  const read = readWords(words, { options: optionNames, flags: flagNames });
  if ("problem" in read) return notUnderstood(read.problem);
  const [command = "help", ...behind] = read.positionals;
  const options: Options = read.options;
  if (!commandNames.includes(command)) return tellUnknown(command);
  // Behind preview stands the act that it is of.
  const previewedAct = command === "preview" ? (behind.shift() ?? "") : undefined;
  const [subject, ...rest] = behind;
  if (rest.length > 0) {
    return notUnderstood(
      `“${toPrintable(rest.join(" "))}” is too much behind ${command}. Put a text of several words in quotes: --because "like this".`,
    );
  }
  const desk = createDesk(services);
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
      command === "enter" || command === "subject"
        ? `Say whose: ${command} ADDRESS.`
        : `Say which request: ${command} REF. The list has them: npm run requests -- list`,
    );
  }
  const known = await requireOperator(services, options.as);
  if ("problem" in known) return known.problem;
  const { name } = known;
  if (previewedAct !== undefined) {
    const asked = { act: previewedAct, reference: subject ?? "", options, name };
    return previewMail(services, desk, asked, openWriter);
  }
  return command === "subject"
    ? writeSubjectFile(services, desk, subject ?? "", options.out, name, openWords)
    : runWriting(services, desk, command, subject ?? "", options, name);
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
  services: CommandServices,
  desk: Desk,
  command: string,
  subject: string,
  options: Options,
  name: string,
): Promise<Outcome> {
  const act: Act | undefined = acts[command];
  if (act) return act({ services, desk, reference: subject, options, name });
  switch (command) {
    case "note": {
      const text = (options.because ?? "").trim();
      if (text === "") return notUnderstood('Say what to write down: --because "TEXT".');
      const result = await desk.note(subject, text, name);
      if (result.kind === "refused") {
        return failed("Its person is erased, and whatever is written down now would stay.");
      }
      if (result.kind === "not-found") return tellNotFound(desk, subject);
      return done("It is written down, for the team alone.");
    }
    case "resend": {
      const result = await desk.resendLink(subject, name);
      if (result.kind === "not-found") return tellNotFound(desk, subject);
      if (result.kind === "ended") return failed("It has ended, so there is no link to send.");
      const { reference } = result.request;
      return result.refused
        ? done(
            `A new link to ${reference} is tried once more, but the mailbox did not take the last mail: ${result.refused.lastProblem}. Look again in a minute: npm run requests -- show ${reference}`,
          )
        : done(`A new link to ${reference} is on its way.`);
    }
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
