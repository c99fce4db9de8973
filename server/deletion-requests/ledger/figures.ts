import { reasonCodes, refusalReasons } from "../state-machine/request.ts";
import type { Happened } from "./monthly-counters.ts";

/**
 * Source of the figures. `happened` reads the counters of one month, or of all time. `months` lists
 * the months that have counters, oldest first. `enter` records the export in the journal.
 */
type Counting = {
  happened: (month?: Temporal.PlainYearMonth) => Promise<Happened>;
  months: () => Promise<Temporal.PlainYearMonth[]>;
  enter: (name: string, act: "figures-export", about: string) => Promise<void>;
};

/** Returns the counts keyed by column title. */
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
    ...Object.fromEntries(refusalReasons.map((code) => [`refused: ${code}`, refusals[code] ?? 0])),
    ...Object.fromEntries(reasonCodes.map((code) => [`leaves: ${code}`, reasons[code] ?? 0])),
  };
}

/** Yields a CSV header, then one line per month. Records the export in the journal first. */
export async function* carryOutFigures(desk: Counting, name: string): AsyncGenerator<string> {
  await desk.enter(name, "figures-export", "");
  yield line(["month", ...Object.keys(cellsOf(await desk.happened()))]);
  for (const month of await desk.months()) {
    yield line([month, ...Object.values(cellsOf(await desk.happened(month)))]);
  }
}

/** Formats a CSV line (RFC 4180). Needs no quoting, because no cell contains user input. */
function line(cells: readonly unknown[]): string {
  return `${cells.map((cell) => String(cell ?? "")).join(",")}\r\n`;
}
