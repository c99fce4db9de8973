import { expect, test } from "vitest";
import { writeCalendarFile } from "./calendar-file.ts";

const at = Temporal.Instant.from("2026-11-22T04:00:00.123Z");
const entry = {
  uid: "7@rides.example",
  date: Temporal.PlainDate.from("2026-12-31"),
  title: "K7RM-4XQP is due",
  text: "Confirmed, nobody's",
  url: "https://rides.example/operator/requests/K7RM-4XQP",
};

const write = (change: Partial<typeof entry>, name = "Due dates") =>
  writeCalendarFile({ name, entries: [{ ...entry, ...change }] }, at);

/** What a program reads: folded lines joined again. */
const unfold = (file: string) => file.replaceAll("\r\n ", "").split("\r\n");

test("a due date is a whole day, which ends with the next", () => {
  const lines = unfold(write({}));
  expect(lines).toContain("DTSTART;VALUE=DATE:20261231");
  expect(lines).toContain("DTEND;VALUE=DATE:20270101");
  expect(lines).toContain("DTSTAMP:20261122T040000Z");
  expect(lines).toContain("UID:7@rides.example");
  expect(lines[0]).toBe("BEGIN:VCALENDAR");
  expect(lines.slice(-2)).toEqual(["END:VCALENDAR", ""]);
});

test("no line is longer than 75 octets, and no sign is cut in two", () => {
  const text = "ক্যাম্পাসের অনুরোধ, ".repeat(40);
  const file = write({ text }, "একটি খুব দীর্ঘ নাম ".repeat(9));
  for (const line of file.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(file).not.toContain("\ufffd");
  expect(unfold(file)).toContain(`DESCRIPTION:${text.replaceAll(",", "\\,")}`);
  expect(
    Buffer.byteLength(file.split("\r\n").find((line) => line.startsWith("DESCRIPTION")) ?? ""),
  ).toBeGreaterThan(70);
});

test("commas, semicolons, backslashes and new lines stand as the format wants them", () => {
  expect(unfold(write({ title: "a, b; c\\d\ne\tf" }))).toContain("SUMMARY:a\\, b\\; c\\\\d\\ne f");
});

test("every line ends as the format wants it, and no text can begin a line of its own", () => {
  const file = write({ title: "x\r\nEND:VEVENT\r\nBEGIN:VALARM" });
  expect(file.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  expect(unfold(file).filter((line) => line.startsWith("END:VEVENT"))).toHaveLength(1);
});

test("without anything due it is a calendar all the same", () => {
  const lines = unfold(writeCalendarFile({ name: "Due dates", entries: [] }, at));
  expect(lines).not.toContain("BEGIN:VEVENT");
  expect(lines).toContain("METHOD:PUBLISH");
});
