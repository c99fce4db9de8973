import { type Calendar, dateAt, nameHoliday } from "../calendar/business-days.ts";
import { formsKeptWhole } from "../deletion-requests/asking/submitting.ts";
import type { Happened } from "../deletion-requests/ledger/monthly-counters.ts";
import { isHeld, undoMinutes } from "../deletion-requests/life/life.ts";
import { parseReference } from "../deletion-requests/life/reference.ts";
import { isEnded, isWorking } from "../deletion-requests/store/request.ts";
import type {
  Desk,
  QueuedRequest,
  QueuePage,
  Standing,
  Story,
} from "../deletion-requests/working/desk.ts";
import { createCalendarWords } from "../language/in-words.ts";
import type { OutboxRecord } from "../outbox/outbox.ts";
import { failed, notUnderstood, toMinute, toTime } from "./sentences.ts";
import type { CommandServices, Outcome } from "./start.ts";
import { formatTable, toPrintable } from "./table.ts";

/** What commands show of requests, as text. */

type Shown = Pick<CommandServices, "calendar" | "clock">;

const actsShown = 100;

export function showQueue(
  services: Shown,
  { requests, hasMore }: QueuePage,
  mails: {
    troubled: { first: readonly OutboxRecord[]; count: number };
    failing: readonly OutboxRecord[];
  },
): string {
  const { calendar } = services;
  const table = requests.length === 0 ? "No requests.\n" : toTable(services, requests);
  const last = requests.at(-1)?.reference;
  const more = hasMore ? `\nThere are more: npm run requests -- list --after ${last}\n` : "";
  return [
    table,
    more,
    showTroubled(calendar, mails.troubled),
    showFailing(calendar, mails.failing),
  ].join("");
}

function showTroubled(
  calendar: Calendar,
  { first, count }: { first: readonly OutboxRecord[]; count: number },
): string {
  if (count === 0) return "";
  const table = formatTable(
    ["MAIL", "REFERENCE", "PROBLEM", "SINCE"],
    first.map((mail) => [
      mail.kind,
      mail.reference || "-",
      mail.lastProblem,
      toMinute(calendar, mail.createdAt),
    ]),
  );
  const others = count - first.length;
  const rest = others > 0 ? `and ${others} more\n` : "";
  return `\nMails that need a person (then: retry):\n${table}${rest}`;
}

function showFailing(calendar: Calendar, failing: readonly OutboxRecord[]): string {
  if (failing.length === 0) return "";
  const table = formatTable(
    ["MAIL", "REFERENCE", "PROBLEM", "WAITING SINCE", "NEXT TRY"],
    failing.map((mail) => [
      mail.kind,
      mail.reference || "-",
      mail.lastProblem,
      toMinute(calendar, mail.createdAt),
      toMinute(calendar, mail.nextAt),
    ]),
  );
  return `\nMails that could not leave yet, the oldest first (they are tried again by themselves):\n${table}`;
}

export function toTable(services: Shown, requests: readonly QueuedRequest[]): string {
  return formatTable(
    ["REFERENCE", "STATE", "DUE", "LEFT", "WHOSE WORK", "ADDRESS", "RECEIVED", "REASON", "SENT"],
    requests.map((request) => [
      request.reference,
      tellState(services, request),
      "dueOn" in request ? request.dueOn.toString() : "-",
      tellDaysLeft(request.daysLeft),
      isWorking(request)
        ? (request.owner ?? (request.state === "confirmed" ? "-" : "nobody"))
        : "-",
      request.email ?? "(erased)",
      toMinute(services.calendar, request.receivedAt),
      request.reason,
      request.sent === 1 ? "once" : `${request.sent} times`,
    ]),
  );
}

