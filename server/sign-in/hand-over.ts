import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { readLastCopies } from "../database/last-copies.ts";
import { type At, type Read, reading } from "../database/statement.ts";
import { toInstant } from "../database/time.ts";
import { enterAct } from "../deletion-requests/store/audit-log.ts";
import { listAdmins, listOperators } from "../operators/operators.ts";

/**
 * A new site's first day, and each year's hand-over to the next team: lists that tick themselves from what the store knows.
 * What only a person can say is ticked by one, with name and date, in the history.
 */

/** So many requests somebody has completed who knows how it goes. */
const practiceRequests = 3;
/** A site that is older was set up long ago, whatever its history still has. */
const setUpHours = 24 * 366;

/** One thing that is done or not. `key` is there where a person may say so. */
type Item = { who?: string; done: boolean; key?: string };

export type OpenList = NonNullable<Awaited<ReturnType<typeof lookAtHandOver>>>;

/** The list that is open now; undefined while nothing is handed over. */
async function lookAtHandOver(read: Read, now: Temporal.Instant) {
  const acts = await listHandOverActs(read);
  const turn = acts.findLast(({ about }) => about === "begin" || about === "end");
  const everybody = await listOperators(read);
  const isFirstDay = turn === undefined;
  const since = isFirstDay ? everybody[0]?.addedAt : turn.at;
  if (!since || turn?.about === "end") return undefined;
  if (isFirstDay && now.since(since).total("hours") > setUpHours) return undefined;

  const isSince = (at: Temporal.Instant) => Temporal.Instant.compare(at, since) >= 0;
  /** Whoever comes to the pages: on the first day everybody. */
  const newcomers = everybody.filter(
    ({ invitedAt, leftAt, addedAt }) => invitedAt && !leftAt && (isFirstDay || isSince(addedAt)),
  );
  const before = everybody.filter(
    ({ addedAt, leftAt }) => !isSince(addedAt) && !(leftAt && !isSince(leftAt)),
  );
  const admins = listAdmins(everybody).filter(({ enrolled }) => enrolled);
  const completed = await listCompleted(read, { since });
  const hasPractised = (who: string) =>
    new Set(completed.filter(({ name }) => name === who).map(({ request_id }) => request_id))
      .size >= practiceRequests;
  const copies = await readLastCopies(read);
  const said = (key: string): Item[] => [{ done: false, key }];
  const items = {
    people: newcomers.map(({ name, enrolled }): Item => ({ who: name, done: enrolled })),
    practice: newcomers.map(
      ({ name }): Item => ({ who: name, done: hasPractised(name), key: `practice: ${name}` }),
    ),
    admins: [{ done: admins.length > 1 }] as Item[],
    backup: [{ done: Boolean(copies.backup && copies.export) }] as Item[],
    restore: said("restore"),
    mailbox: said("mailbox"),
    keys: said("keys"),
    leavers: before.map(
      ({ name, leftAt }): Item => ({ who: name, done: Boolean(leftAt), key: `leavers: ${name}` }),
    ),
  };
  const absent = isFirstDay ? "leavers" : "backup";
  const ticks = new Map(acts.filter(({ at }) => isSince(at)).map((act) => [act.key, act]));
  const shown = Object.entries(items).filter(([name]) => name !== absent);
  const lines = shown.map(([name, found]) => {
    const told = found.map((item) => {
      const ticked = ticks.get(item.key ?? "");
      return ticked?.isTick ? { ...item, done: true, ticked } : { ...item, ticked: undefined };
    });
    const done = told.length > 0 && told.every((item) => item.done);
    return { name: name as keyof typeof items, items: told, done };
  });
  const list = isFirstDay ? ("firstDay" as const) : ("handOver" as const);
  return { list, lines, done: lines.every(({ done }) => done) };
}

export function createHandOver({
  database,
  clock,
}: {
  database: Database;
  clock: () => Temporal.Instant;
}) {
  return {
    look: () => lookAtHandOver(database.read, clock()),

    /**
     * Somebody says something of the list.
     * @param about "begin": next year's team comes; "end": all of it is done; "tick KEY" and "untick KEY": an item is, or is not
     * @returns false where that cannot be said now
     */
    say: (about: string, by: string): Promise<boolean> =>
      database.write(async (transaction) => {
        const open = await lookAtHandOver(transaction, clock());
        const keys =
          open?.lines.flatMap(({ items }) => items.flatMap(({ key }) => key ?? [])) ?? [];
        const mayBe =
          about === "begin"
            ? !open || (open.list === "firstDay" && open.done)
            : about === "end"
              ? open?.done
              : keys.some((key) => about === `tick ${key}` || about === `untick ${key}`);
        if (!mayBe) return false;
        await enterAct(transaction, { at: clock(), name: by, act: "hand-over", about });
        return true;
      }),
  };
}

/** Oldest first. */
const listHandOverActs = reading(
  (tables) =>
    tables
      .selectFrom("journal")
      .select(["at", "name", "about"])
      .where("act", "=", sql.lit("hand-over"))
      .orderBy("id"),
  (rows) =>
    rows.map(({ at, name, about }) => ({
      ...{ at: toInstant(at), name, about },
      isTick: about.startsWith("tick "),
      key: about.replace(/^(?:un)?tick /, ""),
    })),
);

const listCompleted = reading((tables, { since }: { since: At }) =>
  tables
    .selectFrom("request_events")
    .select(["name", "request_id"])
    .where("actor", "=", sql.lit("operator"))
    .where("at", ">=", since)
    .where("type", "=", "complete"),
);
