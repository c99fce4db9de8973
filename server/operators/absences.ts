import { readDate } from "../calendar/typed-date.ts";
import {
  type Day,
  inserting,
  type Read,
  reading,
  type Write,
  writing,
} from "../database/statement.ts";

/** When operators are not there: whoever is away is sent no daily mail, and the others see their work. */

export const absenceReasons = ["exams", "leave"] as const;
export type AbsenceReason = (typeof absenceReasons)[number];

export type Absence = {
  id: number;
  operatorId: number;
  name: string;
  reason: AbsenceReason;
  from: Temporal.PlainDate;
  /** The last day of it. */
  until: Temporal.PlainDate;
};

/** Longer than a semester is no absence: somebody has left. */
export const longestAbsenceDays = 200;
/** How many an operator can have planned. */
export const mostAbsences = 20;

export type AbsenceProblem = "no-dates" | "backwards" | "over" | "too-long" | "too-many";

export type TypedAbsence = { reason: string; from: string; until: string };

/** What somebody typed: two dates such as 2026-12-01, of which the last has not passed. */
export function parseAbsence(
  typed: TypedAbsence,
  today: Temporal.PlainDate,
):
  | { ok: true; absence: Pick<Absence, "reason" | "from" | "until"> }
  | { ok: false; problem: AbsenceProblem } {
  const from = readDate(typed.from.trim());
  const until = readDate(typed.until.trim());
  if (!from || !until) return { ok: false, problem: "no-dates" };
  if (Temporal.PlainDate.compare(from, until) > 0) return { ok: false, problem: "backwards" };
  if (Temporal.PlainDate.compare(until, today) < 0) return { ok: false, problem: "over" };
  if (from.until(until).days >= longestAbsenceDays) return { ok: false, problem: "too-long" };
  const reason = absenceReasons.find((one) => one === typed.reason) ?? "leave";
  return { ok: true, absence: { reason, from, until } };
}

/** Absences of operators who are with the team that are not over on a day, the first to begin first. */
export async function listAbsences(database: Read, today: Temporal.PlainDate): Promise<Absence[]> {
  const absences = await absencesFrom(database, { today });
  // A team has a few.
  return absences.sort(
    (one, other) => Temporal.PlainDate.compare(one.from, other.from) || one.id - other.id,
  );
}

const absencesFrom = reading(
  (tables, { today }: { today: Day }) =>
    tables
      .selectFrom("absences")
      .innerJoin("operators", "operators.id", "absences.operator_id")
      .selectAll("absences")
      .select("operators.name")
      .where("operators.left_at", "is", null)
      .where("absences.until_on", ">=", today),
  (rows) =>
    rows.map((row) => ({
      id: row.id,
      operatorId: row.operator_id,
      name: row.name,
      // Only `addAbsence` writes it.
      reason: row.reason as AbsenceReason,
      from: Temporal.PlainDate.from(row.from_on),
      until: Temporal.PlainDate.from(row.until_on),
    })),
);

export function isAwayOn(absence: Pick<Absence, "from" | "until">, day: Temporal.PlainDate) {
  return (
    Temporal.PlainDate.compare(absence.from, day) <= 0 &&
    Temporal.PlainDate.compare(day, absence.until) <= 0
  );
}

/** @returns false when the operator has as many as anybody can plan */
export async function addAbsence(
  transaction: Write,
  operatorId: number,
  absence: Pick<Absence, "reason" | "from" | "until">,
): Promise<boolean> {
  if ((await countAbsences(transaction, { operatorId })) >= mostAbsences) return false;
  const { reason, from, until } = absence;
  const days = { from_on: from, until_on: until };
  await insertAbsence(transaction, { operator_id: operatorId, reason, ...days });
  return true;
}

const countAbsences = reading(
  (tables, { operatorId }: { operatorId: number }) =>
    tables
      .selectFrom("absences")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("operator_id", "=", operatorId),
  ([row]) => Number(row?.count),
);

const insertAbsence = inserting("absences", ["operator_id", "reason", "from_on", "until_on"]);

/** Somebody is back, or stays after all. Changes nothing when it was gone already, or is another one's. */
export const removeAbsence = writing(
  (tables, { id, operatorId }: { id: number; operatorId: number }) =>
    tables.deleteFrom("absences").where("id", "=", id).where("operator_id", "=", operatorId),
);

/** When somebody was away concerns nobody once it is over. */
export const dropPastAbsences = writing((tables, { today }: { today: Day }) =>
  tables.deleteFrom("absences").where("until_on", "<", today),
);
