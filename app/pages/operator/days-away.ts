import type { Words } from "../../words.ts";

/** Days of an absence, the first and the last included, in words. */
export function tellDaysAway(
  { dates, operator, say }: Words,
  from: Temporal.PlainDate,
  until: Temporal.PlainDate,
): string {
  const { span } = operator.watch.away;
  return from.equals(until)
    ? dates.day(from)
    : say(span, { from: dates.day(from), until: dates.day(until) });
}
