import type { Words } from "../../words.ts";

/** Days of an absence, the first and the last included, in words. */
export function tellDaysAway(
  { dates, operator }: Words,
  from: Temporal.PlainDate,
  until: Temporal.PlainDate,
): string {
  const { oneDay, span } = operator.watch.away;
  return from.equals(until)
    ? oneDay.replace("{date}", dates.day(from))
    : span.replace("{from}", dates.day(from)).replace("{until}", dates.day(until));
}
