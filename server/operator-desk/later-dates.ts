import { listExtensions } from "../deletion-requests/commands/acts.ts";
import type { ActServices, RequestServices } from "../deletion-requests/commands/apply-act.ts";
import { listPresent } from "../deletion-requests/repository/presence.ts";
import { listDueFrom } from "../deletion-requests/repository/request-lists.ts";
import { isWorking, type StoredRequest } from "../deletion-requests/state-machine/request.ts";
import { dateAt, findSkipReason } from "../platform/calendar/business-days.ts";

/** Later due dates: the lawful ones for each request, and a pace that the team can keep. */

const { compare } = Temporal.PlainDate;

/** Requests that one operator completes on a working day beside their studies. */
const doneInADay = 5;

/** No lawful date is further ahead, in days. */
const daysAhead = 90;

/** A date before any promise. */
const longAgo = Temporal.PlainDate.from("2000-01-01");
const mostCounted = 1000;

/** Lists every date that is lawful for at least one of the requests, soonest first. */
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
 * Returns by how many business days to extend a request so that it is due by `target`: on that
 * day, or on its own latest lawful day if that comes first. Undefined if no later day up to
 * `target` is lawful.
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
 * Returns the first day by which the team can complete these requests and all that are due
 * before, at five a day for each operator who is there. Undefined if every operator is away.
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
  const others = all.map(String);
  for (const request of requests) {
    const at = isWorking(request) ? others.indexOf(request.dueOn.toString()) : -1;
    if (at >= 0) others.splice(at, 1);
  }
  let canDo = 0;
  let people = 0;
  for (let ahead = 1; ahead <= daysAhead; ahead++) {
    const day = today.add({ days: ahead });
    if (findSkipReason(calendar, day)) continue;
    const there = await listPresent(read, day);
    people = Math.max(people, there.length);
    canDo += doneInADay * there.length;
    const before = others.filter((due) => due <= day.toString()).length;
    if (canDo >= requests.length + before) {
      return { day, people, aDay: doneInADay, count: requests.length, before };
    }
  }
  return undefined;
}
