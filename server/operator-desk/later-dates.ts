import { dateAt, findSkipReason } from "../calendar/business-days.ts";
import { isWorking, type StoredRequest } from "../deletion-requests/life/request.ts";
import { listDueFrom } from "../deletion-requests/store/lists.ts";
import { listThere } from "../deletion-requests/telling/presence.ts";
import { listExtensions } from "../deletion-requests/working/acts.ts";
import type { ActServices, RequestServices } from "../deletion-requests/working/apply-act.ts";

/** Later dates for requests: what the law allows for each, and what the team can really do. */

const { compare } = Temporal.PlainDate;

/** Requests that one operator completes on a working day beside their studies. */
const doneInADay = 5;

/** The law allows no date further ahead. */
const daysAhead = 90;

/** Before anything was promised. */
const longAgo = Temporal.PlainDate.from("2000-01-01");
const mostCounted = 1000;

/** Every day that the law allows for at least one of the requests, soonest first. */
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
 * How many business days later a request is due if the team wants to do it by `target`: on that day, or on its own latest
 * lawful day if that comes first. Undefined if no later day up to `target` is lawful.
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
 * The first day by which the team can do all of these and whatever else is due before, at five a day for each operator who
 * is there. Undefined if nobody is.
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
    const there = await listThere(read, day);
    people = Math.max(people, there.length);
    canDo += doneInADay * there.length;
    const before = others.filter((due) => due <= day.toString()).length;
    if (canDo >= requests.length + before) {
      return { day, people, aDay: doneInADay, count: requests.length, before };
    }
  }
  return undefined;
}
