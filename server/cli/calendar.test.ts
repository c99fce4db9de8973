import { expect, test } from "vitest";
import type { Calendar } from "../platform/calendar/business-days.ts";
import { runCalendar } from "./calendar.ts";

const calendar: Calendar = {
  timeZone: "Asia/Kathmandu",
  weekend: [5, 6],
  everyYear: [{ day: "12-16", name: "Victory Day" }],
  holidays: [{ date: "2027-03-10", name: "Eid-ul-Fitr" }],
  workingDays: [{ date: "2027-05-22", reason: "for a longer Eid" }],
};

test("shows a year's holidays, working weekends and business days", () => {
  const { code, out } = runCalendar(["show", "2027"], calendar);
  expect(code).toBe(0);
  expect(out).toContain("Weekend: Friday, Saturday");
  expect(out).toMatch(/2027-03-10\s+Wednesday\s+Eid-ul-Fitr/);
  expect(out).toMatch(/2027-05-22\s+Saturday\s+works: for a longer Eid/);
  expect(out).toMatch(/2027-12-16\s+Thursday\s+Victory Day/);
  // December 2027 has 31 days, including 9 weekend days and Victory Day.
  expect(out).toMatch(/December\s+21\n/);
});

test("warns if the list of holidays ends before the requested year", () => {
  expect(runCalendar(["show", "2028"], calendar).out).toContain("ends with 2027-03-10");
});

test.each([[["show"]], [["show", "next"]], [["hide", "2027"]], [["show", "2027", "2028"]]])(
  "prints usage for the invalid arguments %j",
  (words) => {
    expect(runCalendar(words, calendar)).toMatchObject({
      code: 2,
      problem: expect.stringContaining("show YEAR"),
    });
  },
);
