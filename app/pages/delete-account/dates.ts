import { campus } from "virtual:campus";
import type { DueDate } from "../../../server/calendar/business-days.ts";

const { timeZone } = campus.settings;
const { locale } = campus.mail;

const dayFormat = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" });
const momentFormat = new Intl.DateTimeFormat(locale, {
  dateStyle: "full",
  timeStyle: "short",
  timeZone,
});

const briefFormat = new Intl.DateTimeFormat(locale, {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone,
});

/** A day in words, such as "Sunday 6 December 2026". */
export function formatDay(date: Temporal.PlainDate): string {
  return dayFormat.format(new Date(`${date.toString()}T00:00:00Z`));
}

/** A moment in words, in the campus's time zone. */
export function formatMoment(instant: Temporal.Instant): string {
  return momentFormat.format(instant.epochMilliseconds);
}

/** The same in few characters, for what is over and nobody has to remember. */
export function formatMomentBriefly(instant: Temporal.Instant): string {
  return briefFormat.format(instant.epochMilliseconds);
}

/** The days a due date leaps over: each holiday with its name, the weekends as a number. */
export function describeSkipped(due: DueDate): string[] {
  const holidays = due.skipped.flatMap((day) =>
    day.reason === "holiday" ? [`${formatDay(day.date)}: ${day.name}`] : [],
  );
  const weekend = due.skipped.length - holidays.length;
  if (weekend === 0) return holidays;
  return [
    ...holidays,
    weekend === 1
      ? campus.deletion.visit.skipped.weekendOne
      : campus.deletion.visit.skipped.weekend.replace("{count}", String(weekend)),
  ];
}
