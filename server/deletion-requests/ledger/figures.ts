import { reasonCodes, refusalReasons } from "../life/request.ts";
import type { Happened } from "./monthly-counters.ts";

/** Who counts: what happened in a month of the campus, or ever, and the months in which anything did, oldest first. */
type Counting = {
  happened: (month?: Temporal.PlainYearMonth) => Promise<Happened>;
  months: () => Promise<Temporal.PlainYearMonth[]>;
  enter: (name: string, act: "figures-export", about: string) => Promise<void>;
};

/** What happened, as cells by their titles. Nothing in them names or concerns a single person. */
function cellsOf(happened: Happened): Record<string, unknown> {
  const { refusals, reasons } = happened;
  return {
    received: happened.received,
    confirmed: happened.confirmed,
    expired: happened.expired,
    completed: happened.completed,
    "on time": happened.completedOnTime,
    "median days": happened.medianDays?.toFixed(1),
    "median business days": happened.medianBusinessDays?.toFixed(1),
    extended: happened.extended,
    held: happened.held,
    cancelled: happened.cancelled,
    refused: happened.refused,
    "opened again": happened.reopened,
    ...Object.fromEntries(refusalReasons.map((one) => [`refused: ${one}`, refusals[one] ?? 0])),
    ...Object.fromEntries(reasonCodes.map((one) => [`leaves: ${one}`, reasons[one] ?? 0])),
  };
}

/** Every month as a line of CSV; the act is entered before the first. */
export async function* carryOutFigures(desk: Counting, name: string): AsyncGenerator<string> {
  await desk.enter(name, "figures-export", "");
  yield line(["month", ...Object.keys(cellsOf(await desk.happened()))]);
  for (const month of await desk.months()) {
    yield line([month, ...Object.values(cellsOf(await desk.happened(month)))]);
  }
}

/** Of CSV (RFC 4180): no cell holds anything that somebody typed. */
function line(cells: readonly unknown[]): string {
  return `${cells.map((cell) => String(cell ?? "")).join(",")}\r\n`;
}
