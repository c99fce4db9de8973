import { describe, expect, test } from "vitest";
import { skippedToText } from "../calendar/business-days.ts";
import type { Message, OperatorMessage, PersonMessage } from "./messages.ts";
import { testMailWriter as write } from "./office.fixture.ts";

const token = "t".repeat(43);
const reference = "K7RM-4XQP";
const dueOn = "2026-12-06";
const skipped = skippedToText([
  { date: Temporal.PlainDate.from("2026-12-04"), reason: "weekend" },
  { date: Temporal.PlainDate.from("2026-12-05"), reason: "weekend" },
  { date: Temporal.PlainDate.from("2026-12-16"), reason: "holiday", name: "Victory Day" },
]);
const instant = "2026-11-22T04:00:00.000Z";
const nasty = `<script>alert("x")</script>\n**& 'more'**`;

const toPersons: PersonMessage[] = [
  {
    kind: "confirm",
    token,
    reference,
    validUntil: "2026-11-24T04:00:00.000Z",
    receivedAt: instant,
  },
  { kind: "confirmed", token, reference, dueOn, skipped },
  { kind: "reminder", token, reference, dueOn, state: "in-progress" },
  { kind: "cancelled", token, reference },
  { kind: "in-progress", token, reference, dueOn },
  {
    kind: "extended",
    token,
    reference,
    previouslyDueOn: "2026-12-01",
    dueOn,
    skipped,
    explanation: nasty,
  },
  {
    kind: "completed",
    token,
    reference,
    receivedAt: instant,
    confirmedAt: instant,
    completedAt: instant,
  },
  { kind: "refused", token, reference, reason: "other", explanation: nasty },
];

const toOperators: OperatorMessage[] = [
  { kind: "operator-new", reference, dueOn, daysLeft: 10 },
  { kind: "operator-due-soon", reference, dueOn, daysLeft: 1, state: "confirmed" },
  {
    kind: "operator-digest",
    date: dueOn,
    open: [{ reference, dueOn, daysLeft: -2, state: "in-progress" }],
    unconfirmed: 3,
    troubled: [{ reference, kind: "confirm", problem: "recipient refused (550)" }],
  },
  { kind: "operator-digest", date: dueOn, open: [], unconfirmed: 0, troubled: [] },
  {
    kind: "operator-trouble",
    troubled: [{ reference, kind: "completed", problem: "mail server too slow" }],
  },
];

const all: Message[] = [...toPersons, ...toOperators];

describe.each(all.map((message) => [message.kind, message] as const))("%s", (_, message) => {
  const mail = write(message);

  test("has no gap in its words", () => {
    expect(mail.subject + mail.text + mail.html).not.toMatch(/\{\{|undefined|null|Invalid/);
    expect(mail.subject).not.toMatch(/[\r\n]/);
    expect(mail.subject.length).toBeLessThan(100);
  });

  test("says the same in text and in HTML", () => {
    const plain = (text: string) => text.replace(/[\s*>=:-]+/g, "");
    const html = plain(
      mail.html
        .replace(/[\s\S]*<div class="card">/, "")
        .replace(/<br>/g, " ")
        .replace(/<[^>]+>/g, " ")
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&#39;", "'")
        .replaceAll("&amp;", "&"),
    );
    for (const line of mail.text.split("\n\n").flatMap((part) => part.split("\n"))) {
      expect(html).toContain(plain(line));
    }
  });

  test("loads nothing, tracks nothing and runs nothing", () => {
    expect(mail.html).not.toMatch(/<img|<script|<link|<iframe|src=|url\(|@import|@font-face/i);
    const addresses = [...mail.html.matchAll(/https?:\/\/[^"<\s]+/g)].map((match) => match[0]);
    const link = `https://rides.example/delete-my-account?link=${token}`;
    expect(addresses.every((address) => address === link)).toBe(true);
  });

  test("can be read as text: no long lines but addresses", () => {
    for (const line of mail.text.split("\n")) {
      if (!line.startsWith("https://")) expect(line.length).toBeLessThanOrEqual(160);
    }
  });
});

test("every mail to a person has its reference, its link, and where to ask", () => {
  for (const message of toPersons) {
    const { text } = write(message);
    expect(text).toContain(reference);
    expect(text).toContain(`?link=${token}\n`);
    expect(text).toContain("Questions?");
  }
});

test("no mail to operators holds a link with a token", () => {
  for (const message of toOperators) expect(write(message).text).not.toContain("link=");
});

test("the confirmation mail says to do nothing if it was somebody else", () => {
  const mail = write(toPersons[0] as Message);
  expect(mail.text).toContain("If this was not you, do nothing.");
  expect(mail.text).toContain("Tuesday, 24 November 2026");
});

test("the due date is a date, with the days that do not count", () => {
  const { text } = write(toPersons[1] as Message);
  expect(text).toContain("Sunday, 6 December 2026");
  expect(text).toContain("- Wednesday, 16 December 2026: Victory Day\n- 2 weekend days");
});

test("the receipt has dates, what was deleted, what is kept, how long and why", () => {
  const { text } = write(toPersons[6] as Message);
  expect(text).toContain("- Ride details (routes, times)");
  expect(text.replace(/\s+/g, " ")).toContain("24 months, so that nothing comes back");
});

test("the digest tells late requests in words", () => {
  expect(write(toOperators[2] as Message).text).toContain("2 business days late");
});
