import { rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { type Calendar, nameHoliday } from "../calendar/business-days.ts";
import {
  createDesk,
  type Desk,
  type DeskResult,
  type OperatorAct,
  type QueuedRequest,
  type QueuePage,
  type QueuePart,
  queueParts,
  type Standing,
  type Story,
} from "../deletion-requests/desk.ts";
import { type Refusal, refusalReasons } from "../deletion-requests/life.ts";
import { isEnded, isWorking } from "../deletion-requests/store/request.ts";
import { formsKeptWhole } from "../deletion-requests/submitting.ts";
import type { Happened } from "../deletion-requests/tallies.ts";
import { isSealingKey, sealFile } from "../keys/sealed-file.ts";
import type { OutboxRecord } from "../outbox/outbox.ts";
import { toCsvLine } from "./csv.ts";
import { type CommandServices, type Outcome, runOnData, signature } from "./start.ts";
import { formatTable, toPrintable } from "./table.ts";

/** `npm run requests`: what operators do, on the data folder of a server that may be running. */

const usage = `Deletion requests

  npm run requests -- list                     what is open: confirmed ones due soonest first, then unconfirmed ones
                      --only PART              one of: confirmed, unconfirmed, ended
                      --all                    ended ones, too, newest end first
                      --after REF              the page behind that request
  npm run requests -- find REF | ADDRESS       by any reference; by address whatever became of it
  npm run requests -- show REF                 one request: what was sent, its trail, its mails
  npm run requests -- take REF --as NAME       take it up; the person can no longer cancel
  npm run requests -- complete REF --as NAME   the account is deleted; sends the receipt
  npm run requests -- refuse REF --reason CODE [--because TEXT] --as NAME
  npm run requests -- extend REF --days N --because TEXT --as NAME
                                               N more business days; the person is told why
  npm run requests -- resend REF --as NAME     mail the link again
  npm run requests -- retry [REF] --as NAME    send again what could not be delivered
  npm run requests -- figures [--month 2026-11]
                                               how it goes
  npm run requests -- journal                  who exported, checked, merged, copied or deleted
  npm run requests -- export [--as NAME]       everything as CSV, to standard output
  npm run requests -- delete REF --as NAME     remove an unconfirmed request, such as spam
  npm run requests -- backup FILE [--seal-for KEY] [--as NAME]
                                               copy the database to a new file, sealed (npm run backup makes keys)
  npm run requests -- trust-clock --as NAME    this machine's clock is right, though the server doubts it

REF is any reference of a request, such as K7RM-4XQP. NAME is yours; it goes into the trail.
CODE is one of: ${refusalReasons.join(", ")}.
`;

const refusalSentences: Record<Refusal, string> = {
  "not-yours-to-do": "That is not an operator's to do.",
  "not-confirmed":
    "It is not confirmed yet: only its person can confirm it, with the link in the mail.",
  "already-confirmed": "It is confirmed already.",
  "not-taken": "Take it up first.",
  "already-taken": "It was taken up already.",
  "already-ended": "It has ended.",
  "not-later": "The new date must be later than the promised one.",
  "too-late-a-date": "The new date must be within three months of the confirmation.",
  "not-due-to-expire": "It has not expired yet.",
};

const maxExplanation = 1000;

type Words = { command: string; reference: string | undefined; options: Options };
type Options = {
  as?: string;
  reason?: string;
  because?: string;
  days?: string;
  after?: string;
  only?: string;
  all?: boolean;
  month?: string;
  "seal-for"?: string;
};

/** Requests on a page of the queue. */
const pageSize = 50;
const troubledShown = 20;
const actsShown = 100;

const partsByName: Record<string, QueuePart> = {
  confirmed: "working",
  unconfirmed: "received",
  ended: "ended",
};

/** Runs one command. Prints nothing itself, so that a test can read what it says. */
export async function runCommand(
  words: readonly string[],
  services: CommandServices,
): Promise<Outcome> {
  const read = readWords(words);
  if (!read) return { code: 2, problem: usage };
  const { command, reference, options } = read;
  const desk = createDesk(services);

  const reading = await runReading(desk, services.calendar, command, reference, options);
  if (reading) return reading;
  if (command === "backup") {
    return backUp(services, desk, reference, signature(options.as), options["seal-for"]);
  }

  const takesReference = command !== "retry" && command !== "trust-clock";
  if (takesReference && !reference) return { code: 2, problem: usage };
  const name = toPrintable(options.as ?? "").trim();
  if (name === "") return notUnderstood("Say who you are with --as NAME; it goes into the trail.");

  switch (command) {
    case "take":
    case "complete":
    case "refuse":
    case "extend": {
      const act = readAct(command, options);
      if ("problem" in act) return notUnderstood(act.problem);
      return tellResult(command, await desk.act(reference ?? "", act, name), reference ?? "");
    }
    case "resend": {
      const result = await desk.resendLink(reference ?? "", name);
      if (result.kind === "not-found") return notFound(reference ?? "");
      if (result.kind === "ended") return failed("It has ended, so there is no link to send.");
      return done(`A new link to ${result.request.reference} is on its way.`);
    }
    case "retry": {
      const request = reference === undefined ? undefined : await desk.find(reference);
      if (reference !== undefined && !request) return notFound(reference);
      const count = await desk.retry(name, request);
      if (count === 0) return done("No mail waits to be sent again.");
      return done(`${count === 1 ? "1 mail" : `${count} mails`} will be sent again.`);
    }
    case "trust-clock": {
      if (reference) return { code: 2, problem: usage };
      await desk.trustClock(name);
      return done("The clock is taken as right. A running server notices within a minute.");
    }
    case "delete": {
      const result = await desk.removeUnconfirmed(reference ?? "", name);
      if (result === "not-found") return notFound(reference ?? "");
      return result === "done"
        ? done("It is gone.")
        : failed("It is confirmed, so it cannot just disappear: complete or refuse it.");
    }
    default:
      return { code: 2, problem: usage };
  }
}

async function backUp(
  services: CommandServices,
  desk: Desk,
  path: string | undefined,
  name: string,
  sealFor: string | undefined,
): Promise<Outcome> {
  if (!path) return { code: 2, problem: usage };
  if (sealFor !== undefined && !isSealingKey(sealFor)) {
    return notUnderstood(
      "--seal-for takes the 43 characters that npm run backup -- new-key printed.",
    );
  }
  try {
    await desk.enter(name, "backup", "");
    if (sealFor === undefined) {
      await services.database.copyTo(path);
      return done(`The database was copied to ${path}. The copy is not sealed.`);
    }
    // The open copy stands beside the sealed one for as long as sealing takes.
    const open = `${path}.open`;
    await services.database.copyTo(open);
    try {
      await sealFile(open, path, sealFor);
    } finally {
      await rm(open, { force: true });
    }
    return done(`The database was copied to ${path}, sealed.`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return failed(
      code === "EEXIST"
        ? `The file ${path} is there already. Choose a new name.`
        : `The file ${path} cannot be written (${code}).`,
    );
  }
}

async function runReading(
  desk: Desk,
  calendar: Calendar,
  command: string,
  reference: string | undefined,
  options: Options,
): Promise<Outcome | undefined> {
  if (command === "show") {
    if (!reference) return { code: 2, problem: usage };
    const story = await desk.tell(reference);
    return story ? { code: 0, out: show(story, calendar) } : notFound(reference);
  }
  if (command === "find") {
    if (!reference) return { code: 2, problem: usage };
    const found = await desk.search(reference);
    if (found.length > 0) return { code: 0, out: toTable(found) };
    return failed(`There is no request of ${toPrintable(reference)}.`);
  }
  if (!["list", "export", "figures", "journal", "help"].includes(command)) return undefined;
  if (reference) return { code: 2, problem: usage };
  switch (command) {
    case "list":
      return listPage(desk, options);
    case "export":
      return { code: 0, out: exportAll(desk, signature(options.as)) };
    case "figures":
      return tellFigures(desk, options.month);
    case "journal":
      return { code: 0, out: await tellJournal(desk) };
    default:
      return { code: 0, out: usage };
  }
}

function readWords(words: readonly string[]): Words | undefined {
  try {
    const { positionals, values } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        as: { type: "string" },
        reason: { type: "string" },
        because: { type: "string" },
        days: { type: "string" },
        after: { type: "string" },
        only: { type: "string" },
        all: { type: "boolean" },
        month: { type: "string" },
        "seal-for": { type: "string" },
      },
    });
    const [command = "help", reference, ...rest] = positionals;
    return rest.length > 0 ? undefined : { command, reference, options: values };
  } catch {
    return undefined;
  }
}

