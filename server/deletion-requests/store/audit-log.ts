import { sql } from "kysely";
import type { ProductWords } from "../../../words/keys.d.ts";
import { type RowIn, toText } from "../../database/rows.ts";
import {
  finding,
  inserting,
  listing,
  type Read,
  reading,
  type Write,
} from "../../database/statement.ts";
import { actors } from "../life/request.ts";
import { oneOf, parse } from "./request-row.ts";

/** Acts that change who may come in. */
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
 * What persons did with the store as a whole, or to a request that is gone: exports, checks against the ledger, backups and
 * deletions. Acts on a request that stays are entered in its own trail. Each has words in operator.yaml, where they are listed.
 */
export type JournalAct =
  | keyof ProductWords["operator"]["people"]["history"]["acts"]
  /** Is told in the words of its list. */
  | "hand-over";

/** How acts that are about more than a text are written down, in the first form of which all parts are there; never changed. */
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

/** What an act is about: somebody of the team, how many it concerned, references. Nobody who asked is named. */
export type About = { [Name in Part | "text"]?: string | undefined };

/** @throws where a part is missing */
export function writeAbout(act: keyof typeof forms, about: { [Name in Part]?: unknown }): string {
  const isWhole = (form: string) =>
    [...form.matchAll(parts)].every(([, name]) => about[name as Part] !== undefined);
  const form = formsOf(act).find(isWhole);
  if (form === undefined) throw new Error(`What ${act} is about is not known`);
  return form.replace(parts, (_, name: Part) => String(about[name]));
}

/** Whatever stands between other parts, a name is: it may hold what parts them. */
export function readAbout(act: string, text: string): About {
  const toPattern = (form: string) =>
    form.replace(parts, (_, name) => `(?<${name}>.+${name === "who" ? "" : "?"})`);
  const found = formsOf(act).map((form) => new RegExp(`^${toPattern(form)}$`).exec(text));
  return found.find((match) => match)?.groups ?? { text };
}

const parts = /\{(\w+)\}/g;

export const enterAct: (
  transaction: Write,
  act: Omit<RowIn<"journal">, "id"> & { act: JournalAct },
) => Promise<void> = inserting("journal");

/** Newest first, from the one before that `id`. */
export const listActs = listing("journal", { id: "<" }, ["id", "desc"]);

/** Oldest first, from the one behind that `id`. */
export const listActsAfter = listing("journal", { id: ">" }, ["id"]);

/** How often it was changed since then who may come in, and when last. */
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

/** The trail of a request: when, who, what, from which state to which, and why. */

/** Stands among the places of an event if the kind of account was answered. */
export const accountKind = "account";

export type EventRecord = Omit<ReturnType<typeof toEvent>, "id" | "requestId" | "formKey">;

function toEvent(row: RowIn<"request_events">) {
  const read = () => ({ ...row, ...readCode(row.type, row.code), actor: oneOf(actors, row.actor) });
  return parse("request_events", row.id, read);
}

/** Where others have the key of their reason, what is called done has the places that somebody has gone through. */
function readCode(type: string, code: string): { code: string; places: readonly string[] } {
  const isWalk = (type === "complete" || type === "tick") && code !== "";
  return isWalk ? { code: "", places: code.split(" ") } : { code, places: [] };
}

/**
 * Enters what happened to a request. What is left out is empty, and the state is the one it is in.
 * @param event.formKey of the form that was sent: sent twice, it is one act
 */
export async function addEvent(
  transaction: Write,
  request: { id: number; state: string },
  event: Pick<EventRecord, "at" | "actor" | "type"> &
    Partial<EventRecord> & { formKey?: string | undefined },
): Promise<void> {
  const { name = "", places = [], code = places.join(" "), note = "" } = event;
  const { fromState = request.state, toState = request.state } = event;
  const said = { ...event, name, code, note, fromState, toState };
  await insertEvent(transaction, { ...said, requestId: request.id });
}

const insertEvent = inserting("request_events");

/**
 * Whether an act, which the trail has under one of these names, was entered under the key of a page's forms. A form whose
 * answer was lost is sent again with the same key, and is one act.
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

/** References of open requests whose hold ended by its date since an instant. */
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

/** What was entered behind the event with that `id`, oldest first; 0 for all. */
export const listEvents = listing("request_events", { requestId: "=", id: ">" }, ["id"], toEvent);

/** The newest event of a request. */
export const findLastEvent = finding("request_events", { requestId: "=" }, toEvent, "id");

// What everybody of the team did: acts on requests, from their trails, and all others, from the journal

export type TeamAct = Awaited<
  ReturnType<typeof journalActs> | ReturnType<typeof requestActs>
>[number];

/** Behind which act of each of the two sources a page begins; of a text that no page of ours made, at the newest. */
function readPlace(text: string | null): TeamPlace {
  const [, at = "9999", journal, request] =
    /^([\dTZ.:-]{1,30})~(\d{1,15})~(\d{1,15})$/.exec(text ?? "") ?? [];
  return { at, journal: Number(journal ?? 0), request: Number(request ?? 0) };
}

type TeamPlace = { at: string; journal: number; request: number };

/**
 * Newest first.
 * @param before where a page begins, as the `next` of the page above it; that is undefined where there are no more
 */
export async function listTeamActs(database: Read, limit: number, before: string | null) {
  // A page of each source along its own index, and of both the newest: it costs the same wherever it lies.
  const place = { ...readPlace(before), limit: limit + 1 };
  const rows: TeamAct[] = [
    ...(await journalActs(database, place)),
    ...(await requestActs(database, place)),
  ].sort((one, other) => Temporal.Instant.compare(other.at, one.at) || other.id - one.id);
  const [last, peek] = [rows[limit - 1], rows[limit]];
  if (!last || !peek) return { acts: rows.slice(0, limit), next: undefined };
  // An act of each source may have the same time and number: then the other one still comes.
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
      // What somebody says of a list is an act of its own.
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
