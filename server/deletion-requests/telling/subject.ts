import { type Calendar, dateAt } from "../../calendar/business-days.ts";
import type { Database } from "../../database/database.ts";
import { listMessages } from "../../outbox/outbox.ts";
import type { Completion } from "../life/completion.ts";
import { type Actor, isEnded, type StoredRequest } from "../life/request.ts";
import { listEvents } from "../store/audit-log.ts";
import { listSubmissions } from "../store/forms.ts";
import { pickFacts, subjectCodes, subjectDates, tellFacts } from "./tell-request.ts";

/**
 * Everything that is held about one address: what the law calls access (GDPR article 15). Notes that operators wrote for
 * each other belong to it; operators themselves are told by their role, not by their name. As a file for programs it is
 * the same in every language; `writeSubjectPage` puts it into words.
 */
export type Subject = {
  address: string;
  /** Of the newest request: what its person reads. Empty where there is none. */
  language: string;
  writtenOn: string;
  requests: SubjectRequest[];
};

export type SubjectRequest = {
  reference: string;
  state: StoredRequest["state"];
  language: string;
  /** Null where it is erased, and only a keyed hash of it is left. */
  address: string | null;
  contact: string;
  /** Days and moments, with the offset of the campus's time zone. */
  dates: Partial<Record<(typeof subjectDates)[number], string>>;
  /** Keys of words; `entered` for a closed mailbox, by one of the team. */
  facts: Partial<Record<(typeof subjectCodes)[number], string>> & {
    entered?: true;
    completion?: Completion;
  };
  /** With all that is their person's in the store, by its name there. */
  forms: ({ reference: string; received: string; reason: string } & Record<string, string>)[];
  trail: { at: string; who: Actor; what: string; code: string; note: string }[];
  mails: { kind: string; state: string; written: string }[];
};

const rowsRead = 500;

export async function collectSubject(
  services: { database: Database; calendar: Calendar; clock: () => Temporal.Instant },
  address: string,
  requests: readonly StoredRequest[],
): Promise<Subject> {
  const { calendar, clock } = services;
  const collected: SubjectRequest[] = [];
  for (const request of requests) collected.push(await collectRequest(services, request));
  const newest = requests.toSorted((a, b) =>
    Temporal.Instant.compare(b.receivedAt, a.receivedAt),
  )[0];
  return {
    address,
    language: newest?.language ?? "",
    writtenOn: dateAt(calendar, clock()).toString(),
    requests: collected,
  };
}

async function collectRequest(
  { database, calendar }: { database: Database; calendar: Calendar },
  request: StoredRequest,
): Promise<SubjectRequest> {
  const at = (instant: Temporal.Instant) =>
    instant
      .toZonedDateTimeISO(calendar.timeZone)
      .toString({ smallestUnit: "minute", timeZoneName: "never" });
  const all = { requestId: request.id, limit: rowsRead, after: 0 };
  const forms = await listSubmissions(database.read, all);
  const events = await listEvents(database.read, all);
  const mails = await listMessages(database.read, { ownerId: request.id });
  const facts = tellFacts(request, "team");
  return {
    reference: request.reference,
    state: request.state,
    language: request.language,
    address: request.email ?? null,
    contact: request.contact ?? "",
    dates: Object.fromEntries(
      pickFacts(facts, subjectDates).map((fact) => [
        fact.name,
        fact.at ? at(fact.at) : String(fact.on),
      ]),
    ),
    facts: {
      ...Object.fromEntries(pickFacts(facts, subjectCodes).map(({ name, code }) => [name, code])),
      ...(request.enteredBy !== undefined && { entered: true }),
      ...(isEnded(request) && request.completion && { completion: request.completion }),
    },
    forms: forms.map((form) => ({
      reference: form.reference,
      received: at(form.receivedAt),
      reason: form.reason,
      ...form.theirs,
    })),
    trail: events.map((event) => ({
      at: at(event.at),
      who: event.actor,
      what: event.type,
      code: event.code,
      note: event.note,
    })),
    mails: mails.map((mail) => ({
      kind: mail.kind,
      state: mail.state,
      written: at(mail.createdAt),
    })),
  };
}
