import { expect, test } from "vitest";
import { createCalendarWords } from "./texts.ts";

const date = Temporal.PlainDate.from("2026-12-06");
const instant = Temporal.Instant.from("2026-12-06T04:00:00Z");

test.each([
  ["en-GB", "6\u00a0December", "6\u00a0Dec\u00a02026, "],
  ["en-US", "December\u00a06", "Dec\u00a06,\u00a02026, "],
  ["bn-BD", "৬\u00a0ডিসেম্বর", "৬\u00a0ডিসেম্বর,\u00a0২০২৬, "],
  // German dates in the short form are numeric and contain no space.
  ["de-DE", "6.\u00a0Dezember", "06.12.2026"],
])(
  "joins day and month, and in short forms also the year, with no-break spaces: %s",
  (locale, long, brief) => {
    const words = createCalendarWords({ locale, timeZone: "Europe/Vienna", holidays: {} });
    expect(words.day(date)).toContain(long);
    expect(words.dayNear(date)).toContain(long);
    expect(words.moment(instant)).toContain(long);
    expect(words.dayInMail(date)).toContain(long);
    expect(words.momentInMail(instant)).toContain(long);
    expect(words.momentBriefly(instant)).toContain(brief);
  },
);

test("joins the weekday to a near date in emails", () => {
  const words = createCalendarWords({ locale: "en-GB", timeZone: "UTC", holidays: {} });
  expect(words.dayNearInMail(date)).toMatch(/^Sunday,?\u00a06\u00a0December$/);
});

test("allows a line break before the year of a long date", () => {
  const words = createCalendarWords({ locale: "en-GB", timeZone: "UTC", holidays: {} });
  expect(words.day(date)).toMatch(/^Sunday,? 6\u00a0December 2026$/);
});

test.each([
  ["en-GB", "Europe/Vienna", "CET"],
  ["en-GB", "Asia/Kathmandu", "Nepal Time"],
])(
  "writes the time zone in emails as an abbreviation or, if it has none, as a name: %s, %s",
  (locale, timeZone, name) => {
    const words = createCalendarWords({ locale, timeZone, holidays: {} });
    expect(words.momentInMail(instant)).toMatch(new RegExp(` ${name}$`));
  },
);

test("puts the time zone before the part of the day in Bangla", () => {
  const words = createCalendarWords({
    locale: "bn-BD",
    timeZone: "Asia/Kathmandu",
    holidays: {},
  });
  expect(words.momentInMail(instant)).toMatch(/২০২৬, নেপাল সময় সকাল\u00a0৯:৪৫$/);
});

test('separates day and hour with a comma in Bangla, without a word for "at"', () => {
  const words = createCalendarWords({ locale: "bn-BD", timeZone: "UTC", holidays: {} });
  expect(words.moment(instant)).toMatch(/২০২৬, ভোর\u00a0৪:০০$/);
  expect(words.momentInMail(instant)).toMatch(/২০২৬, UTC ভোর\u00a0৪:০০$/);
});

test.each([
  ["en-GB-u-hc-h12", "00:05", "12:05\u00a0AM"],
  ["en-GB-u-hc-h12", "19:05", "7:05\u00a0PM"],
  ["en-US", "19:05", "7:05\u00a0PM"],
  ["en-BD", "19:05", "7:05\u00a0PM"],
  ["en-GB", "19:05", "19:05"],
  ["ar-EG", "07:05", "٧:٠٥\u00a0ص"],
  ["hi-IN", "19:05", "शाम\u00a07:05"],
  ["uk-UA", "19:05", "19:05"],
  ["bn-BD", "00:05", "রাত\u00a0১২:০৫"],
  ["bn-BD", "05:30", "ভোর\u00a0৫:৩০"],
  ["bn-BD", "10:00", "সকাল\u00a0১০:০০"],
  ["bn-BD", "13:27", "দুপুর\u00a0১:২৭"],
  ["bn-BD", "15:05", "বিকেল\u00a0৩:০৫"],
  ["bn-BD", "16:00", "বিকেল\u00a0৪:০০"],
  ["bn-BD", "19:05", "সন্ধ্যা\u00a0৭:০৫"],
  ["bn-BD", "23:27", "রাত\u00a0১১:২৭"],
])("formats times as people say them: %s, %s", (locale, time, formatted) => {
  const words = createCalendarWords({ locale, timeZone: "Asia/Dhaka", holidays: {} });
  const at = Temporal.ZonedDateTime.from(`2026-11-30T${time}[Asia/Dhaka]`).toInstant();
  expect(words.time(at)).toBe(formatted);
  for (const write of [words.moment, words.momentInMail, words.momentBriefly])
    expect(write(at)).toContain(formatted);
});

test.each([
  ["en-GB", "app, site, card"],
  ["de-DE", "app, site und card"],
  ["ar-EG", "app، وsite، وcard"],
])("formats a list by the language's rules: %s", (locale, formatted) => {
  const words = createCalendarWords({ locale, timeZone: "UTC", holidays: {} });
  expect(words.list(["app", "site", "card"])).toBe(formatted);
});

test('adds the word "Uhr" after the time in German, except in short forms', () => {
  const words = createCalendarWords({ locale: "de-DE", timeZone: "UTC", holidays: {} });
  expect(words.moment(instant)).toMatch(/2026 um 04:00\u00a0Uhr$/);
  expect(words.time(instant)).toBe("04:00\u00a0Uhr");
  expect(words.momentInMail(instant)).toMatch(/2026 um 04:00\u00a0Uhr UTC$/);
  expect(words.momentBriefly(instant)).toMatch(/04:00$/);
});