/** The state in words, with what an operator must know of it. */
export function tellState({ calendar, clock }: Shown, request: QueuedRequest): string {
  if (request.state === "received") {
    return request.enteredBy === undefined
      ? "unconfirmed"
      : `entered by ${request.enteredBy}, to be approved`;
  }
  if (!isWorking(request)) return request.state;
  if (request.done) {
    const leaves = request.done.at.add({ minutes: undoMinutes });
    // Longer only after a copy was put back.
    return Temporal.Instant.compare(leaves, clock()) < 0
      ? "done, can still be undone"
      : `done, receipt at ${toTime(calendar, leaves)}`;
  }
  const words = request.state === "confirmed" ? "confirmed" : "in progress";
  if (!request.hold) return words;
  const { until } = request.hold;
  return isHeld({ heldUntil: until }, dateAt(calendar, clock()))
    ? `${words}, on hold until ${until}`
    : `${words}, hold ended ${until}`;
}

export function tellDaysLeft(daysLeft: number | undefined): string {
  return daysLeft === undefined ? "-" : inWords.daysLeft(daysLeft, dueWords);
}

/** The command line speaks English, whatever the campus's languages are. */
const inWords = createCalendarWords({ locale: "en", timeZone: "UTC", holidays: {} });

const dueWords = {
  daysLeft:
    "{count, plural, =0 {due today} one {# business day left} other {# business days left}}",
  overdue: "OVERDUE by {count, plural, one {# business day} other {# business days}}",
};

