import { expect, test } from "vitest";
import fc from "../../../tests/harness/fixed-seed.ts";
import {
  addBusinessDays,
  type Calendar,
  calendarWarning,
  countDaysLeft,
  dateAt,
  findSkipReason,
} from "./business-days.ts";

const date = (text: string) => Temporal.PlainDate.from(text);

const calendar: Calendar = {
  timeZone: "Etc/GMT-6",
  weekend: [5, 6],
  holidays: [
    { date: "2026-03-17", name: "Shab-e-Qadr" },
    { date: "2026-03-19", name: "Eid-ul-Fitr holiday" },
    { date: "2026-03-20", name: "Eid-ul-Fitr holiday" },
    { date: "2026-03-21", name: "Eid-ul-Fitr" },
    { date: "2026-03-22", name: "Eid-ul-Fitr holiday" },
    { date: "2026-03-23", name: "Eid-ul-Fitr holiday" },
    { date: "2026-03-26", name: "Independence Day" },
    { date: "2026-12-16", name: "Victory Day" },
    { date: "2026-12-25", name: "Christmas Day" },
  ],
};

test.each([
  // Two ordinary weeks from a Sunday, with two weekends of two days each.
  ["2026-11-22", 10, "2026-12-06", 4],
  // Confirmed on a Friday, so Sunday is the first day that counts.
  ["2026-11-27", 1, "2026-11-29", 1],
  // Spans Eid: the feast, two weekends and Independence Day.
  ["2026-03-15", 10, "2026-04-05", 11],
  // Spans the end of the year: Victory Day, and Christmas Day on a Friday.
  ["2026-12-15", 10, "2026-12-30", 5],
  ["2026-12-20", 10, "2027-01-03", 4],
  ["2026-12-30", 2, "2027-01-03", 2],
])("counts business days: %s plus %i is %s", (from, count, due, skippedDays) => {
  const result = addBusinessDays(calendar, date(from), count);
  expect(result.date.toString()).toBe(due);
  expect(result.skipped).toHaveLength(skippedDays);
});

test("reports a skipped holiday by name, even if it falls on a weekend", () => {
  expect(addBusinessDays(calendar, date("2026-03-18"), 1).skipped).toEqual([
    { date: "2026-03-19", holiday: "Eid-ul-Fitr holiday" },
    { date: "2026-03-20", holiday: "Eid-ul-Fitr holiday" },
    { date: "2026-03-21", holiday: "Eid-ul-Fitr" },
    { date: "2026-03-22", holiday: "Eid-ul-Fitr holiday" },
    { date: "2026-03-23", holiday: "Eid-ul-Fitr holiday" },
  ]);
  expect(addBusinessDays(calendar, date("2026-11-26"), 1).skipped).toEqual([
    { date: "2026-11-27" },
    { date: "2026-11-28" },
  ]);
});

test.each([
  ["2026-11-22T17:59:59Z", "2026-11-22"],
  ["2026-11-22T18:00:00Z", "2026-11-23"],
])("starts a day at midnight in the campus's time zone: %s", (now, day) => {
  expect(dateAt(calendar, Temporal.Instant.from(now)).toString()).toBe(day);
});

test.each([
  ["2026-11-22", "2026-12-06", 10],
  ["2026-12-06", "2026-12-06", 0],
  ["2026-12-04", "2026-12-06", 1],
  ["2026-12-07", "2026-12-06", -1],
  // A request is late from the day after its due date, even if that is on a weekend.
  ["2026-12-11", "2026-12-10", -1],
  ["2026-12-14", "2026-12-06", -6],
])("counts the remaining business days: on %s, %s is %i days away", (today, due, left) => {
  expect(countDaysLeft(calendar, date(today), date(due))).toBe(left);
});

test("warns three months before the last holiday, even if the holidays are unsorted", () => {
  for (const holidays of [calendar.holidays, calendar.holidays.toReversed()]) {
    const warning = (on: string) => calendarWarning({ ...calendar, holidays }, date(on));
    expect(warning("2026-09-24")).toBeUndefined();
    expect(warning("2026-09-25")).toMatch(/ends with 2026-12-25/);
  }
  expect(calendarWarning({ ...calendar, holidays: [] }, date("2026-01-01"))).toMatch(/no holidays/);
});

const recurring: Calendar = {
  ...calendar,
  everyYear: [
    { day: "02-21", name: "Shaheed Day" },
    { day: "12-16", name: "Victory Day" },
  ],
  workingDays: [{ date: "2026-05-23", reason: "for a longer Eid" }],
};

test("applies a yearly holiday to years for which the calendar has no entries", () => {
  expect(findSkipReason(recurring, date("2028-02-21"))).toMatchObject({ holiday: "Shaheed Day" });
  expect(findSkipReason(recurring, date("2044-12-16"))).toMatchObject({ holiday: "Victory Day" });
  expect(findSkipReason(calendar, date("2028-02-21"))).toBeUndefined();
});

test("counts a working Saturday as a business day, but not the next Saturday", () => {
  expect(addBusinessDays(recurring, date("2026-05-21"), 1).date.toString()).toBe("2026-05-23");
  expect(findSkipReason(recurring, date("2026-05-30"))).toEqual({ date: "2026-05-30" });
});

test("gives no warning to a campus that has only yearly holidays", () => {
  expect(calendarWarning({ ...recurring, holidays: [] }, date("2040-01-01"))).toBeUndefined();
  expect(calendarWarning(recurring, date("2026-10-01"))).toMatch(/ends with 2026-12-25/);
});

const days = fc
  .integer({ min: 0, max: 3000 })
  .map((count) => date("2024-01-01").add({ days: count }));
const calendars = fc.record({
  timeZone: fc.constantFrom("Etc/GMT-6", "UTC", "America/New_York"),
  weekend: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 5 }),
  holidays: fc.array(
    days.map((day) => ({ date: day.toString(), name: "Feast" })),
    { maxLength: 60 },
  ),
});
const counts = fc.integer({ min: 1, max: 30 });

test("reaches a business day after exactly the given number of business days, on any calendar", () => {
  fc.assert(
    fc.property(calendars, days, counts, (any, from, count) => {
      const due = addBusinessDays(any, from, count);
      expect(findSkipReason(any, due.date)).toBeUndefined();
      expect(from.until(due.date).days).toBe(count + due.skipped.length);
      expect(due.skipped.every((day) => findSkipReason(any, date(day.date)))).toBe(true);
      expect(countDaysLeft(any, from, due.date)).toBe(count);
      expect(countDaysLeft(any, due.date, from)).toBeLessThanOrEqual(0);
    }),
    { numRuns: 1000 },
  );
});
