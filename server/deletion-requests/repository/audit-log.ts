import { sql } from "kysely";
import type { ProductWords } from "../../../words/keys.d.ts";
import { type RowIn, toText } from "../../platform/database/rows.ts";
import {
  finding,
  inserting,
  listing,
  type Read,
  reading,
  type Write,
} from "../../platform/database/statement.ts";
import { actors } from "../state-machine/request.ts";
import { oneOf, parse } from "./request-row.ts";

/** Acts that change who can sign in. */
export const accessActs = [
  "add-operator",
  "remove-operator",
  "invite",
  "change-role",
  "enrol",
  "recovery",
  "add-passkey",
  "remove-passkey",
  "passkey-doubted",
  "new-codes",
  "end-sessions",
] as const satisfies readonly JournalAct[];

/**
 * Acts recorded in the journal, such as exports, ledger checks and backups. They concern the entire
 * store or a deleted request. Acts on an existing request go into its history instead.
 * operator.yaml contains a text for each act.
 */
export type JournalAct =
  | keyof ProductWords["operator"]["people"]["history"]["acts"]
  /** The text for this act is part of the handover checklist. */
  | "hand-over";

/**
 * Formats in which the journal stores the subjects of these acts. Subjects of other acts are free
 * text. Writing uses the first format whose parts are all given. Reading parses stored subjects by
 * these formats, so never change one.
 */
const forms = {
  restore: ["{at}"],
  away: ["{who} {from}/{until}"],
  "away-end": ["{who} {from}/{until}"],
  "change-role": ["{who}: {role}"],
  "ledger-verify": ["{verdict}"],
  "account-recheck": ["{count} {way}"],
  "hand-over": ["{said} {line}: {who}", "{said} {line}", "{said}"],
} as const satisfies { [Act in JournalAct]?: readonly string[] };

const formsOf = (act: string): readonly string[] => forms[act as keyof typeof forms] ?? [];

type PartIn<Form> = Form extends `${string}{${infer Part}}${infer More}`
  ? Part | PartIn<More>
  : never;
type Part = PartIn<(typeof forms)[keyof typeof forms][number]>;

/** Subject of an act: a team member, a count, or references. Never identifies a requester. */
export type EventSubject = { [Name in Part | "text"]?: string | undefined };

/**
 * Formats the subject of an act for storage.
 * @throws if a part is missing from every format
 */
export function writeAbout(act: keyof typeof forms, about: { [Name in Part]?: unknown }): string {
  const isWhole = (form: string) =>
    [...form.matchAll(parts)].every(([, name]) => about[name as Part] !== undefined);
  const form = formsOf(act).find(isWhole);
  if (form === undefined) throw new Error(`The subject of ${act} is incomplete`);
  return form.replace(parts, (_, name: Part) => String(about[name]));
}

/** Parses a stored subject. Names match greedily, because a name may contain a separator. */
export function readAbout(act: string, text: string): EventSubject {
  const toPattern = (form: string) =>
    form.replace(parts, (_, name) => `(?<${name}>.+${name === "who" ? "" : "?"})`);
  const found = formsOf(act).map((form) => new RegExp(`^${toPattern(form)}$`).exec(text));
  return found.find((match) => match)?.groups ?? { text };
}

const parts = /\{(\w+)\}/g;

export const recordAct: (
  transaction: Write,
  act: Omit<RowIn<"journal">, "id"> & { act: JournalAct },
) => Promise<void> = inserting("journal");

/** Lists acts before the given `id`, newest first. */
export const listActs = listing("journal", { id: "<" }, ["id", "desc"]);

/** Lists acts after the given `id`, oldest first. */
export const listActsAfter = listing("journal", { id: ">" }, ["id"]);

/** Counts the access changes since an instant and returns the time of the newest one. */
export const findAccessChanges = reading(
  (tables, { since }: { since: Temporal.Instant }) =>
    tables
      .selectFrom("journal")
      .select((select) => [
        select.fn.countAll<number>().as("count"),
        select.fn.agg<Temporal.Instant | null>("max", ["at"]).as("newest_at"),
      ])
      .where("at", ">=", since)
      .where(
        "act",
        "in",
        accessActs.map((act) => sql.lit(act)),
      ),
  ([row]) => ({ count: Number(row?.count), newestAt: row?.newestAt }),
);

/** Events in a request's history. */

export type EventRecord = Omit<ReturnType<typeof toEvent>, "id" | "requestId" | "formKey">;

function toEvent(row: RowIn<"request_events">) {
  const read = () => ({ ...row, ...readCode(row.type, row.code), actor: oneOf(actors, row.actor) });
  return parse("request_events", row.id, read);
}

/**
 * Splits the stored code. Checklist events (`complete` and `tick`) store locations in it. Other
 * events store a reason.
 */
function readCode(type: string, code: string): { code: string; places: readonly string[] } {
  const hasPlaces = (type === "complete" || type === "tick") && code !== "";
  return hasPlaces ? { code: "", places: code.split(" ") } : { code, places: [] };
}

/**
 * Adds an event. Missing fields are stored as empty text, and missing states as the request's
 * current state.
 * @param event.formKey the form's idempotency key, by which `wasEnteredBy` finds the event
 */
