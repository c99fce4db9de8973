import { readAbout, recordAct, writeAbout } from "../../deletion-requests/repository/audit-log.ts";
import { readLastBackups } from "../../platform/database/last-backups.ts";
import { everything, listing, type Read } from "../../platform/database/statement.ts";
import { listAdmins, listOperators } from "../roster/operators.ts";
import type { PasskeyServices } from "./passkeys.ts";

/**
 * Checklists for a new site's first day and for the yearly handover to the next team. The database
 * shows whether most items are done. Operators check off the other items, and the history records
 * which operator checked off an item and when.
 */

/** Number of requests that a new operator must complete as practice. */
const practiceRequests = 3;
/**
 * Age of a site, in hours, after which the first-day checklist is hidden. By then, the history may
 * no longer show that the checklist was completed.
 */
const setUpHours = 24 * 366;

export type OpenList = NonNullable<Awaited<ReturnType<typeof readHandOver>>>;

/**
 * A checklist item. If `isDone` is true, the database shows that the item is done, and no operator
 * needs to check the item off.
 */
type Item = { isDone?: boolean; line?: string; who?: string };

/** Returns the current checklist, or `undefined` if no checklist is open. */
async function readHandOver(read: Read, now: Temporal.Instant) {
  const acts = await listHandOverActs(read, { limit: everything });
  const turn = acts.findLast(({ said }) => said === "begin" || said === "end");
  const operators = await listOperators(read);
  const isFirstDay = turn === undefined;
  const since = turn?.at ?? operators[0]?.addedAt;
  if (!since || turn?.said === "end") return undefined;
  if (isFirstDay && now.since(since).total("hours") > setUpHours) return undefined;

  const isSince = (at: Temporal.Instant) => Temporal.Instant.compare(at, since) >= 0;
  /**
   * Operators who must sign in before the checklist is complete: those who joined during the
   * handover or, on the first day, every operator.
   */
  const newcomers = operators.filter(
    ({ invitedAt, leftAt, addedAt }) => invitedAt && !leftAt && (isFirstDay || isSince(addedAt)),
  );
  const before = operators.filter(
    ({ addedAt, leftAt }) => !isSince(addedAt) && !(leftAt && !isSince(leftAt)),
  );
  const admins = listAdmins(operators).filter(({ enrolled }) => enrolled);
  const completed = await listCompleted(read, { at: since, limit: everything });
  const hasPractised = (who: string) =>
    new Set(completed.filter(({ name }) => name === who).map(({ requestId }) => requestId)).size >=
    practiceRequests;
  const copies = await readLastBackups(read);
  /**
   * Creates a checklist item. `line` is set if operators can check the item off. `says` is the
   * history entry for checking or unchecking it.
   */
  const item = ({ isDone = false, line, who }: Item) => {
    const last = acts.findLast((act) => isSince(act.at) && act.line === line && act.who === who);
    const ticked = last?.said === "tick" ? last : undefined;
    const done = isDone || ticked !== undefined;
    const says = line && writeAbout("hand-over", { said: done ? "untick" : "tick", line, who });
    return { who, line, ticked, done, says };
  };
  const items = {
    people: newcomers.map(({ name, enrolled }) => item({ isDone: enrolled, who: name })),
    practice: newcomers.map(({ name }) =>
      item({ isDone: hasPractised(name), line: "practice", who: name }),
    ),
    admins: [item({ isDone: admins.length > 1 })],
    ...(isFirstDay && { backup: [item({ isDone: Boolean(copies.backup && copies.export) })] }),
    restore: [item({ line: "restore" })],
    mailbox: [item({ line: "mailbox" })],
    keys: [item({ line: "keys" })],
    ...(!isFirstDay && {
      leavers: before.map(({ name, leftAt }) =>
        item({ isDone: Boolean(leftAt), line: "leavers", who: name }),
      ),
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
    read: () => readHandOver(database.read, clock()),

    /**
     * Records that an operator began or ended the handover, or checked or unchecked an item.
     * @param text "begin", "end" or an item's `says`
     * @returns false if the checklist doesn't allow this step now
     */
    say: (text: string, by: string): Promise<boolean> =>
      database.write(async (transaction) => {
        const open = await readHandOver(transaction, clock());
        const { said: step = "", line, who } = readAbout("hand-over", text);
        const isOf = (item: { line?: string | undefined; who?: string | undefined }) =>
          item.line && item.line === line && item.who === who;
        const mayBe =
          step === "begin"
            ? !open || (open.list === "firstDay" && open.done)
            : step === "end"
              ? open?.done
              : /^(?:un)?tick$/.test(step) && open?.lines.some(({ items }) => items.some(isOf));
        if (!mayBe) return false;
        await recordAct(transaction, { at: clock(), name: by, act: "hand-over", about: text });
        return true;
      }),
  };
}

/** Lists the history entries about handovers, oldest first. */
const listHandOverActs = listing("journal", { act: ["=", "hand-over"] }, ["id"], (row) => ({
  ...readAbout(row.act, row.about),
  ...{ at: row.at, name: row.name },
}));

const listCompleted = listing(
  "request_events",
  { at: ">=", actor: ["=", "operator"], type: ["=", "complete"] },
  ["at"],
);
