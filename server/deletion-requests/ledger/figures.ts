import { reasonCodes, refusalReasons } from "../life/request.ts";
import type { Happened } from "./monthly-counters.ts";

/** What happened, by month of the campus. Nothing in it names or concerns a single person. */

/** Who counts: what happened in a month of the campus, or ever, and the months in which anything did, oldest first. */
type Counting = {
  happened: (month?: Temporal.PlainYearMonth) => Promise<Happened>;
  months: () => Promise<Temporal.PlainYearMonth[]>;
  enter: (name: string, act: "figures-export", about: string) => Promise<void>;
};

const columns: readonly [title: string, tell: (month: Happened) => unknown][] = [
  ["received", ({ received }) => received],
  ["confirmed", ({ confirmed }) => confirmed],
  ["expired", ({ expired }) => expired],
  ["completed", ({ completed }) => completed],
  ["on time", ({ completedOnTime }) => completedOnTime],
  ["median days", ({ medianDays }) => medianDays?.toFixed(1)],
  ["median business days", ({ medianBusinessDays }) => medianBusinessDays?.toFixed(1)],
  ["extended", ({ extended }) => extended],
  ["held", ({ held }) => held],
  ["cancelled", ({ cancelled }) => cancelled],
  ["refused", ({ refused }) => refused],
  ["opened again", ({ reopened }) => reopened],
];

/** Every month as a line of CSV; the act is entered before the first. */
export async function* carryOutFigures(desk: Counting, name: string): AsyncGenerator<string> {
  await desk.enter(name, "figures-export", "");
  yield line([
    "month",
    ...columns.map(([title]) => title),
    ...refusalReasons.map((reason) => `refused: ${reason}`),
    ...reasonCodes.map((reason) => `leaves: ${reason}`),
  ]);
  for (const month of await desk.months()) {
    const happened = await desk.happened(month);
    yield line([
      month.toString(),
      ...columns.map(([, tell]) => String(tell(happened) ?? "")),
      ...refusalReasons.map((reason) => String(happened.refusals[reason] ?? 0)),
      ...reasonCodes.map((reason) => String(happened.reasons[reason] ?? 0)),
    ]);
  }
}

/** Of CSV (RFC 4180): no cell holds anything that somebody typed. */
function line(cells: readonly string[]): string {
  return `${cells.join(",")}\r\n`;
}
