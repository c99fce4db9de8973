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

/** The one of `known` that was probably meant; undefined where none is near. */
export function findNearest(typed: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((one) => ({ one, distance: countEdits(typed.toLowerCase(), one.toLowerCase()) }))
    .sort((one, other) => one.distance - other.distance);
  return best && best.distance <= Math.max(1, Math.floor(best.one.length / 2.5))
    ? best.one
    : undefined;
}

/** Letters to add, drop, change or swap with their neighbour. */
function countEdits(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let index = 1; index <= one.length; index++) {
    const [row = [], before = []] = [rows[index - 1], rows[index - 2]];
    const next = [index];
    for (let place = 1; place <= other.length; place++) {
      const same = one[index - 1] === other[place - 1];
      const swapped = one[index - 1] === other[place - 2] && one[index - 2] === other[place - 1];
      next.push(
        Math.min(
          (next[place - 1] ?? 0) + 1,
          (row[place] ?? 0) + 1,
          (row[place - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (before[place - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(next);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}
