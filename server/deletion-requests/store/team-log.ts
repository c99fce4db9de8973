import { sql } from "kysely";
import { type Read, reading } from "../../database/statement.ts";
import { toInstant } from "../../database/time.ts";
import { toDate } from "./request-row.ts";

/** What everybody of the team did: acts on requests, from their trails, and all others, from the journal. */

export type TeamAct = {
  at: Temporal.Instant;
  name: string;
  act: string;
} & (
  | { kind: "journal"; about: string }
  | {
      kind: "request";
      reference: string;
      code: string;
      dueFrom: Temporal.PlainDate | undefined;
      dueTo: Temporal.PlainDate | undefined;
    }
);

export type TeamPage = {
  acts: TeamAct[];
  /** Where the next page begins, as an address has it; undefined where there are no more. */
  next: string | undefined;
};

/** Behind which act of each of the two sources a page begins; of a text that no page of ours made, at the newest. */
function readPlace(text: string | null): TeamPlace {
  const [, at = "9999", journal, request] =
    /^([\dTZ.:-]{1,30})~(\d{1,15})~(\d{1,15})$/.exec(text ?? "") ?? [];
  return { at, journal: Number(journal ?? 0), request: Number(request ?? 0) };
}

type TeamPlace = { at: string; journal: number; request: number };

/** Newest first. */
export async function listTeamActs(
  database: Read,
  limit: number,
  before: string | null,
): Promise<TeamPage> {
  // A page of each source along its own index, and of both the newest: it costs the same wherever it lies.
  const place = { ...readPlace(before), limit: limit + 1 };
  const rows = [
    ...(await journalActs(database, place)),
    ...(await requestActs(database, place)),
  ].sort((one, other) => compare(other.at, one.at) || other.id - one.id);
  const [last, peek] = [rows[limit - 1], rows[limit]];
  // An act of each source may have the same time and number: then the other one still comes.
  const hasTwin = peek?.at === last?.at && peek?.id === last?.id;
  const idAfter = (kind: TeamAct["kind"]) =>
    Number(last?.id) + (hasTwin && peek?.kind === kind ? 1 : 0);
  const next = last && peek && `${last.at}~${idAfter("journal")}~${idAfter("request")}`;
  return { acts: rows.slice(0, limit).map(toAct), next };
}

type Row = {
  kind: string;
  id: number;
  at: string;
  name: string;
  act: string;
  about: string | null;
  code: string;
  due_from: string | null;
  due_to: string | null;
};

/** Times as they are stored stand in the order of their signs. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function toAct(row: Row): TeamAct {
  const common = { at: toInstant(row.at), name: row.name, act: row.act };
  const about = row.about ?? "";
  return row.kind === "journal"
    ? { ...common, kind: "journal", about }
    : {
        ...common,
        kind: "request",
        reference: about,
        code: row.code,
        dueFrom: toDate(row.due_from),
        dueTo: toDate(row.due_to),
      };
}

const behind = (at: string, id: number) => sql<boolean>`(at, id) < (${at}, ${id})`;
const none = sql<string | null>`null`;

const journalActs = reading((tables, values: TeamPlace & { limit: number }) =>
  tables
    .selectFrom("journal")
    .select([sql.lit("journal").as("kind"), "id", "at", "name", "act", "about"])
    .select([sql<string>`''`.as("code"), none.as("due_from"), none.as("due_to")])
    .where(behind(values.at, values.journal))
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(values.limit)
    .$castTo<Row>(),
);

const requestActs = reading((tables, values: TeamPlace & { limit: number }) =>
  tables
    .selectFrom("request_events")
    .select([sql.lit("request").as("kind"), "id", "at", "name", "type as act"])
    .select((select) =>
      select
        .selectFrom("requests")
        .select("reference")
        .whereRef("requests.id", "=", "request_events.request_id")
        .as("about"),
    )
    .select(["code", "due_from", "due_to"])
    .where("actor", "=", sql.lit("operator"))
    .where(behind(values.at, values.request))
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(values.limit)
    .$castTo<Row>(),
);
