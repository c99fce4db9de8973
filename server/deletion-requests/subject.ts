import { type Calendar, dateAt } from "../calendar/business-days.ts";
import type { Database } from "../database/database.ts";
import { listMessages } from "../outbox/outbox.ts";
import { listSubmissions } from "./store/forms.ts";
import { isEnded, isWorking, type StoredRequest } from "./store/request.ts";
import { listEvents } from "./store/trail.ts";

/**
 * Everything that is held about one address: what the law calls access (GDPR article 15). Notes that operators wrote for
 * each other belong to it; operators themselves are told by their role, not by their name.
 */
export type Subject = {
  address: string;
  writtenOn: string;
  requests: {
    reference: string;
    state: string;
    address: string;
    contact: string;
    dates: Record<string, string>;
    facts: Record<string, string>;
    forms: { reference: string; received: string; reason: string; feedback: string }[];
    trail: { at: string; who: string; what: string; why: string }[];
    mails: { kind: string; state: string; written: string }[];
  }[];
};

const rowsRead = 500;

export async function collectSubject(
  services: { database: Database; calendar: Calendar; clock: () => Temporal.Instant },
  address: string,
  requests: readonly StoredRequest[],
): Promise<Subject> {
  const { database, calendar, clock } = services;
  const at = (instant: Temporal.Instant) =>
    instant
      .toZonedDateTimeISO(calendar.timeZone)
      .toString({ smallestUnit: "minute", timeZoneName: "never" });
  const collected: Subject["requests"] = [];
  for (const request of requests) {
    const forms = await listSubmissions(database.read, request.id, rowsRead);
    const events = await listEvents(database.read, request.id, rowsRead);
    const mails = await listMessages(database.read, request.id);
    collected.push({
      reference: request.reference,
      state: request.state,
      address: request.email ?? "erased: only a keyed hash of it is left",
      contact: request.contact ?? "",
      dates: datesOf(request, at),
      facts: factsOf(request),
      forms: forms.map((form) => ({
        reference: form.reference,
        received: at(form.receivedAt),
        reason: form.reason,
        feedback: form.feedback,
      })),
      trail: events.map((event) => ({
        at: at(event.at),
        who: event.actor,
        what: event.type,
        why: [event.code, event.note].filter(Boolean).join(": "),
      })),
      mails: mails.map((mail) => ({
        kind: mail.kind,
        state: mail.state,
        written: at(mail.createdAt),
      })),
    });
  }
  return { address, writtenOn: dateAt(calendar, clock()).toString(), requests: collected };
}

function datesOf(
  request: StoredRequest,
  at: (instant: Temporal.Instant) => string,
): Record<string, string> {
  const working = isWorking(request) ? request : undefined;
  const ended = isEnded(request) ? request : undefined;
  const confirmed = working ?? ended;
  return present({
    received: at(request.receivedAt),
    expires: request.state === "received" ? at(request.expiresAt) : undefined,
    confirmed: confirmed && at(confirmed.confirmedAt),
    due: confirmed?.dueOn.toString(),
    "due at first": confirmed?.firstDueOn.toString(),
    "held until": working?.hold?.until.toString(),
    ended: ended && at(ended.endedAt),
    "address erased": ended?.erasedAt && at(ended.erasedAt),
  });
}

function factsOf(request: StoredRequest): Record<string, string> {
  return present({
    "reason for leaving": request.reason,
    "reason of the hold": isWorking(request) ? request.hold?.reason : undefined,
    "reason of the refusal": request.state === "refused" ? request.refusalReason : undefined,
    "entered for a closed mailbox": request.enteredBy === undefined ? undefined : "yes",
    "what happened to the data":
      isEnded(request) && request.completion ? JSON.stringify(request.completion) : undefined,
  });
}

function present(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** One page without script that any browser shows and prints. */
export function writeSubjectPage(subject: Subject): string {
  const table = (rows: readonly (readonly string[])[], head?: readonly string[]) =>
    `<table>${head ? `<thead><tr>${head.map((cell) => `<th scope="col">${escapeHtml(cell)}</th>`).join("")}</tr></thead>` : ""}<tbody>${rows
      .map(
        (row) =>
          `<tr>${row.map((cell, place) => (place === 0 && !head ? `<th scope="row">${escapeHtml(cell)}</th>` : `<td>${escapeHtml(cell)}</td>`)).join("")}</tr>`,
      )
      .join("")}</tbody></table>`;
  const requests = subject.requests.map((request) =>
    [
      `<h2>Request ${escapeHtml(request.reference)}</h2>`,
      table([
        ["State", request.state],
        ["Address", request.address],
        ...(request.contact ? [["Mails go to", request.contact]] : []),
        ...Object.entries(request.dates),
        ...Object.entries(request.facts),
      ]),
      "<h3>What was sent to us</h3>",
      table(
        request.forms.map((form) => [form.reference, form.received, form.reason, form.feedback]),
        ["Reference", "Received", "Reason", "Feedback"],
      ),
      "<h3>What was done with it</h3>",
      table(
        request.trail.map((event) => [event.at, event.who, event.what, event.why]),
        ["When", "Who", "What", "Why"],
      ),
      "<h3>Mails to you that are still listed</h3>",
      request.mails.length === 0
        ? "<p>None.</p>"
        : table(
            request.mails.map((mail) => [mail.kind, mail.state, mail.written]),
            ["Mail", "State", "Written"],
          ),
    ].join("\n"),
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>What this service holds about ${escapeHtml(subject.address)}</title>
<style>
body { max-width: 50rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.3rem 0.5rem; border: 1px solid #888; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
</style>
<h1>What the deletion requests hold about ${escapeHtml(subject.address)}</h1>
<p>Written on ${escapeHtml(subject.writtenOn)}. It holds what this website stores about requests to delete an account; the account itself lies elsewhere.</p>
${requests.length === 0 ? "<p>Nothing: no request of this address is stored.</p>" : requests.join("\n")}
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
