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
  const rows = [...(await journalActs(database, place)), ...(await requestActs(database, place))]
    // Times as they are stored stand in the order of their signs.
    .sort((one, other) => (one.at === other.at ? other.id - one.id : one.at < other.at ? 1 : -1));
  const [last, peek] = [rows[limit - 1], rows[limit]];
  // An act of each source may have the same time and number: then the other one still comes.
  const hasTwin = peek?.at === last?.at && peek?.id === last?.id;
  const idAfter = (kind: TeamAct["kind"]) =>
    Number(last?.id) + (hasTwin && peek?.act.kind === kind ? 1 : 0);
  const next = last && peek && `${last.at}~${idAfter("journal")}~${idAfter("request")}`;
  return { acts: rows.slice(0, limit).map(({ act }) => act), next };
}

type Row = { id: number; at: string; act: TeamAct };

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
    rows.map(
      ({ id, at, ...row }): Row => ({
        id,
        at,
        act: { ...row, kind: "journal", at: toInstant(at) },
      }),
    ),
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
    rows.map(({ id, at, due_from, due_to, reference, ...row }): Row => {
      const [dueFrom, dueTo] = [toDate(due_from), toDate(due_to)];
      const what = { ...row, reference: reference ?? "", dueFrom, dueTo };
      return { id, at, act: { ...what, kind: "request", at: toInstant(at) } };
    }),
);