function readAct(
  command: "take" | "complete" | "refuse" | "extend",
  options: Options,
): OperatorAct | { problem: string } {
  const explanation = (options.because ?? "").trim();
  if (explanation.length > maxExplanation) {
    return { problem: `Shorten the explanation to ${maxExplanation} characters.` };
  }
  switch (command) {
    case "refuse": {
      const reason = refusalReasons.find((code) => code === options.reason);
      if (!reason) return { problem: `Give the reason: --reason ${refusalReasons.join(" | ")}.` };
      if (reason === "other" && explanation === "") {
        return { problem: "The reason “other” needs an explanation: --because TEXT." };
      }
      return { type: "refuse", reason, explanation };
    }
    case "extend": {
      const days = /^\d{1,2}$/.test(options.days ?? "") ? Number(options.days) : 0;
      if (days < 1) return { problem: "Give the number of further business days: --days N." };
      if (explanation === "") return { problem: "The person is told why: --because TEXT." };
      return { type: "extend", businessDays: days, explanation };
    }
    default:
      return { type: command };
  }
}

function tellResult(command: string, result: DeskResult, reference: string): Outcome {
  if (result.kind === "not-found") return notFound(reference);
  if (result.kind === "refused") return failed(refusalSentences[result.refusal]);
  const { request } = result;
  const due = isEnded(request) ? "" : `, due ${request.dueOn}`;
  const told =
    command === "complete" ? " The receipt is on its way." : " The person is told by mail.";
  return done(`${request.reference} is ${request.state}${due}.${told}`);
}

