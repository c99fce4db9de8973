import { type Calendar, dateAt } from "../../calendar/business-days.ts";
import type { Database } from "../../database/database.ts";
import { listMessages } from "../../outbox/outbox.ts";
import type { Completion } from "../life/completion.ts";
import { isEnded, type StoredRequest } from "../life/request.ts";
import { listEvents } from "../store/audit-log.ts";
import { listSubmissions } from "../store/forms.ts";
import { pickFacts, subjectCodes, subjectDates, tellFacts } from "./tell-request.ts";

/**
 * Everything that is held about one address: what the law calls access (GDPR article 15). Notes that operators wrote for
 * each other belong to it; operators themselves are told by their role, not by their name. As a file for programs it is
 * the same in every language; `writeSubjectPage` puts it into words.
 */
export type Subject = Awaited<ReturnType<typeof collectSubject>>;
export type SubjectRequest = Subject["requests"][number];

const rowsRead = 500;

export async function collectSubject(
  services: { database: Database; calendar: Calendar; clock: () => Temporal.Instant },
  address: string,
  requests: readonly StoredRequest[],
) {
  const { calendar, clock } = services;
  return {
    address,
    /** Of the newest request: what its person reads. Empty where there is none. */
    language: requests.at(-1)?.language ?? "",
    writtenOn: dateAt(calendar, clock()).toString(),
    requests: await Array.fromAsync(requests, (request) => collectRequest(services, request)),
  };
}

async function collectRequest(
  { database, calendar }: { database: Database; calendar: Calendar },
  request: StoredRequest,
) {
  const at = (instant: Temporal.Instant) =>
    instant
      .toZonedDateTimeISO(calendar.timeZone)
      .toString({ smallestUnit: "minute", timeZoneName: "never" });
  const all = { requestId: request.id, limit: rowsRead, id: 0 };
  const forms = await listSubmissions(database.read, all);
  const events = await listEvents(database.read, all);
  const mails = await listMessages(database.read, { requestId: request.id });
  const facts = tellFacts(request, "team");
  const dates: Partial<Record<(typeof subjectDates)[number], string>> = Object.fromEntries(
    pickFacts(facts, subjectDates).map(({ name, at: moment, on }) => [
      name,
      moment ? at(moment) : String(on),
    ]),
  );
  const codes: Partial<Record<(typeof subjectCodes)[number], string>> & {
    entered?: true;
    completion?: Completion;
  } = Object.fromEntries(pickFacts(facts, subjectCodes).map(({ name, code }) => [name, code]));
  if (request.enteredBy !== undefined) codes.entered = true;
  if (isEnded(request) && request.completion) codes.completion = request.completion;
  return {
    reference: request.reference,
    state: request.state,
    language: request.language,
    /** Null where it is erased, and only a keyed hash of it is left. */
    address: request.email ?? null,
    contact: request.contact ?? "",
    /** Days and moments, with the offset of the campus's time zone. */
    dates,
    /** Keys of words; `entered` for a closed mailbox, by one of the team. */
    facts: codes,
    /** With all that is their person's in the store, by its name there. */
    forms: forms.map(({ reference, receivedAt, reason, theirs }) => {
      const form = { reference, received: at(receivedAt), reason };
      return { ...form, ...theirs } as typeof form & Record<string, string>;
    }),
    trail: events.map(({ at: moment, actor: who, type: what, code, note }) => ({
      at: at(moment),
      who,
      what,
      code,
      note,
    })),
    mails: mails.map(({ kind, state, createdAt }) => ({ kind, state, written: at(createdAt) })),
  };
}
