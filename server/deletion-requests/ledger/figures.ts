import { refusalReasons } from "../life/life.ts";
import { reasonCodes } from "../life/reasons.ts";
import type { Happened } from "./monthly-counters.ts";

/** Who counts: what happened in a month of the campus, or ever, and the months in which anything did, oldest first. */
type Counting = {
  happened: (month?: Temporal.PlainYearMonth) => Promise<Happened>;
  months: () => Promise<Temporal.PlainYearMonth[]>;
  enter: (name: string, act: "figures-export", about: string) => Promise<void>;
};

/** Every month as a line of CSV; the act is entered before the first. */
export async function* carryOutFigures(desk: Counting, name: string): AsyncGenerator<string> {
  await desk.enter(name, "figures-export", "");
  yield line([
    "month",
    "received",
    "confirmed",
    "expired",
    "completed",
    "on time",
    "median days",
    "median business days",
    "extended",
    "held",
    "cancelled",
    "refused",
    "opened again",
    ...refusalReasons.map((reason) => `refused: ${reason}`),
    ...reasonCodes.map((reason) => `leaves: ${reason}`),
  ]);
  for (const month of await desk.months()) {
    const happened = await desk.happened(month);
    yield line([
      month.toString(),
      ...[
        happened.received,
        happened.confirmed,
        happened.expired,
        happened.completed,
        happened.completedOnTime,
        happened.medianDays?.toFixed(1) ?? "",
        happened.medianBusinessDays?.toFixed(1) ?? "",
        happened.extended,
        happened.held,
        happened.cancelled,
        happened.refused,
        happened.reopened,
        ...refusalReasons.map((reason) => happened.refusals[reason] ?? 0),
        ...reasonCodes.map((reason) => happened.reasons[reason] ?? 0),
      ].map(String),
    ]);
  }
}

/** Of CSV (RFC 4180): no cell holds anything that somebody typed. */
function line(cells: readonly string[]): string {
  return `${cells.join(",")}\r\n`;
}
