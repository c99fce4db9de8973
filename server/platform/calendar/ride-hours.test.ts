import { expect, test } from "vitest";
import { findNextRideChange, findRideState, type RideTimes } from "./ride-hours.ts";

const calendar = {
  timeZone: "Asia/Dhaka",
  weekend: [5, 6],
  holidays: [{ date: "2026-12-16", name: "victory-day" }],
};
const times: RideTimes = {
  from: "07:00",
  until: "22:00",
  busy: [{ from: "07:30", until: "09:00" }],
  closedOnHolidays: true,
};

/** Formats a state in the campus's time zone, such as "open 11-30T22:00". */
function stateAt(local: string, rideTimes: RideTimes = times): string {
  const now = Temporal.ZonedDateTime.from(`${local}[Asia/Dhaka]`).toInstant();
  const { is, until, holiday = "" } = findRideState(rideTimes, calendar, now);
  const end = until.toZonedDateTimeISO("Asia/Dhaka").toPlainDateTime().toString().slice(5, 16);
  return `${is} ${end} ${holiday}`.trim();
}

test.each([
  ["2026-11-30T06:59:59", "closed 11-30T07:00"],
  ["2026-11-30T07:00", "open 11-30T22:00"],
  ["2026-11-30T07:30", "busy 11-30T09:00"],
  ["2026-11-30T09:00", "open 11-30T22:00"],
  ["2026-11-30T22:00", "closed 12-01T07:00"],
])("returns the state on a business day: at %s, rides are %s", (local, state) => {
  expect(stateAt(local)).toBe(state);
});

test("applies no busy time on a weekend", () => {
  expect(stateAt("2026-11-27T08:00")).toBe("open 11-27T22:00");
});

test("closes rides on a holiday until the next day's opening time", () => {
  expect(stateAt("2026-12-16T12:00")).toBe("closed 12-17T07:00 victory-day");
  expect(stateAt("2026-12-16T12:00", { ...times, closedOnHolidays: false })).toBe(
    "open 12-16T22:00",
  );
});

test("keeps rides open past midnight if the hours end on the next day", () => {
  const late = { ...times, from: "18:00", until: "02:00", busy: [] };
  expect(stateAt("2026-11-30T01:00", late)).toBe("open 11-30T02:00");
  expect(stateAt("2026-11-30T02:00", late)).toBe("closed 11-30T18:00");
});

test("finds the next change: the start or end of ride hours or busy hours, or midnight", () => {
  let now = Temporal.ZonedDateTime.from("2026-11-30T00:00[Asia/Dhaka]").toInstant();
  const seen = Array.from({ length: 5 }, () => {
    now = findNextRideChange(times, calendar, now);
    return now.toZonedDateTimeISO("Asia/Dhaka").toPlainTime().toString().slice(0, 5);
  });
  expect(seen).toEqual(["07:00", "07:30", "09:00", "22:00", "00:00"]);
});

test.each([
  ["Europe/Berlin", "2026-10-24T23:00", "2026-10-25T06:00:00+01:00"],
  ["Europe/Berlin", "2027-03-27T23:00", "2027-03-28T06:00:00+02:00"],
  ["Africa/Cairo", "2026-10-29T23:00", "2026-10-30T06:00:00+02:00"],
  ["Africa/Cairo", "2027-04-29T23:00", "2027-04-30T06:00:00+03:00"],
])(
  "ends night rides by the local clock after it changes: in %s from %s to %s",
  (timeZone, from, end) => {
    const night = { ...times, from: "22:00", until: "06:00", busy: [] };
    const now = Temporal.ZonedDateTime.from(`${from}[${timeZone}]`).toInstant();
    const { is, until } = findRideState(night, { ...calendar, timeZone }, now);
    expect([is, until.equals(end)]).toEqual(["open", true]);
  },
);

test.each([
  // Midnight follows the repeated hour from 23:00 to 24:00.
  ["2026-10-29T23:30:00+03:00", "2026-10-29T22:00:00Z"],
  // There is no midnight, so the day starts at 01:00.
  ["2027-04-29T23:30:00+02:00", "2027-04-29T22:00:00Z"],
])("starts the new day when Cairo's clocks change at midnight: after %s at %s", (now, midnight) => {
  const cairo = { ...calendar, timeZone: "Africa/Cairo" };
  const change = findNextRideChange(times, cairo, Temporal.Instant.from(now));
  expect(change.equals(midnight)).toBe(true);
});
