import { readDate } from "../calendar/business-days.ts";
import { deleting, inserting, reading } from "../database/statement.ts";

/** When operators are not there: whoever is away is sent no daily mail, and the others see their work. */

const absenceReasons = ["exams", "leave"] as const;

export type Absence = Awaited<ReturnType<typeof listAbsences>>[number];

/** Longer than a semester is no absence: somebody has left. */
const longestAbsenceDays = 200;

/** What somebody typed: two dates such as 2026-12-01, of which the last has not passed. */
export function parseAbsence(
  typed: { reason: string; from: string; until: string },
  today: Temporal.PlainDate,
) {
  const from = readDate(typed.from.trim());
  const until = readDate(typed.until.trim());
  if (!from || !until) return "no-dates";
  if (Temporal.PlainDate.compare(from, until) > 0) return "backwards";
  if (Temporal.PlainDate.compare(until, today) < 0) return "over";
  if (from.until(until).days >= longestAbsenceDays) return "too-long";
  const reason = absenceReasons.find((one) => one === typed.reason) ?? "leave";
  return { reason, fromOn: from, untilOn: until };
}

/** Absences of operators who are with the team that are not over on a day, the first to begin first. */
export const listAbsences = reading(
  (tables, { today }: { today: Temporal.PlainDate }) =>
    tables
      .selectFrom("absences")
      .innerJoin("operators", "operators.id", "absences.operator_id")
      .selectAll("absences")
      .select("operators.name")
      .where("operators.left_at", "is", null)
      .where("absences.until_on", ">=", today),
  (rows) =>
    rows
      // Only what was parsed is entered.
      .map((row) => ({ ...row, reason: row.reason as (typeof absenceReasons)[number] }))
      .sort(
        (one, other) => Temporal.PlainDate.compare(one.fromOn, other.fromOn) || one.id - other.id,
      ),
);

export function isAwayOn({ fromOn, untilOn }: Absence, day: Temporal.PlainDate) {
  const { compare } = Temporal.PlainDate;
  return compare(fromOn, day) <= 0 && compare(day, untilOn) <= 0;
}

export const addAbsence = inserting("absences");

/** Somebody is back, or stays after all. */
export const removeAbsence = deleting("absences", { id: "=" });
