import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import { readLastCopies } from "../database/last-copies.ts";
import { type At, type Read, reading } from "../database/statement.ts";
import { toInstant } from "../database/time.ts";
import { enterAct } from "../deletion-requests/store/audit-log.ts";
import { listOperators, type Member } from "../operators/operators.ts";
import { listAdmins } from "../operators/who-is-in.ts";

/**
 * A new site's first day, and each year's hand-over to the next team: lists that tick themselves from what the store knows.
 * What only a person can say is ticked by one, with name and date, in the history.
 */
export type HandOver = ReturnType<typeof createHandOver>;

/** So many requests somebody has completed who knows how it goes. */
export const practiceRequests = 3;
/** A site that is older was set up long ago, whatever its history still has. */
const setUpMonths = 12;

export type ListName = "firstDay" | "handOver";

/** What is looked at, and of whom. */
type Facts = {
  /** Whoever comes to the pages: on the first day everybody. */
  newcomers: readonly Member[];
  /** Who was there when the hand-over began. */
  before: readonly Member[];
  admins: readonly Member[];
  /** How many requests each has completed since, by name. */
  completed: ReadonlyMap<string, number>;
  hasCopies: boolean;
};

/** One thing that is done or not. `key` is there where a person may say so. */
type Item = { who?: string; done: boolean; key?: string };

const said = (key: string) => [{ done: false, key }];

const lines = {
  people: ({ newcomers }) => newcomers.map(({ name, enrolled }) => ({ who: name, done: enrolled })),
  practice: ({ newcomers, completed }) =>
    newcomers.map(({ name }) => ({
      who: name,
      done: (completed.get(name) ?? 0) >= practiceRequests,
      key: `practice: ${name}`,
    })),
  admins: ({ admins }) => [{ done: admins.length > 1 }],
  backup: ({ hasCopies }) => [{ done: hasCopies }],
  restore: () => said("restore"),
  mailbox: () => said("mailbox"),
  keys: () => said("keys"),
  leavers: ({ before }) =>
    before.map(({ name, leftAt }) => ({
      who: name,
      done: leftAt !== undefined,
      key: `leavers: ${name}`,
    })),
} satisfies Record<string, (facts: Facts) => Item[]>;

export type LineName = keyof typeof lines;

const lists: Record<ListName, readonly LineName[]> = {
  firstDay: ["people", "practice", "admins", "backup", "restore", "mailbox", "keys"],
  handOver: ["people", "practice", "admins", "restore", "mailbox", "keys", "leavers"],
};

export type Ticked = { name: string; at: Temporal.Instant };

export type Line = {
  name: LineName;
  done: boolean;
  items: (Item & { /** Who said so. */ ticked?: Ticked })[];
};

export type OpenList = { list: ListName; lines: Line[]; done: boolean };

export function createHandOver({
  database,
  clock,
}: {
  database: Database;
  clock: () => Temporal.Instant;
}) {
  /** Which list is open since when, and what was ticked on it; undefined while there is none. */
  async function findOpen(read: Read) {
    const acts = await listHandOverActs(read);
    const turn = acts.findLast(({ about }) => about === "begin" || about === "end");
    if (turn?.about === "end") return undefined;
    const everybody = await listOperators(read);
    const [first] = everybody;
    const since = turn?.at ?? first?.addedAt;
    if (!since) return undefined;
    const isNew = clock().since(since).total("hours") < 24 * 30.5 * setUpMonths;
    if (!turn && !isNew) return undefined;
    const ticks = new Map<string, Ticked>();
    for (const { about, name, at } of acts) {
      const [, verb, key = ""] = /^(tick|untick) (.+)$/.exec(about) ?? [];
      if (Temporal.Instant.compare(at, since) < 0) continue;
      if (verb === "tick") ticks.set(key, { name, at });
      else ticks.delete(key);
    }
    return { list: turn ? "handOver" : "firstDay", since, ticks, everybody } as const;
  }

  async function look(read: Read): Promise<OpenList | undefined> {
    const open = await findOpen(read);
    if (!open) return undefined;
    const { list, since, ticks, everybody } = open;
    const wasThere = ({ addedAt }: Member) => Temporal.Instant.compare(addedAt, since) < 0;
    const isHandOver = list === "handOver";
    const copies = await readLastCopies(read);
    const facts: Facts = {
      newcomers: everybody.filter(
        (one) => one.invitedAt && !one.leftAt && !(isHandOver && wasThere(one)),
      ),
      before: everybody.filter(
        (one) => wasThere(one) && !(one.leftAt && Temporal.Instant.compare(one.leftAt, since) < 0),
      ),
      admins: listAdmins(everybody).filter(({ enrolled }) => enrolled),
      completed: await countCompleted(read, since),
      hasCopies: copies.backup !== undefined && copies.export !== undefined,
    };
    const found = lists[list].map((name): Line => {
      const items = lines[name](facts).map((item: Item) => {
        const ticked = item.key === undefined ? undefined : ticks.get(item.key);
        return ticked ? { ...item, done: true, ticked } : item;
      });
      return { name, items, done: items.length > 0 && items.every(({ done }) => done) };
    });
    return { list, lines: found, done: found.every(({ done }) => done) };
  }

  return {
    /** Undefined while nothing is handed over. */
    look: () => look(database.read),

    /** Somebody says that an item is done, or that it is not. False where the list has none of this key. */
    tick(key: string, isDone: boolean, by: string): Promise<boolean> {
      return database.write(async (transaction) => {
        const open = await look(transaction);
        if (!open?.lines.some(({ items }) => items.some((item) => item.key === key))) return false;
        const about = `${isDone ? "tick" : "untick"} ${key}`;
        await enterAct(transaction, { at: clock(), name: by, act: "hand-over", about });
        return true;
      });
    },

    /** Next year's team comes. False while there is a list to be done. */
    begin(by: string): Promise<boolean> {
      return database.write(async (transaction) => {
        const open = await look(transaction);
        if (open?.list === "handOver" || open?.done === false) return false;
        await enterAct(transaction, { at: clock(), name: by, act: "hand-over", about: "begin" });
        return true;
      });
    },

    /** All of it is done. False while something is not. */
    end(by: string): Promise<boolean> {
      return database.write(async (transaction) => {
        if (!(await look(transaction))?.done) return false;
        await enterAct(transaction, { at: clock(), name: by, act: "hand-over", about: "end" });
        return true;
      });
    },
  };
}

/** Oldest first: "begin", "end", "tick KEY" and "untick KEY". */
const listHandOverActs = reading(
  (tables) =>
    tables
      .selectFrom("journal")
      .select(["at", "name", "about"])
      .where("act", "=", sql.lit("hand-over"))
      .orderBy("id"),
  (rows) => rows.map((row) => ({ ...row, at: toInstant(row.at) })),
);

/** How many requests each of the team has completed since then, by name. */
async function countCompleted(
  read: Read,
  since: Temporal.Instant,
): Promise<ReadonlyMap<string, number>> {
  const completed = Map.groupBy(await listCompleted(read, { since }), ({ name }) => name);
  return new Map(
    [...completed].map(([name, events]) => [
      name,
      new Set(events.map(({ request_id }) => request_id)).size,
    ]),
  );
}

const listCompleted = reading((tables, { since }: { since: At }) =>
  tables
    .selectFrom("request_events")
    .select(["name", "request_id"])
    .where("actor", "=", sql.lit("operator"))
    .where("at", ">=", since)
    .where("type", "=", "complete"),
);