async function listPage(desk: Desk, options: Options): Promise<Outcome> {
  const part = options.only === undefined ? undefined : partsByName[options.only];
  if (options.only !== undefined && !part) {
    return notUnderstood(`--only takes one of: ${Object.keys(partsByName).join(", ")}.`);
  }
  const parts = part ? [part] : queueParts.filter((one) => options.all || one !== "ended");
  const page = await desk.list(parts, pageSize, options.after);
  if (!page) return notFound(options.after ?? "");
  return {
    code: 0,
    out:
      list(page, await desk.troubled(troubledShown)) +
      listFailing(await desk.failing(troubledShown)),
  };
}

function list(
  { requests, hasMore }: QueuePage,
  troubled: { first: readonly OutboxRecord[]; count: number },
): string {
  const table = requests.length === 0 ? "No requests.\n" : toTable(requests);
  const last = requests.at(-1)?.reference;
  const more = hasMore ? `\nThere are more: npm run requests -- list --after ${last}\n` : "";
  if (troubled.count === 0) return `${table}${more}`;
  const trouble = formatTable(
    ["MAIL", "REFERENCE", "PROBLEM", "SINCE"],
    troubled.first.map((mail) => [
      mail.kind,
      mail.reference || "-",
      mail.lastProblem,
      toMinute(mail.createdAt),
    ]),
  );
  const others = troubled.count - troubled.first.length;
  const rest = others > 0 ? `and ${others} more\n` : "";
  return `${table}${more}\nMails that need a person (then: retry):\n${trouble}${rest}`;
}

