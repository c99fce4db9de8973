import { readConfig } from "../config.ts";
import { readPromises } from "../open.ts";
import {
  type Calendar,
  calendarWarning,
  findSkipReason,
} from "../platform/calendar/business-days.ts";
import { print } from "./program.ts";
import { failed, formatTable, type Outcome } from "./sentences.ts";

/**
 * `npm run campus -- calendar`: shows a year's business days so that someone can check them before
 * due dates depend on them.
 */

const usage = `npm run campus -- calendar show YEAR    the days of a year that do not count, and how many do
`;

export function runCalendar(words: readonly string[], shown: Calendar): Outcome {
  const [command, year = "", ...rest] = words;
  if (command !== "show" || !/^[12]\d{3}$/.test(year) || rest.length > 0) {
    return words.length === 0 ? { code: 0, out: usage } : { code: 2, problem: usage };
  }
  return { code: 0, out: formatYear(shown, Number(year)) };
}

function formatYear(shown: Calendar, year: number): string {
  const first = Temporal.PlainDate.from({ year, month: 1, day: 1 });
  const days = Array.from({ length: first.daysInYear }, (_, index) => first.add({ days: index }));
  const working = new Map(shown.workingDays?.map(({ date, reason }) => [date, reason]));
  const rows = days.flatMap((date) => {
    const weekday = date.toLocaleString("en", { weekday: "long" });
    const reason = working.get(date.toString());
    if (reason !== undefined) return [[date.toString(), weekday, `works: ${reason}`]];
    const holiday = findSkipReason(shown, date)?.holiday;
    return holiday ? [[date.toString(), weekday, shown.names?.[holiday] ?? holiday]] : [];
  });
  const months = Array.from({ length: 12 }, (_, index) => {
    const dates = days.filter((date) => date.month === index + 1);
    const counted = dates.filter((date) => !findSkipReason(shown, date));
    const name = dates[0]?.toLocaleString("en", { month: "long" }) ?? "";
    return [name, String(counted.length)];
  });
  const weekend = shown.weekend.map((day) =>
    // January 2, 2000, was a Sunday, so adding an ISO weekday gives a date with that weekday.
    Temporal.PlainDate.from("2000-01-02")
      .add({ days: day })
      .toLocaleString("en", { weekday: "long" }),
  );
  const warning = calendarWarning(shown, Temporal.PlainDate.from({ year, month: 12, day: 31 }));
  return [
    `Weekend: ${weekend.join(", ") || "none"}. Time zone: ${shown.timeZone}.\n\n`,
    rows.length > 0 ? formatTable(["DATE", "DAY", "WHAT"], rows) : "No holidays.\n",
    `\n${formatTable(["MONTH", "BUSINESS DAYS"], months)}`,
    warning ? `\n${warning}\n` : "",
  ].join("");
}

if (import.meta.main) {
  const configured = readConfig(process.env);
  const read = configured.ok
    ? readPromises(configured.config.campusDir)
    : { ok: false as const, problem: configured.problems.join("\n") };
  process.exitCode = print(
    read.ok ? runCalendar(process.argv.slice(2), read.promises.calendar) : failed(read.problem),
  );
}
