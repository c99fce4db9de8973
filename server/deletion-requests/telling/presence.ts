import { type Calendar, findSkipReason } from "../../calendar/business-days.ts";
import type { Read } from "../../database/statement.ts";
import { isAwayOn, listAbsences } from "../../operators/absences.ts";
import { listOperators, type Operator, whoIsIn } from "../../operators/operators.ts";
import { listDueFrom } from "../store/lists.ts";

/** So far ahead somebody can still stay, or another be invited; what was made later may be due after that. */
const daysAhead = 45;
/** Before anything was promised. */
const longAgo = Temporal.PlainDate.from("2000-01-01");

/**
 * The first day on which something is due, or late already, and nobody of the team is there. Undefined while there is
 * none. Days on which nobody works anyway are no such days: nothing is due on them.
 */
export async function findNobodyThere(
  database: Read,
  calendar: Calendar,
  today: Temporal.PlainDate,
): Promise<Temporal.PlainDate | undefined> {
  const absences = await listAbsences(database, { today });
  // The usual case costs one look.
  if (absences.length === 0) return undefined;
  const team = whoIsIn(await listOperators(database));
  for (let ahead = 0; ahead < daysAhead; ahead++) {
    const day = today.add({ days: ahead });
    if (findSkipReason(calendar, day)) continue;
    const away = awayOn(absences, day);
    if (team.some(({ id }) => !away.has(id))) continue;
    const from = ahead === 0 ? longAgo : day;
    const [due] = await listDueFrom(database, { dueOn: from, limit: 1 });
    if (due && Temporal.PlainDate.compare(due, day) <= 0) return day;
  }
  return undefined;
}

/** The names of those of the team who are away on a day. */
export async function listAwayOn(
  database: Read,
  day: Temporal.PlainDate,
): Promise<ReadonlySet<string>> {
  const absences = await listAbsences(database, { today: day });
  return new Set(absences.filter((one) => isAwayOn(one, day)).map(({ name }) => name));
}

/** Who of the team has a mailbox of their own and is there on a day. */
export async function listThere(database: Read, day: Temporal.PlainDate): Promise<Operator[]> {
  const away = awayOn(await listAbsences(database, { today: day }), day);
  return whoIsIn(await listOperators(database)).filter(
    ({ id, address, invitedAt }) => address && invitedAt && !away.has(id),
  );
}

function awayOn(absences: Awaited<ReturnType<typeof listAbsences>>, day: Temporal.PlainDate) {
  const theirs = absences.filter((absence) => isAwayOn(absence, day));
  return new Set(theirs.map(({ operatorId }) => operatorId));
}
