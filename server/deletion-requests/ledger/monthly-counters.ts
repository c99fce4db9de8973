import { type Read, reading, replacing, type Write } from "../../database/statement.ts";
import {
  type ReasonCode,
  type RefusalReason,
  reasonCodes,
  refusalReasons,
} from "../life/request.ts";

/**
 * How often what happened, by month of the campus. Counted in the transaction of the fact, so that the figures of any
 * month are read from a few rows, and stay when the requests themselves are forgotten.
 */
export type Tally =
  | "received"
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
  /** Why those who confirmed leave. */
  | `reason:${ReasonCode}`
  /** Completed this many days after the confirmation, to a tenth. */
  | `days:${number}`
  /** Completed on this business day after the confirmation. */
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

export type Happened = Awaited<ReturnType<typeof readTallies>>;

/** What happened in one month, or ever. */
export async function readTallies(database: Read, month?: Temporal.PlainYearMonth) {
  const rows = month
    ? await ofMonth(database, { month: month.toString() })
    : await ofAllTime(database);
  const counts = new Map(rows.map((row) => [row.name, Number(row.count)]));
  const of = (name: Tally) => counts.get(name) ?? 0;
  return {
    received: of("received") - of("removed"),
    confirmed: of("confirmed"),
    expired: of("expired"),
    completed: of("completed"),
    completedOnTime: of("completed-on-time"),
    cancelled: of("cancelled"),
    refused: of("refused"),
    /** By reason, those that occurred. */
    refusals: countsOf(refusalReasons, (reason) => of(`refused:${reason}`)),
    extended: of("extended"),
    held: of("held"),
    reopened: of("reopened"),
    /** Why those who confirmed leave, those that occurred. */
    reasons: countsOf(reasonCodes, (reason) => of(`reason:${reason}`)),
    /** Calendar days from confirmation to completion; undefined while nothing was completed. */
    medianDays: medianOf(counts, "days:"),
    /** Business days likewise, of what was completed since they are counted. */
    medianBusinessDays: medianOf(counts, "business-days:"),
  };
}

function countsOf<T extends string>(names: readonly T[], count: (name: T) => number) {
  return Object.fromEntries(
    names.map((name) => [name, count(name)] as const).filter(([, number]) => number > 0),
  ) as Partial<Record<T, number>>;
}

/** The months in which anything happened, oldest first. */
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

/** Of days that are counted by how many occurred: as quick for a million as for ten. */
function medianOf(counts: ReadonlyMap<string, number>, prefix: string): number | undefined {
  const days = [...counts]
    .filter(([name]) => name.startsWith(prefix))
    // One that was opened again may have been counted before business days were.
    .map(([name, count]) => ({ day: Number(name.slice(prefix.length)), count: Math.max(count, 0) }))
    .sort((one, other) => one.day - other.day);
  const all = days.reduce((sum, { count }) => sum + count, 0);
  /** The day of the one behind so many others. */
  const dayBehind = (others: number) => {
    let upTo = 0;
    for (const { day, count } of days) {
      upTo += count;
      if (upTo > others) return day;
    }
    return 0;
  };
  if (all === 0) return undefined;
  return (dayBehind(Math.ceil(all / 2) - 1) + dayBehind(Math.floor(all / 2))) / 2;
}
