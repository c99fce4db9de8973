import { type Calendar, findSkipReason } from "../../platform/calendar/business-days.ts";
import type { Read } from "../../platform/database/statement.ts";
import { isAwayOn, listAbsences } from "../../team/roster/absences.ts";
import { listOperators, listWhoCanSignIn, type Operator } from "../../team/roster/operators.ts";
import { listDueFrom } from "./request-lists.ts";

/** Number of days to look ahead. Gives the team time to change an absence or invite an operator. */
const daysAhead = 45;
/** A date before all due dates. */
const longAgo = Temporal.PlainDate.from("2000-01-01");

/**
 * Finds the first business day on which a request is due or late and no operator is present.
 * Returns undefined if there is none.
 */
export async function findUnstaffedDays(
  database: Read,
  calendar: Calendar,
  today: Temporal.PlainDate,
): Promise<Temporal.PlainDate | undefined> {
  const absences = await listAbsences(database, { today });
  // Skips the other queries in the usual case that no one is absent.
  if (absences.length === 0) return undefined;
  const team = listWhoCanSignIn(await listOperators(database));
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

/** Returns the names of the operators who are absent on the given day. */
export async function listAwayOn(
  database: Read,
  day: Temporal.PlainDate,
): Promise<ReadonlySet<string>> {
  const absences = await listAbsences(database, { today: day });
  return new Set(absences.filter((absence) => isAwayOn(absence, day)).map(({ name }) => name));
}

/** Lists the operators who have a mailbox and are present on the given day. */
export async function listPresent(database: Read, day: Temporal.PlainDate): Promise<Operator[]> {
  const away = awayOn(await listAbsences(database, { today: day }), day);
  return listWhoCanSignIn(await listOperators(database)).filter(
    ({ id, address, invitedAt }) => address && invitedAt && !away.has(id),
  );
}

function awayOn(absences: Awaited<ReturnType<typeof listAbsences>>, day: Temporal.PlainDate) {
  const theirs = absences.filter((absence) => isAwayOn(absence, day));
  return new Set(theirs.map(({ operatorId }) => operatorId));
}
