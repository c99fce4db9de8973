/**
 * A campus's calendar, which determines its business days. The functions in this module depend
 * neither on the clock nor on the server's time zone.
 */
export type Calendar = {
  /** IANA time zone of the campus, in which days start and end. */
  timeZone: string;
  /** Weekend days as ISO weekdays: Monday is 1, Sunday is 7. */
  weekend: readonly number[];
  /** Holidays on single dates, such as 2027-03-10. `name` is a key with a text in each language. */
  holidays: readonly { date: string; name: string }[];
  /** Holidays on the same date every year. `day` has the format MM-DD. */
  everyYear?: readonly { day: string; name: string }[];
  /** Dates that count as business days although they fall on a weekend or a holiday. */
  workingDays?: readonly { date: string; reason: string }[];
  /** Holiday names for operators, keyed by the `name` of the holidays. */
  names?: Readonly<Record<string, string>>;
};

/**
 * A day that isn't a business day, stored with the due date. A day without `holiday` is part of a
 * weekend.
 */
export type SkippedDay = { date: string; holiday?: string };

/** A promised date, and the days skipped before it, oldest first. */
export type DueDate = { date: Temporal.PlainDate; skipped: SkippedDay[] };

/** Returns the campus's date at an instant. */
export function dateAt(calendar: Calendar, instant: Temporal.Instant): Temporal.PlainDate {
  return instant.toZonedDateTimeISO(calendar.timeZone).toPlainDate();
}

/**
 * Returns why a day isn't a business day, or undefined for a business day. A holiday on a weekend
 * counts as the holiday.
 */
export function findSkipReason(
  { weekend, holidays, everyYear, workingDays }: Calendar,
  date: Temporal.PlainDate,
): SkippedDay | undefined {
  const text = date.toString();
  if (workingDays?.some((workingDay) => workingDay.date === text)) return undefined;
  const holiday =
    holidays.find((candidate) => candidate.date === text) ??
    everyYear?.find(({ day }) => day === text.slice(-5));
  if (holiday) return { date: text, holiday: holiday.name };
  return weekend.includes(date.dayOfWeek) ? { date: text } : undefined;
}

/** Returns the date `count` business days after `from`. `from` itself doesn't count. */
export function addBusinessDays(
  calendar: Calendar,
  from: Temporal.PlainDate,
  count: number,
): DueDate {
  const skipped: SkippedDay[] = [];
  let date = from;
  for (let left = count; left > 0; ) {
    date = date.add({ days: 1 });
    const skip = findSkipReason(calendar, date);
    if (skip) skipped.push(skip);
    else left--;
  }
  return { date, skipped };
}

/**
 * Counts the business days after `today`, up to and including `due`. Returns 0 on the due date and
 * a negative number after it.
 */
export function countDaysLeft(
  calendar: Calendar,
  today: Temporal.PlainDate,
  due: Temporal.PlainDate,
): number {
  const direction = Temporal.PlainDate.compare(today, due) <= 0 ? 1 : -1;
  const [first, last] = direction === 1 ? [today, due] : [due, today];
  let count = 0;
  for (let date = first; Temporal.PlainDate.compare(date, last) < 0; ) {
    date = date.add({ days: 1 });
    if (!findSkipReason(calendar, date)) count++;
  }
  // A request is late from the day after its due date, even if only weekend days have passed.
  return direction === 1 ? count : -Math.max(1, count);
}

/**
 * Returns the last single-date holiday, such as 2027-12-16, if it is at most three months away.
 * Returns "none" if the calendar has no holidays, and otherwise undefined.
 */
export function findCalendarEnd(calendar: Calendar, today: Temporal.PlainDate): string | undefined {
  const last = calendar.holidays
    .map((day) => day.date)
    .sort()
    .at(-1);
  if (last === undefined) return calendar.everyYear?.length ? undefined : "none";
  const horizon = today.add({ months: 3 });
  return Temporal.PlainDate.compare(Temporal.PlainDate.from(last), horizon) > 0 ? undefined : last;
}

/**
 * Returns a warning for operators if the calendar has no holidays or its single-date holidays end
 * within three months. A campus with only `everyYear` holidays gets no warning.
 */
export function calendarWarning(calendar: Calendar, today: Temporal.PlainDate): string | undefined {
  const last = findCalendarEnd(calendar, today);
  if (last === undefined) return undefined;
  if (last === "none") {
    return "The campus calendar has no holidays: due dates count every weekday.";
  }
  return `The campus calendar ends with ${last}: add the coming holidays, or due dates will count them as business days.`;
}

/**
 * Parses a date such as `2027-03-10` from a form or a command line. Returns undefined for an
 * invalid date.
 */
export function readDate(typed: string | undefined): Temporal.PlainDate | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(typed ?? "")) return undefined;
  try {
    return Temporal.PlainDate.from(typed ?? "", { overflow: "reject" });
  } catch {
    return undefined;
  }
}

/** Formats an instant in the campus's time zone, such as 2026-11-22 10:00. */
export function toMinute({ timeZone }: Calendar, instant: Temporal.Instant): string {
  const local = instant.toZonedDateTimeISO(timeZone).toPlainDateTime();
  return local.toString({ smallestUnit: "minute" }).replace("T", " ");
}
