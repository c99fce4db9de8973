/** The hour of an instant, such as 2026-11-21T06: what is counted or told once an hour is named by it. */
export function toHour(instant: Temporal.Instant): string {
  return toText(instant).slice(0, "2026-11-21T06".length);
}

/** An instant as the tables hold it: UTC text of fixed width, so that text order is time order. */
export function toText(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 3 });
}
