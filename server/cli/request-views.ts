import { readEnglish } from "../../campus-reader/product-words.ts";
import type { Desk } from "../deletion-requests/commands/operator-commands.ts";
import { type Fact, presentFacts } from "../deletion-requests/presenters/request.ts";
import type { QueuedRequest, QueuePage } from "../deletion-requests/queries/request-queries.ts";
import {
  holdOf,
  isWorking,
  ownerOf,
  parseReference,
} from "../deletion-requests/state-machine/request.ts";
import { isHeld } from "../deletion-requests/state-machine/state-machine.ts";
import type { OutboxRecord } from "../delivery/outbox.ts";
import { dateAt, toMinute } from "../platform/calendar/business-days.ts";
import { createSay } from "../platform/i18n/texts.ts";
import type { CommandServices } from "./program.ts";
import {
  failed,
  formatTable,
  notUnderstood,
  type Outcome,
  toPrintable,
  toTime,
} from "./sentences.ts";

// Text output of the request commands

type ViewServices = Pick<CommandServices, "calendar" | "clock">;

/**
 * Formats the queue.
 * @param mails emails that need an operator (the first few and the total count), and the oldest
 * emails that will be retried
 */
export function formatQueue(
  services: ViewServices,
  only: string | undefined,
  { requests, hasMore }: QueuePage,
  mails: {
    troubled: { first: readonly OutboxRecord[]; count: number };
    failing: readonly OutboxRecord[];
  },
): string {
  const { troubled, failing } = mails;
  const table = requests.length === 0 ? "No requests.\n" : toTable(services, requests);
  const last = requests.at(-1)?.reference;
  const list = `npm run requests -- list ${only ? `--only ${only} ` : ""}--after ${last}`;
  const more = hasMore ? `\nThere are more: ${list}\n` : "";
  const hidden = troubled.count - troubled.first.length;
  return [
    table,
    more,
    formatMails(services, "Emails that need your attention (then: act resend)", troubled.first),
    hidden > 0 ? `and ${hidden} more\n` : "",
    formatMails(
      services,
      "Emails that have not gone out yet, the oldest first (we try them again by ourselves)",
      failing,
    ),
  ].join("");
}

function formatMails(
  { calendar }: ViewServices,
  title: string,
  mails: readonly OutboxRecord[],
): string {
  if (mails.length === 0) return "";
  const table = formatTable(
    ["MAIL", "REFERENCE", "PROBLEM", "WAITING SINCE", "NEXT TRY"],
    mails.map((mail) => [
      mail.kind,
      mail.reference || "-",
      mail.lastProblem,
      toMinute(calendar, mail.createdAt),
      mail.state === "waiting" ? toMinute(calendar, mail.nextAt) : "-",
    ]),
  );
  return `\n${title}:\n${table}`;
}

export function toTable(services: ViewServices, requests: readonly QueuedRequest[]): string {
  const say = ({ text, code, on, at, days }: Fact = {}) =>
    text ?? code ?? on?.toString() ?? (at ? toMinute(services.calendar, at) : formatDaysLeft(days));
  return formatTable(
    ["REFERENCE", "STATE", "DUE", "LEFT", "WHOSE WORK", "ADDRESS", "RECEIVED", "REASON", "SENT"],
    requests.map((request) => {
      const facts = presentFacts(request, "team", request);
      return [
        say(facts.reference),
        describeState(services, request),
        say(facts.due),
        say(facts.left),
        ownerOf(request) ?? (request.state === "in-progress" ? "nobody" : "-"),
        facts.address?.text ?? "(erased)",
        say(facts.received),
        say(facts.reason),
        request.sent === 1 ? "once" : `${request.sent} times`,
      ];
    }),
  );
}

export function describeState({ calendar, clock }: ViewServices, request: QueuedRequest): string {
  if (request.state === "received") {
    return request.enteredBy === undefined
      ? "unconfirmed"
      : `entered by ${request.enteredBy}, waiting for approval`;
  }
  if (!isWorking(request)) return request.state;
  const { final } = presentFacts(request, "team");
  if (final) {
    // This time is in the past during the hold after a restore, or if no server is running.
    return Temporal.Instant.compare(final.at, clock()) < 0
      ? "done, can still be undone"
      : `done, receipt at ${toTime(calendar, final.at)}`;
  }
  const words = request.state === "confirmed" ? "confirmed" : "in progress";
  const wait = holdOf(request);
  if (!wait) return words;
  return isHeld(wait, dateAt(calendar, clock()))
    ? `${words}, on hold until ${wait.until}`
    : `${words}, hold ended ${wait.until}`;
}

export function formatDaysLeft(daysLeft: number | undefined): string {
  if (daysLeft === undefined) return "-";
  const { overdue, daysLeft: left } = readEnglish("mail").shared;
  const count = Math.abs(daysLeft);
  return createSay("en")(daysLeft < 0 ? overdue : left, { count });
}

/** Explains why no request was found: the reference is mistyped, expired, removed or unknown. */
export async function explainNotFound(desk: Desk, typed: string): Promise<Outcome> {
  const shown = toPrintable(typed);
  const reference = parseReference(typed);
  if (reference === undefined) {
    return typed.includes("@")
      ? notUnderstood(
          `${shown} is an address. To list its requests: npm run requests -- list ${shown}`,
        )
      : notUnderstood(
          `${shown} is not a reference. A reference has eight characters, such as K7RM-4XQP, and never contains 0, 1 or A, B, E, G, I, L, O, S, U, Z.`,
        );
  }
  const erased = await desk.findErased(reference);
  if (erased === "expired") {
    return failed(
      `${reference} expired because no one confirmed it, and we have deleted it. The person can fill in the form again.`,
    );
  }
  if (erased === "removed") {
    return failed(`${reference} was unconfirmed, and an operator removed it.`);
  }
  return failed(
    `There is no request with the reference ${reference}. Compare each character with the email.`,
  );
}
