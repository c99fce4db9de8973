import { type Calendar, dateAt, findSkipReason } from "./business-days.ts";

/** Ride hours of a campus, as local times such as "07:00". */
export type RideTimes = {
  from: string;
  /** End of the ride hours. On the next day if it isn't later than `from`. */
  until: string;
  /** Times with the longest wait. They apply only on business days. */
  busy: readonly { from: string; until: string }[];
  closedOnHolidays: boolean;
};

export type RideState = {
  is: "open" | "busy" | "closed";
  until: Temporal.Instant;
  /** Key of today's holiday, if there are no rides because of the holiday. */
  holiday?: string | undefined;
};

type Span = { is: "open" | "busy"; from: Temporal.Instant; until: Temporal.Instant };

/** Returns the ride state at an instant, and when that state ends. */
export function findRideState(
  times: RideTimes,
  calendar: Calendar,
  now: Temporal.Instant,
): RideState {
  const spans = listSpans(times, calendar, now);
  const current = (is: Span["is"]) =>
    spans.find((span) => span.is === is && !isBefore(now, span.from) && isBefore(now, span.until));
  const open = current("open");
  const busy = open && current("busy");
  if (busy) return { is: "busy", until: busy.until };
  if (open) return { is: "open", until: open.until };
  const next = spans.find((span) => span.is === "open" && isBefore(now, span.from));
  const until = next?.from ?? now.add({ hours: 24 });
  const today = dateAt(calendar, now);
  const { holiday } = findSkipReason(calendar, today) ?? {};
  const isHoliday = times.closedOnHolidays && holiday !== undefined;
  return { is: "closed", until, ...(isHoliday && { holiday }) };
}

/** Returns the next instant at which the result of `findRideState` may change. */
export function findNextRideChange(
  times: RideTimes,
  calendar: Calendar,
  now: Temporal.Instant,
): Temporal.Instant {
  const midnight = dateAt(calendar, now).add({ days: 1 }).toZonedDateTime(calendar.timeZone);
  const ends = listSpans(times, calendar, now).flatMap(({ from, until }) => [from, until]);
  return [midnight.toInstant(), ...ends]
    .filter((end) => isBefore(now, end))
    .reduce((first, end) => (isBefore(end, first) ? end : first));
}

/**
 * Lists the time spans from yesterday to ten days ahead, which is long enough for a long holiday to
 * end.
 */
function listSpans(times: RideTimes, calendar: Calendar, now: Temporal.Instant): Span[] {
  const today = dateAt(calendar, now);
  const at = (date: Temporal.PlainDate, time: string) =>
    date.toZonedDateTime({ timeZone: calendar.timeZone, plainTime: time }).toInstant();
  const span = (is: Span["is"], date: Temporal.PlainDate, from: string, until: string): Span => ({
    is,
    from: at(date, from),
    until: at(until > from ? date : date.add({ days: 1 }), until),
  });
  return [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].flatMap((days) => {
    const date = today.add({ days });
    const skipped = findSkipReason(calendar, date);
    if (times.closedOnHolidays && skipped?.holiday !== undefined) return [];
    return [
      span("open", date, times.from, times.until),
      ...(skipped ? [] : times.busy.map(({ from, until }) => span("busy", date, from, until))),
    ];
  });
}

function isBefore(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) < 0;
}
