import { parseArgs } from "node:util";
import {
  createDesk,
  type Desk,
  type DeskResult,
  type Figures,
  type OperatorAct,
  type QueuedRequest,
  type Story,
} from "../deletion-requests/desk.ts";
import { type Refusal, refusalReasons } from "../deletion-requests/life.ts";
import { createDeletionRequests } from "../deletion-requests/service.ts";
import type { RequestRecord } from "../deletion-requests/store.ts";
import type { OutboxRecord } from "../outbox/outbox.ts";
import { toCsvLine } from "./csv.ts";
import { type CommandServices, type Outcome, runOnData } from "./start.ts";
import { formatTable, toPrintable } from "./table.ts";

/** `npm run requests`: what operators do, on the data folder of a server that may be running. */

const usage = `Deletion requests

  npm run requests -- list                     what is open, due soonest first, then the rest
  npm run requests -- show REF                 one request: what was sent, its trail, its mails
  npm run requests -- take REF --as NAME       take it up; the person can no longer cancel
  npm run requests -- complete REF --as NAME   the account is deleted; sends the receipt
  npm run requests -- refuse REF --reason CODE [--because TEXT] --as NAME
  npm run requests -- extend REF --days N --because TEXT --as NAME
                                               N more business days; the person is told why
  npm run requests -- resend REF --as NAME     mail the link again
  npm run requests -- retry [REF] --as NAME    send again what could not be delivered
  npm run requests -- figures                  how it goes
  npm run requests -- export                   everything as CSV, to standard output
  npm run requests -- delete REF --as NAME     remove an unconfirmed request, such as spam
  npm run requests -- backup FILE              copy the database to a new file

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
type Options = { as?: string; reason?: string; because?: string; days?: string };

/** Runs one command. Prints nothing itself, so that a test can read what it says. */
export async function runCommand(
  words: readonly string[],
  services: CommandServices,
): Promise<Outcome> {
  const read = readWords(words);
  if (!read) return { code: 2, problem: usage };
  const { command, reference, options } = read;
  const desk = createDesk(services);

  const reading = await runReading(desk, command, reference);
  if (reading) return reading;
  if (command === "backup") return backUp(services, reference);

  if (command !== "retry" && !reference) return { code: 2, problem: usage };
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
      const request = await desk.find(reference ?? "");
      if (!request) return notFound(reference ?? "");
      const sent = await createDeletionRequests(services).resendLink(request, name);
      if (!sent) return failed("It has ended, so there is no link to send.");
      return done(`A new link to ${request.reference} is on its way.`);
    }
    case "retry": {
      const request = reference === undefined ? undefined : await desk.find(reference);
      if (reference !== undefined && !request) return notFound(reference);
      const count = await desk.retry(name, request);
      if (count === 0) return done("No mail waits to be sent again.");
      return done(`${count === 1 ? "1 mail" : `${count} mails`} will be sent again.`);
    }
    case "delete": {
      const result = await desk.removeUnconfirmed(reference ?? "");
      if (result === "not-found") return notFound(reference ?? "");
      return result === "done"
        ? done("It is gone.")
        : failed("It is confirmed, so it cannot just disappear: complete or refuse it.");
    }
    default:
      return { code: 2, problem: usage };
  }
}

async function backUp(services: CommandServices, path: string | undefined): Promise<Outcome> {
  if (!path) return { code: 2, problem: usage };
  try {
    await services.database.copyTo(path);
    return done(`The database was copied to ${path}.`);
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
  command: string,
  reference: string | undefined,
): Promise<Outcome | undefined> {
  if (command === "show") {
    if (!reference) return { code: 2, problem: usage };
    const story = await desk.tell(reference);
    return story ? { code: 0, out: show(story) } : notFound(reference);
  }
  if (!["list", "export", "figures", "help"].includes(command)) return undefined;
  if (reference) return { code: 2, problem: usage };
  switch (command) {
    case "list":
      return { code: 0, out: list(await desk.list(), await desk.troubled()) };
    case "export":
      return { code: 0, out: toCsv(await desk.list()) };
    case "figures":
      return { code: 0, out: tellFigures(await desk.figures()) };
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
  const due = request.dueOn ? `, due ${request.dueOn}` : "";
  const told =
    command === "complete" ? " The receipt is on its way." : " The person is told by mail.";
  return done(`${request.reference} is ${request.state}${request.endedAt ? "" : due}.${told}`);
}

function list(requests: readonly QueuedRequest[], troubled: readonly OutboxRecord[]): string {
  if (requests.length === 0) return "No requests.\n";
  const table = formatTable(
    ["REFERENCE", "STATE", "DUE", "LEFT", "RECEIVED", "ADDRESS", "REASON", "SENT"],
    requests.map((request) => [
      request.reference,
      request.state,
      request.dueOn?.toString() ?? "-",
      tellDaysLeft(request.daysLeft),
      toMinute(request.receivedAt),
      request.email || "(erased)",
      request.submissions.at(-1)?.reason ?? "",
      request.submissions.length === 1 ? "once" : `${request.submissions.length} times`,
    ]),
  );
  if (troubled.length === 0) return table;
  const trouble = formatTable(
    ["MAIL", "REFERENCE", "PROBLEM", "SINCE"],
    troubled.map((mail) => [
      mail.kind,
      mail.reference || "-",
      mail.lastProblem,
      toMinute(mail.createdAt),
    ]),
  );
  return `${table}\nMails that need a person (then: retry):\n${trouble}`;
}

function show({ request, events, mails }: Story): string {
  const head = formatTable(
    ["Request", referencesOf(request)],
    [
      ["State", request.state],
      ["Address", request.email || "(erased)"],
      ["Received", toMinute(request.receivedAt)],
      ...(request.dueOn ? [["Due", `${request.dueOn}, ${tellDaysLeft(request.daysLeft)}`]] : []),
      ...(request.expiresAt ? [["Expires", toMinute(request.expiresAt)]] : []),
      ...(request.refusalReason ? [["Refused", request.refusalReason]] : []),
    ],
  );
  const skipped = request.skipped.map(
    (day) => `  ${day.date}  ${day.reason === "holiday" ? day.name : "weekend"}\n`,
  );
  const sent = request.submissions.map((submission) => {
    const feedback = submission.feedback
      .split("\n")
      .map((line) => `  > ${toPrintable(line)}\n`)
      .join("");
    return `\n${submission.reference}, sent ${toMinute(submission.receivedAt)} as ${submission.email || "(erased)"}, ${submission.reason}\n${submission.feedback === "" ? "" : feedback}`;
  });
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
    events.length > 0 ? `\nTrail\n${trail}` : "",
    mails.length > 0 ? `\nMails\n${outbox}` : "",
  ].join("");
}

function tellFigures(figures: Figures): string {
  const share =
    figures.completed === 0
      ? "-"
      : `${figures.completedOnTime} of ${figures.completed} (${Math.round((100 * figures.completedOnTime) / figures.completed)} %)`;
  const { openByAge } = figures;
  return formatTable(
    ["Received", String(figures.received)],
    [
      ["Confirmed", String(figures.confirmed)],
      ["Never confirmed", `${figures.expired} expired, ${figures.unconfirmed} waiting`],
      ["Done on time", share],
      ["Median days", figures.medianDays === undefined ? "-" : figures.medianDays.toFixed(1)],
      ["Cancelled", String(figures.cancelled)],
      ["Refused", String(figures.refused)],
      [
        "Open by age",
        `${openByAge.upTo3} up to 3 days, ${openByAge.upTo7} up to 7, ${openByAge.upTo14} up to 14, ${openByAge.older} older`,
      ],
      ["Overdue", String(figures.overdue)],
    ],
  );
}

function toCsv(requests: readonly QueuedRequest[]): string {
  const head = [
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
  ];
  const lines = requests.flatMap((request) =>
    request.submissions.map((submission) => [
      submission.reference,
      request.reference,
      request.state,
      submission.email,
      submission.reason,
      submission.feedback,
      submission.receivedAt.toString(),
      request.confirmedAt?.toString() ?? "",
      request.dueOn?.toString() ?? "",
      request.endedAt?.toString() ?? "",
      request.refusalReason ?? "",
    ]),
  );
  return [head, ...lines].map(toCsvLine).join("");
}

function tellDaysLeft(daysLeft: number | undefined): string {
  if (daysLeft === undefined) return "-";
  if (daysLeft === 0) return "due today";
  const days = Math.abs(daysLeft) === 1 ? "1 day" : `${Math.abs(daysLeft)} days`;
  return daysLeft > 0 ? `${days} left` : `${days} late`;
}

function referencesOf(request: RequestRecord): string {
  return request.submissions.map((submission) => submission.reference).join(", ");
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