function listFailing(failing: readonly OutboxRecord[]): string {
  if (failing.length === 0) return "";
  const table = formatTable(
    ["MAIL", "REFERENCE", "PROBLEM", "WAITING SINCE", "NEXT TRY"],
    failing.map((mail) => [
      mail.kind,
      mail.reference || "-",
      mail.lastProblem,
      toMinute(mail.createdAt),
      toMinute(mail.nextAt),
    ]),
  );
  return `\nMails that could not leave yet, the oldest first (they are tried again by themselves):\n${table}`;
}

function toTable(requests: readonly QueuedRequest[]): string {
  return formatTable(
    ["REFERENCE", "STATE", "DUE", "LEFT", "RECEIVED", "ADDRESS", "REASON", "SENT"],
    requests.map((request) => [
      request.reference,
      request.state,
      "dueOn" in request ? request.dueOn.toString() : "-",
      tellDaysLeft(request.daysLeft),
      toMinute(request.receivedAt),
      request.email ?? "(erased)",
      request.reason,
      request.sent === 1 ? "once" : `${request.sent} times`,
    ]),
  );
}

function show({ request, submissions, events, mails }: Story, calendar: Calendar): string {
  const others = request.sent - submissions.length;
  const head = formatTable(
    [
      "Request",
      submissions.map(({ reference }) => reference).join(", ") +
        (others > 0 ? ` and ${others} more` : ""),
    ],
    [
      ["State", request.state],
      ["Address", request.email ?? "(erased)"],
      ["Received", toMinute(request.receivedAt)],
      ...("dueOn" in request
        ? [["Due", `${request.dueOn}, ${tellDaysLeft(request.daysLeft)}`]]
        : []),
      ...(request.state === "received" ? [["Expires", toMinute(request.expiresAt)]] : []),
      ...(request.state === "refused" ? [["Refused", request.refusalReason]] : []),
    ],
  );
  const skipped = ("skipped" in request ? request.skipped : []).map(
    (day) =>
      `  ${day.date}  ${day.reason === "holiday" ? nameHoliday(calendar, day.name) : "weekend"}\n`,
  );
  const sent = submissions.map((submission) => {
    const feedback = submission.feedback
      .split("\n")
      .map((line) => `  > ${toPrintable(line)}\n`)
      .join("");
    return `\n${submission.reference}, sent ${toMinute(submission.receivedAt)} as ${submission.email ?? "(erased)"}, ${submission.reason}\n${submission.feedback === "" ? "" : feedback}`;
  });
  const dropped =
    request.sent > formsKeptWhole
      ? `\nOf the ${request.sent} forms for this address the first ${formsKeptWhole} are kept with their feedback.\n`
      : "";
  const trail = formatTable(
    ["WHEN", "WHO", "WHAT", "FROM", "TO", "WHY"],
    events.map((event) => [
      toMinute(event.at),
      event.name === "" ? event.actor : `${event.actor} ${event.name}`,
      event.type,
      event.fromState || "-",
      event.toState,
      [
        event.code,
        event.dueTo && `due ${event.dueFrom ? `${event.dueFrom} → ` : ""}${event.dueTo}`,
        event.note,
      ]
        .filter(Boolean)
        .join(", "),
    ]),
  );
  const outbox = formatTable(
    ["MAIL", "STATE", "WRITTEN", "FAILURES", "PROBLEM"],
    mails.map((mail) => [
      mail.kind,
      mail.state,
      toMinute(mail.createdAt),
      String(mail.failures),
      mail.lastProblem,
    ]),
  );
  return [
    head,
    skipped.length > 0 ? `\nDays that do not count\n${skipped.join("")}` : "",
    ...sent,
    dropped,
    events.length > 0 ? `\nTrail\n${trail}` : "",
    mails.length > 0 ? `\nMails\n${outbox}` : "",
  ].join("");
}

