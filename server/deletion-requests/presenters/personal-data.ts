import { listMessages } from "../../delivery/outbox.ts";
import { type Calendar, dateAt } from "../../platform/calendar/business-days.ts";
import type { Database } from "../../platform/database/database.ts";
import { columnsIn, listTheirs, nameOf } from "../../platform/database/schema.ts";
import { everything, listing, type Read } from "../../platform/database/statement.ts";
import { listEvents } from "../repository/audit-log.ts";
import { endedUnconfirmed, isEnded, type StoredRequest } from "../state-machine/request.ts";
import { type Fact, type FactName, presentEvent, presentFacts } from "./request.ts";

/**
 * All data that we store about an email address, for the right of access (GDPR, article 15).
 * Includes notes between operators, but identifies operators by role only. This machine-readable
 * form is the same in every language. `renderPersonalDataPage` translates it.
 */
export type Subject = Awaited<ReturnType<typeof collectPersonalData>>;
export type SubjectRequest = Subject["requests"][number];

export async function collectPersonalData(
  services: { database: Database; calendar: Calendar; clock: () => Temporal.Instant },
  address: string,
  requests: readonly StoredRequest[],
) {
  const { calendar, clock } = services;
  return {
    address,
    /**
     * Language of the newest request. Empty if there is no request or if it uses the campus's
     * default language.
     */
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
  const { state: _, final: __, ...shown } = presentFacts(request, "team");
  const facts: { [name: string]: Fact | undefined } = shown;
  const pick = (value: (fact: Fact) => string | undefined): Partial<Record<FactName, string>> =>
    Object.fromEntries(
      Object.entries(facts)
        .map(([name, fact]) => [name, fact && value(fact)])
        .filter(([, text]) => text),
    );
  const all = { requestId: request.id, limit: everything, id: 0 };
  const events = await listEvents(database.read, all);
  const mails = await listMessages(database.read, { requestId: request.id });
  const format = (value: unknown) =>
    value instanceof Temporal.Instant ? at(value) : `${value ?? ""}`;
  const { submissions = [], ...held } = await readTables(database.read, request.id, format);
  if (endedUnconfirmed(request)) {
    for (const row of held.requests ?? []) for (const column of ofPromise) delete row[column];
  }
  return {
    reference: request.reference,
    state: request.state,
    language: request.language,
    /** `null` after the erasure, when only a keyed hash is left. */
    address: request.email ?? null,
    contact: request.contact ?? "",
    /** ISO dates, and ISO instants with the offset of the campus's time zone. */
    dates: pick(({ at: moment, on }) => (moment ? at(moment) : on?.toString())),
    /**
     * Facts whose values are codes, such as the reason for leaving. `entered` is true if an
     * operator entered the request.
     */
    facts: {
      ...pick(({ code }) => code),
      entered: request.enteredBy === undefined ? undefined : true,
      completion: isEnded(request) ? request.completion : undefined,
    },
    forms: submissions.map(({ reference = "", received_at: received = "", ...form }) => {
      return { reference, received, ...form };
    }),
    trail: events.map(presentEvent).map(({ at: moment, name: _, ...line }) => {
      return { at: at(moment), ...line };
    }),
    mails: mails.map(({ kind, state, createdAt }) => ({ kind, state, written: at(createdAt) })),
    /** Other columns marked as personal or as proof, keyed by table. */
    held,
  };
}

/** Reads a request's columns marked as personal or as proof, keyed by table. */
async function readTables(
  reader: Read,
  requestId: number,
  format: (value: unknown) => string,
): Promise<Record<string, Record<string, string>[]>> {
  const of = { id: requestId, requestId, limit: everything } as never;
  const found = await Array.fromAsync(theirTables, async ({ table, columns, list }) => {
    const toTheirs = (row: Record<string, unknown>) =>
      Object.fromEntries(columns.map(([name]) => [name, format(row[nameOf(name)])]));
    return [table, (await list(reader, of)).map(toTheirs)] as const;
  });
  return Object.fromEntries(found);
}

/** Columns that are meaningless if the request ended unconfirmed. */
const ofPromise = [
  "confirmed_at",
  "confirmed_on",
  "due_on",
  "skipped",
  "first_due_on",
  "on_time_by",
];

const theirTables = listTheirs("person", "proof").map(({ table, owner, columns }) => {
  const [key = ""] = columnsIn(table).find(([, { isKey }]) => isKey) ?? [];
  const of = { [nameOf(owner)]: "=" } as never;
  const list = listing(table, of, [nameOf(key) as never], (row: object) => ({ ...row }));
  return { table, columns, list };
});
