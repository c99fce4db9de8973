import { readLastCopies } from "../database/last-copies.ts";
import { everything, listing, type Read } from "../database/statement.ts";
import { enterAct } from "../deletion-requests/store/audit-log.ts";
import { listAdmins, listOperators } from "../operators/operators.ts";
import type { PasskeyServices } from "./passkeys.ts";

/**
 * A new site's first day, and each year's hand-over to the next team: lists that tick themselves from what the store knows.
 * What only a person can say is ticked by one, with name and date, in the history.
 */

/** So many requests somebody has completed who knows how it goes. */
const practiceRequests = 3;
/** A site that is older was set up long ago, whatever its history still has. */
const setUpHours = 24 * 366;

export type OpenList = NonNullable<Awaited<ReturnType<typeof lookAtHandOver>>>;

/** The list that is open now; undefined while nothing is handed over. */
async function lookAtHandOver(read: Read, now: Temporal.Instant) {
  const acts = await listHandOverActs(read, { limit: everything });
  const turn = acts.findLast(({ about }) => about === "begin" || about === "end");
  const everybody = await listOperators(read);
  const isFirstDay = turn === undefined;
  const since = turn?.at ?? everybody[0]?.addedAt;
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
  const completed = await listCompleted(read, { at: since, limit: everything });
  const hasPractised = (who: string) =>
    new Set(completed.filter(({ name }) => name === who).map(({ requestId }) => requestId)).size >=
    practiceRequests;
  const copies = await readLastCopies(read);
  const said = new Map(acts.filter(({ at }) => isSince(at)).map((act) => [act.key, act]));
  /** One thing that is done or not. `key` is there where a person may say so. */
  const item = (isDone: boolean, key?: string, who?: string) => {
    const last = said.get(key ?? "");
    const ticked = last?.isTick ? last : undefined;
    return { who, key, ticked, done: isDone || ticked !== undefined };
  };
  const items = {
    people: newcomers.map(({ name, enrolled }) => item(enrolled, undefined, name)),
    practice: newcomers.map(({ name }) => item(hasPractised(name), `practice: ${name}`, name)),
    admins: [item(admins.length > 1)],
    ...(isFirstDay && { backup: [item(Boolean(copies.backup && copies.export))] }),
    restore: [item(false, "restore")],
    mailbox: [item(false, "mailbox")],
    keys: [item(false, "keys")],
    ...(!isFirstDay && {
      leavers: before.map(({ name, leftAt }) => item(Boolean(leftAt), `leavers: ${name}`, name)),
    }),
  };
  const lines = Object.entries(items).map(([name, found]) => ({
    name: name as keyof typeof items,
    items: found,
    done: found.length > 0 && found.every(({ done }) => done),
  }));
  const done = lines.every((line) => line.done);
  return { list: isFirstDay ? "firstDay" : "handOver", lines, done } as const;
}

export function createHandOver({ database, clock }: Pick<PasskeyServices, "database" | "clock">) {
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
const listHandOverActs = listing("journal", { act: ["=", "hand-over"] }, ["id"], (row) => ({
  ...row,
  isTick: row.about.startsWith("tick "),
  key: row.about.replace(/^(?:un)?tick /, ""),
}));

const listCompleted = listing(
  "request_events",
  { at: ">=", actor: ["=", "operator"], type: ["=", "complete"] },
  ["at"],
);
