import type { Calendar } from "../calendar/business-days.ts";
import type { Outcome } from "./start.ts";

/** How commands say what they did, and when things are. */

export function done(sentence: string): Outcome {
  return { code: 0, out: `${sentence}\n` };
}

export function failed(sentence: string): Outcome {
  return { code: 1, problem: `${sentence}\n` };
}

export function notUnderstood(sentence: string): Outcome {
  return { code: 2, problem: `${sentence}\n` };
}

/** What somebody must still do before it can be done. */
export function stillToDo(text: string): Outcome {
  return { code: 3, out: text };
}

/** Such as “1 entry” or “2 entries”. */
export function countOf(count: number, one: string, other: string): string {
  return `${count} ${count === 1 ? one : other}`;
}

/** Such as 2026-11-22 10:00, in the campus's time. */
export function toMinute({ timeZone }: Calendar, instant: Temporal.Instant): string {
  const { hour, minute } = instant.toZonedDateTimeISO(timeZone);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${instant.toZonedDateTimeISO(timeZone).toPlainDate()} ${two(hour)}:${two(minute)}`;
}

/** Such as 10:00, in the campus's time. */
export function toTime(calendar: Calendar, instant: Temporal.Instant): string {
  return toMinute(calendar, instant).slice(-5);
}
