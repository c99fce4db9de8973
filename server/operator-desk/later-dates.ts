import { listExtensions } from "../deletion-requests/commands/acts.ts";
import type { ActServices, RequestServices } from "../deletion-requests/commands/apply-act.ts";
import { listPresent } from "../deletion-requests/repository/presence.ts";
import { listDueFrom } from "../deletion-requests/repository/request-lists.ts";
import { isWorking, type StoredRequest } from "../deletion-requests/state-machine/request.ts";
import { dateAt, findSkipReason } from "../platform/calendar/business-days.ts";

/** Finds later due dates that the law allows for a request and that the team can meet. */

const { compare } = Temporal.PlainDate;

/** Number of requests that an operator, usually a student, can complete per business day. */
const doneInADay = 5;

/** Number of days to search ahead. No lawful date is later. */
const daysAhead = 90;

/** A date before all due dates. */
const longAgo = Temporal.PlainDate.from("2000-01-01");
const mostCounted = 1000;

/** Lists every date that is lawful for at least one of the requests, earliest first. */
export function listDates(
  services: ActServices,
  requests: readonly StoredRequest[],
  now: Temporal.Instant,
): Temporal.PlainDate[] {
  const days = requests.flatMap((request) =>
    listExtensions(services, [request], now).map(({ dueOn }) => dueOn.toString()),
  );
  return [...new Set(days)].sort().map((day) => Temporal.PlainDate.from(day));
}

/**
 * Returns the number of business days by which to extend a request so that it is due on `target`,
 * or on the request's latest lawful day if that is earlier. Returns `undefined` if no later day up
 * to `target` is lawful.
 */
export function fitDate(
  services: ActServices,
  request: StoredRequest,
  target: Temporal.PlainDate,
  now: Temporal.Instant,
): number | undefined {
  return listExtensions(services, [request], now).findLast(
    ({ dueOn }) => compare(dueOn, target) <= 0,
  )?.businessDays;
}

/**
 * Returns the earliest day by which the team can complete these requests and all requests due
 * before them, if each present operator completes five a day. Returns `undefined` if the team can't
 * complete them within `daysAhead` days.
 */
export async function suggestDate(
  services: RequestServices,
  requests: readonly StoredRequest[],
  now: Temporal.Instant,
) {
  const { calendar } = services;
  const { read } = services.database;
  const today = dateAt(calendar, now);
  const all = await listDueFrom(read, { dueOn: longAgo, limit: mostCounted });
  const otherDates = all.map(String);
  for (const request of requests) {
    const at = isWorking(request) ? otherDates.indexOf(request.dueOn.toString()) : -1;
    if (at >= 0) otherDates.splice(at, 1);
  }
  let canDo = 0;
  let people = 0;
  for (let ahead = 1; ahead <= daysAhead; ahead++) {
    const day = today.add({ days: ahead });
    if (findSkipReason(calendar, day)) continue;
    const there = await listPresent(read, day);
    people = Math.max(people, there.length);
    canDo += doneInADay * there.length;
    const before = otherDates.filter((due) => due <= day.toString()).length;
    if (canDo >= requests.length + before) {
      return { day, people, aDay: doneInADay, count: requests.length, before };
    }
  }
  return undefined;
}