async function tellFigures(desk: Desk, typed: string | undefined): Promise<Outcome> {
  if (typed === undefined) {
    const standing = await desk.standing();
    return { code: 0, out: figuresTable(await desk.happened(), standing) };
  }
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(typed)) {
    return notUnderstood("Give the month as --month 2026-11.");
  }
  const month = Temporal.PlainYearMonth.from(typed);
  return { code: 0, out: figuresTable(await desk.happened(month)) };
}

function figuresTable(happened: Happened, standing?: Standing): string {
  const { completed, completedOnTime, medianDays } = happened;
  const share =
    completed === 0
      ? "-"
      : `${completedOnTime} of ${completed} (${Math.round((100 * completedOnTime) / completed)} %)`;
  const waiting = standing ? `, ${standing.unconfirmed} waiting` : "";
  const ages = standing?.openByAge;
  return formatTable(
    ["Received", String(happened.received)],
    [
      ["Confirmed", String(happened.confirmed)],
      ["Never confirmed", `${happened.expired} expired${waiting}`],
      ["Done on time", share],
      ["Median days", medianDays === undefined ? "-" : medianDays.toFixed(1)],
      ["Cancelled", String(happened.cancelled)],
      ["Refused", String(happened.refused)],
      ...(ages
        ? [
            [
              "Open by age",
              `${ages.upTo3} up to 3 days, ${ages.upTo7} up to 7, ${ages.upTo14} up to 14, ${ages.older} older`,
            ],
          ]
        : []),
      ...(standing ? [["Overdue", String(standing.overdue)]] : []),
    ],
  );
}

async function tellJournal(desk: Desk): Promise<string> {
  const acts = await desk.journal(actsShown);
  if (acts.length === 0) return "Nothing has been entered.\n";
  return formatTable(
    ["WHEN", "WHO", "WHAT", "ABOUT"],
    acts.map((entry) => [toMinute(entry.at), entry.name, entry.act, entry.about || "-"]),
  );
}

/** Every form as a line of CSV; the act is entered before the first. */
async function* exportAll(desk: Desk, name: string): AsyncGenerator<string> {
  await desk.enter(name, "export", "");
  yield toCsvLine([
    "reference",
    "request",
    "state",
    "address",
    "reason",
    "feedback",
    "received",
    "confirmed",
    "due",
    "ended",
    "refusal",
  ]);
  for await (const { request, submission } of desk.carryOut()) {
    const confirmed = isWorking(request) || isEnded(request) ? request : undefined;
    yield toCsvLine([
      submission.reference,
      request.reference,
      request.state,
      submission.email ?? "",
      submission.reason,
      submission.feedback,
      submission.receivedAt.toString(),
      confirmed?.confirmedAt.toString() ?? "",
      confirmed?.dueOn.toString() ?? "",
      isEnded(request) ? request.endedAt.toString() : "",
      request.state === "refused" ? request.refusalReason : "",
    ]);
  }
}

function tellDaysLeft(daysLeft: number | undefined): string {
  if (daysLeft === undefined) return "-";
  if (daysLeft === 0) return "due today";
  const days = Math.abs(daysLeft) === 1 ? "1 day" : `${Math.abs(daysLeft)} days`;
  return daysLeft > 0 ? `${days} left` : `${days} late`;
}

function toMinute(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: "minute" }).replace("T", " ").replace("Z", " UTC");
}

function done(sentence: string): Outcome {
  return { code: 0, out: `${sentence}\n` };
}

function failed(sentence: string): Outcome {
  return { code: 1, problem: `${sentence}\n` };
}

function notUnderstood(sentence: string): Outcome {
  return { code: 2, problem: `${sentence}\n` };
}

function notFound(reference: string): Outcome {
  return failed(
    `There is no request with the reference ${toPrintable(reference)}. Unconfirmed ones go after seven days.`,
  );
}

if (import.meta.main) await runOnData((services) => runCommand(process.argv.slice(2), services));
