import { nextSlot } from "../../platform/database/row-slots.ts";
import {
  deleting,
  type Read,
  reading,
  replacing,
  type Write,
} from "../../platform/database/statement.ts";
import {
  type ReasonCode,
  type RefusalReason,
  reasonCodes,
  refusalReasons,
} from "../state-machine/request.ts";

/**
 * Names of the monthly counters. Months follow the campus's time zone. The transaction that stores
 * an event also updates the counters, so figures take few rows and outlive the requests.
 */
type Tally =
  | "received"
  /** A partial count of `received`. */
  | `received#${number}`
  | "removed"
  | "expired"
  | "confirmed"
  | "completed"
  | "completed-on-time"
  | "cancelled"
  | "refused"
  | `refused:${RefusalReason}`
  | "extended"
  | "held"
  | "reopened"
  /** Reasons given in the forms of confirmed requests. */
  | `reason:${ReasonCode}`
  /** Completions by number of calendar days since the confirmation, rounded to a tenth of a day. */
  | `days:${number}`
  /** Completions by number of business days since the confirmation. */
  | `business-days:${number}`;

export async function tally(
  transaction: Write,
  date: Temporal.PlainDate,
  name: Tally,
  by = 1,
): Promise<void> {
  await count(transaction, { month: date.toString().slice(0, 7), name, count: by });
}

const count = replacing("tallies", "count");

const received = "received";

/**
 * Counts a new request in one of several rows, such as `received#17`, to avoid lock contention.
 * `sumReceived` adds up the rows later.
 */
export function tallyReceived(transaction: Write, date: Temporal.PlainDate): Promise<void> {
  return tally(transaction, date, `${received}#${nextSlot()}`);
}

/** Adds the partial counts of `received` to one row per month. */
export async function sumReceived(transaction: Write): Promise<void> {
  for (const { month, name, count: by } of await listParts(transaction)) {
    await dropPart(transaction, { month, name });
    await count(transaction, { month, name: received, count: by });
  }
}

const listParts = reading((tables) =>
  tables
    .selectFrom("tallies")
    .selectAll()
    .where("name", ">", `${received}#`)
    .where("name", "<", `${received}$`),
);

export async function isReceivedInParts(reader: Read): Promise<boolean> {
  return (await listParts(reader)).length > 0;
}

const dropPart = deleting("tallies", { month: "=", name: "=" });

export type Happened = Awaited<ReturnType<typeof readTallies>>;

export async function readTallies(database: Read, month?: Temporal.PlainYearMonth) {
  const rows = month
    ? await ofMonth(database, { month: month.toString() })
    : await ofAllTime(database);
  const counts = new Map<string, number>();
  for (const row of rows) {
    const [name = ""] = row.name.split("#");
    counts.set(name, (counts.get(name) ?? 0) + Number(row.count));
  }
  const of = (name: Tally) => counts.get(name) ?? 0;
  return {
    received: of("received") - of("removed"),
    confirmed: of("confirmed"),
    expired: of("expired"),
    completed: of("completed"),
    completedOnTime: of("completed-on-time"),
    cancelled: of("cancelled"),
    refused: of("refused"),
    /** Nonzero counts by reason. */
    refusals: countsOf(refusalReasons, (reason) => of(`refused:${reason}`)),
    extended: of("extended"),
    held: of("held"),
    reopened: of("reopened"),
    /** Nonzero counts by the reason given in the forms of confirmed requests. */
    reasons: countsOf(reasonCodes, (reason) => of(`reason:${reason}`)),
    /**
     * Median of the calendar days from confirmation to completion, or undefined if there are no
     * completions.
     */
    medianDays: medianOf(counts, "days:"),
    /**
     * Median of the business days from confirmation to completion. Excludes completions that
     * predate this counter.
     */
    medianBusinessDays: medianOf(counts, "business-days:"),
  };
}

function countsOf<T extends string>(names: readonly T[], count: (name: T) => number) {
  return Object.fromEntries(
    names.map((name) => [name, count(name)] as const).filter(([, number]) => number > 0),
  ) as Partial<Record<T, number>>;
}

export const listMonths = reading(
  (tables) => tables.selectFrom("tallies").select("month").distinct().orderBy("month"),
  (rows) => rows.map(({ month }) => Temporal.PlainYearMonth.from(month)),
);

const ofMonth = reading((tables, { month }: { month: string }) =>
  tables.selectFrom("tallies").select(["name", "count"]).where("month", "=", month),
);

const ofAllTime = reading((tables) =>
  tables
    .selectFrom("tallies")
    .select((select) => ["name", select.fn.sum<number>("count").as("count")])
    .groupBy("name"),
);

/** Computes the median from a histogram with one counter per number of days. */
function medianOf(counts: ReadonlyMap<string, number>, prefix: string): number | undefined {
  const days = [...counts]
    .filter(([name]) => name.startsWith(prefix))
    // A count is negative if a request was completed before this counter existed and has been
    // reopened since.
    .map(([name, count]) => ({ day: Number(name.slice(prefix.length)), count: Math.max(count, 0) }))
    .sort((a, b) => a.day - b.day);
  const all = days.reduce((sum, { count }) => sum + count, 0);
  /** Returns the value at this zero-based rank. */
  const dayBehind = (sum: number) => {
    let upTo = 0;
    for (const { day, count } of days) {
      upTo += count;
      if (upTo > sum) return day;
    }
    return 0;
  };
  if (all === 0) return undefined;
  return (dayBehind(Math.ceil(all / 2) - 1) + dayBehind(Math.floor(all / 2))) / 2;
}