export async function addEvent(
  transaction: Write,
  request: { id: number; state: string },
  event: Pick<EventRecord, "at" | "actor" | "type"> &
    Partial<EventRecord> & { formKey?: string | undefined },
): Promise<void> {
  const { name = "", places = [], code = places.join(" "), note = "" } = event;
  const { fromState = request.state, toState = request.state } = event;
  const fields = { ...event, name, code, note, fromState, toState };
  await insertEvent(transaction, { ...fields, requestId: request.id });
}

const insertEvent = inserting("request_events");

/**
 * Checks whether a form with this key has already caused one of these acts. A form that is resent
 * after a lost response has the same key and must count only once.
 */
export async function wasEnteredBy(
  database: Read,
  { id: requestId }: { id: number },
  types: readonly string[],
  formKey: string | undefined,
): Promise<boolean> {
  if (formKey === undefined) return false;
  const entered = await enteredBy(database, { requestId, formKey, limit: 100 });
  return entered.some((type) => types.includes(type));
}

const enteredBy = listing("request_events", { requestId: "=", formKey: "=" }, ["id"], "type");

/**
 * Lists the references of open requests whose hold has ended by its date since an instant. Leaves
 * out holds that an operator or the account system ended. Reads at most 100 events.
 */
export const listFreed = reading(
  (tables, { since }: { since: Temporal.Instant }) =>
    tables
      .selectFrom("request_events")
      .innerJoin("requests", "requests.id", "request_events.request_id")
      .select(["requests.reference", "requests.ended_at"])
      .where("request_events.code", "=", sql.lit("by-date"))
      .where("request_events.at", ">", since)
      .orderBy("request_events.at")
      .limit(100),
  (rows) => {
    const open = rows.filter(({ endedAt }) => !endedAt);
    return [...new Set(open.map(({ reference }) => reference))];
  },
);

/** Lists events after the given `id`, oldest first. An `id` of 0 lists all events. */
export const listEvents = listing("request_events", { requestId: "=", id: ">" }, ["id"], toEvent);

export const findLastEvent = finding("request_events", { requestId: "=" }, toEvent, "id");

// Acts of the team. Acts on requests come from the requests' histories, all other acts from the
// journal.

type TeamAct = Awaited<ReturnType<typeof journalActs> | ReturnType<typeof requestActs>>[number];

/**
 * Parses the position at which a page starts in both sources. Starts at the newest act if the text
 * is invalid.
 */
function readPlace(text: string | null): TeamPlace {
  const [, at = "9999", journal, request] =
    /^([\dTZ.:-]{1,30})~(\d{1,15})~(\d{1,15})$/.exec(text ?? "") ?? [];
  return { at, journal: Number(journal ?? 0), request: Number(request ?? 0) };
}

type TeamPlace = { at: string; journal: number; request: number };

/**
 * Lists one page of the team's acts, newest first. `next` is undefined on the last page.
 * @param before the previous page's `next`, or null for the first page
 */
export async function listTeamActs(database: Read, limit: number, before: string | null) {
  // Reads one page from each source and keeps the newest rows so that every page costs the same.
  const place = { ...readPlace(before), limit: limit + 1 };
  const rows: TeamAct[] = [
    ...(await journalActs(database, place)),
    ...(await requestActs(database, place)),
  ].sort((a, b) => Temporal.Instant.compare(b.at, a.at) || b.id - a.id);
  const [last, peek] = [rows[limit - 1], rows[limit]];
  if (!last || !peek) return { acts: rows.slice(0, limit), next: undefined };
  // One act from each source may have the same time and id. If only one of the two fits on this
  // page, the next page must include the other.
  const hasTwin = peek.at.equals(last.at) && peek.id === last.id;
  const idAfter = (kind: TeamAct["kind"]) => last.id + (hasTwin && peek.kind === kind ? 1 : 0);
  const next = `${toText(last.at)}~${idAfter("journal")}~${idAfter("request")}`;
  return { acts: rows.slice(0, limit), next };
}

const behind = (at: string, id: number) => sql<boolean>`(at, id) < (${at}, ${id})`;

const journalActs = reading(
  (tables, values: TeamPlace & { limit: number }) =>
    tables
      .selectFrom("journal")
      .selectAll()
      .where(behind(values.at, values.journal))
      .orderBy("at", "desc")
      .orderBy("id", "desc")
      .limit(values.limit),
  (rows) =>
    rows.map(({ act, about: text, ...row }) => {
      const about = readAbout(act, text);
      // Each item of the handover checklist counts as a separate act.
      return { ...row, kind: "journal" as const, type: about.said ?? act, about };
    }),
);

const requestActs = reading(
  (tables, values: TeamPlace & { limit: number }) =>
    tables
      .selectFrom("request_events")
      .select(["id", "at", "name", "type as act", "code", "due_from", "due_to"])
      .select((select) =>
        select
          .selectFrom("requests")
          .select("reference")
          .whereRef("requests.id", "=", "request_events.request_id")
          .as("reference"),
      )
      .where("actor", "=", sql.lit("operator"))
      .where(behind(values.at, values.request))
      .orderBy("at", "desc")
      .orderBy("id", "desc")
      .limit(values.limit),
  (rows) =>
    rows.map(({ act: type, ...row }) => {
      const reference = row.reference ?? "";
      return { ...row, ...readCode(type, row.code), kind: "request" as const, type, reference };
    }),
);
