/** An instant as the tables hold it: UTC text of fixed width, so that text order is time order. */
export function toText(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 3 });
}

export function toInstant(text: string): Temporal.Instant;
export function toInstant(text: string | null): Temporal.Instant | undefined;
export function toInstant(text: string | null): Temporal.Instant | undefined {
  return text === null ? undefined : Temporal.Instant.from(text);
}
