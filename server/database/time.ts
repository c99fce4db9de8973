/** An instant as the tables hold it: UTC text of fixed width, so that text order is time order. */
export function toText(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 3 });
}
