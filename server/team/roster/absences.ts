import { readDate } from "../../platform/calendar/business-days.ts";
import { deleting, inserting, reading } from "../../platform/database/statement.ts";
import { type FormValues, firstValue } from "../../platform/forms/form-values.ts";

/**
 * Operator absences. An absent operator gets no daily email, and the other operators see the absent
 * operator's work.
 */

const absenceReasons = ["exams", "leave"] as const;

type Absence = Awaited<ReturnType<typeof listAbsences>>[number];

/**
 * Maximum length of an absence in days, about one semester. Anyone away for longer should leave the
 * team.
 */
const longestAbsenceDays = 200;

const wrong = <const What>(field: "from" | "until", what: What) => ({
  kind: "wrong" as const,
  wrong: [{ field, what }],
});

/**
 * Parses the dates of an absence, such as 2026-12-01. Rejects an absence that is already over.
 * Returns the field errors, if any.
 */
export function readAbsence(typed: FormValues, today: Temporal.PlainDate) {
  const fromOn = readDate(firstValue(typed, "from"));
  const untilOn = readDate(firstValue(typed, "until"));
  if (!fromOn || !untilOn) return wrong("from", "no-dates");
  if (Temporal.PlainDate.compare(fromOn, untilOn) > 0) return wrong("until", "backwards");
  if (Temporal.PlainDate.compare(untilOn, today) < 0) return wrong("until", "over");
  if (fromOn.until(untilOn).days >= longestAbsenceDays) return wrong("until", "too-long");
  const reason = absenceReasons.find((known) => known === firstValue(typed, "reason")) ?? "leave";
  return { kind: "read" as const, fields: { reason, fromOn, untilOn } };
}

/** Lists the team's current and future absences, earliest first. */
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
      // The cast is safe, because the form accepts no other reasons.
      .map((row) => ({ ...row, reason: row.reason as (typeof absenceReasons)[number] }))
      .sort((a, b) => Temporal.PlainDate.compare(a.fromOn, b.fromOn) || a.id - b.id),
);

export function isAwayOn({ fromOn, untilOn }: Absence, day: Temporal.PlainDate) {
  const { compare } = Temporal.PlainDate;
  return compare(fromOn, day) <= 0 && compare(day, untilOn) <= 0;
}

export const addAbsence = inserting("absences");

export const removeAbsence = deleting("absences", { id: "=" });