export function showStory(services: Shown, { request, submissions, events, mails }: Story): string {
  const { calendar } = services;
  const minute = (instant: Temporal.Instant) => toMinute(calendar, instant);
  const others = request.sent - submissions.length;
  const head = formatTable(
    [
      "Request",
      submissions.map(({ reference }) => reference).join(", ") +
        (others > 0 ? ` and ${others} more` : ""),
    ],
    [
      ["State", tellState(services, request)],
      ["Address", request.email ?? "(erased)"],
      ...(request.contact === undefined ? [] : [["Mails go to", request.contact]]),
      ["Received", minute(request.receivedAt)],
      ...(request.language === "" ? [] : [["Language", request.language]]),
      ...("dueOn" in request
        ? [["Due", isEnded(request) ? `${request.dueOn}` : tellDue(request)]]
        : []),
      ...(isWorking(request) && request.owner ? [["Whose work", request.owner]] : []),
      ...(isWorking(request) && request.hold
        ? [["On hold", `${request.hold.reason}, until ${request.hold.until}`]]
        : []),
      ...(request.state === "received" ? [["Expires", minute(request.expiresAt)]] : []),
      ...(request.state === "refused" ? [["Refused", request.refusalReason]] : []),
      ...(isEnded(request) && request.completion
        ? [["Data", tellCompletion(request.completion.lines)]]
        : []),
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
    return `\n${submission.reference}, sent ${minute(submission.receivedAt)} as ${submission.email ?? "(erased)"}, ${submission.reason}\n${submission.feedback === "" ? "" : feedback}`;
  });
  const dropped =
    request.sent > formsKeptWhole
      ? `\nOf the ${request.sent} forms for this address the first ${formsKeptWhole} are kept with their feedback.\n`
      : "";
  const trail = formatTable(
    ["WHEN", "WHO", "WHAT", "FROM", "TO", "WHY"],
    events.map((event) => [
      minute(event.at),
      event.name === "" ? event.actor : `${event.actor} ${event.name}`,
      event.type,
      event.fromState || "-",
      event.toState,
      [
        event.code,
        event.dueTo &&
          `${event.type === "hold" ? "until" : "due"} ${event.dueFrom ? `${event.dueFrom} → ` : ""}${event.dueTo}`,
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
      minute(mail.createdAt),
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

export function tellDue(request: Extract<QueuedRequest, { dueOn: Temporal.PlainDate }>): string {
  const first = request.firstDueOn.equals(request.dueOn)
    ? ""
    : ` (promised first: ${request.firstDueOn})`;
  return `${request.dueOn}, ${tellDaysLeft(request.daysLeft)}${first}`;
}

function tellCompletion(lines: readonly { kind: string; outcome: string }[]): string {
  return ["deleted", "due", "none", "kept"]
    .flatMap((outcome) => {
      const kinds = lines.filter((line) => line.outcome === outcome).map((line) => line.kind);
      return kinds.length === 0 ? [] : [`${outcome}: ${kinds.join(", ")}`];
    })
    .join("; ");
}

export function showFigures(calendar: Calendar, happened: Happened, standing?: Standing): string {
  const { completed, completedOnTime, medianDays } = happened;
  const share =
    completed === 0
      ? "-"
      : `${completedOnTime} of ${completed} (${Math.round((100 * completedOnTime) / completed)} %)`;
  const waiting = standing ? `, ${standing.unconfirmed} waiting` : "";
  return formatTable(
    ["Received", String(happened.received)],
    [
      ["Confirmed", String(happened.confirmed)],
      ["Never confirmed", `${happened.expired} expired${waiting}`],
      ["Done on time", share],
      ["Median days", medianDays === undefined ? "-" : medianDays.toFixed(1)],
      ["Extended", String(happened.extended)],
      ["Put on hold", String(happened.held)],
      ["Cancelled", String(happened.cancelled)],
      ["Refused", withReasons(happened.refused, happened.refusals)],
      ["Opened again", String(happened.reopened)],
      ["Why they leave", listCounts(happened.reasons) || "-"],
      ...(standing ? standingRows(calendar, standing) : []),
    ],
  );
}

function standingRows(calendar: Calendar, standing: Standing): [string, string][] {
  const { openByAge: ages, mail } = standing;
  const mails = [
    mail.waitingSince && `some wait since ${toMinute(calendar, mail.waitingSince)}`,
    mail.troubled > 0 && `${mail.troubled} need a person`,
  ].filter(Boolean);
  return [
    [
      "Open by age",
      `${ages.upTo3} up to 3 days, ${ages.upTo7} up to 7, ${ages.upTo14} up to 14, ${ages.older} older`,
    ],
    ["Overdue", String(standing.overdue)],
    ["On hold", String(standing.held)],
    ["Mail", mails.length === 0 ? "leaves" : mails.join(", ")],
  ];
}

function withReasons(count: number, reasons: Partial<Record<string, number>>): string {
  const list = listCounts(reasons);
  return list === "" ? String(count) : `${count} (${list})`;
}

function listCounts(counts: Partial<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}

export async function showJournal(calendar: Calendar, desk: Desk): Promise<string> {
  const entries = await desk.journal(actsShown);
  if (entries.length === 0) return "Nothing has been entered.\n";
  return formatTable(
    ["WHEN", "WHO", "WHAT", "ABOUT"],
    entries.map((entry) => [
      toMinute(calendar, entry.at),
      entry.name,
      entry.act,
      entry.about || "-",
    ]),
  );
}

/** Why there is no such request: mistyped, gone, or never there. */
export async function tellNotFound(desk: Desk, typed: string): Promise<Outcome> {
  const shown = toPrintable(typed);
  const reference = parseReference(typed);
  if (reference === undefined) {
    return typed.includes("@")
      ? notUnderstood(`${shown} is an address. Its requests: npm run requests -- find ${shown}`)
      : notUnderstood(
          `${shown} is no reference. One has eight characters, such as K7RM-4XQP, and never 0, 1 or A, B, E, G, I, L, O, S, U, Z.`,
        );
  }
  const gone = await desk.findGone(reference);
  if (gone === "expired") {
    return failed(
      `${reference} was never confirmed and has expired; nothing is left of it. Its person may fill in the form again.`,
    );
  }
  if (gone === "removed") {
    return failed(`${reference} was removed by an operator while it was unconfirmed.`);
  }
  return failed(
    `There is no request with the reference ${reference}. Compare each character with the mail.`,
  );
}
