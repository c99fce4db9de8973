import { sql } from "kysely";
import { type Read, reading } from "../../database/statement.ts";
import { toText } from "../../database/time.ts";

/** What everybody of the team did: acts on requests, from their trails, and all others, from the journal. */

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
  (rows) => rows.map((row) => ({ ...row, kind: "journal" as const })),
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
    rows.map((row) => ({ ...row, reference: row.reference ?? "", kind: "request" as const })),
);
