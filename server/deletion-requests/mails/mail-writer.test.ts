import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadCampus } from "../../../campus-reader/load.ts";
import { root } from "../../../tests/harness/campus.ts";
import { textOf } from "../../../tests/harness/html.ts";
import {
  describeDeliveryCure,
  describeDeliveryProblem,
  toMailProblem,
} from "../../delivery/delivery-problem.ts";
import { unwritable } from "../../delivery/outbox.ts";
import { doubtful } from "../../periods.ts";
import {
  testBundle,
  testCalendar,
  testMailWords,
  testPublicUrl,
  testMailWriter as write,
} from "../test-campus.fixture.ts";
import { createMailWriters } from "./mail-writer.ts";
import type { Message } from "./messages.ts";
import { sampleMessages } from "./sample-messages.ts";

const nasty = `<script>alert("x")</script>\n**& 'more'**`;

const samples = sampleMessages(testCalendar.holidays);

const all: Message[] = [
  ...samples,
  ...samples.flatMap((message) =>
    "explanation" in message ? [{ ...message, explanation: nasty }] : [],
  ),
];

const toPersons = all.filter((message) => "token" in message);

function sampleOf(kind: Message["kind"]): Message {
  const found = samples.find((message) => message.kind === kind);
  if (!found) throw new Error(kind);
  return found;
}

describe.each(all.map((message) => [message.kind, message] as const))(
  "an email of kind %s",
  (_, message) => {
    const mail = write(message);

    test("fills in every placeholder", () => {
      expect(mail.subject + mail.text).not.toMatch(/[{}]/);
      expect(mail.subject + mail.text + mail.html).not.toMatch(/undefined|null|Invalid/);
      expect(mail.subject).not.toMatch(/[\r\n]/);
      expect(mail.subject.length).toBeLessThan(100);
    });

    test("has the same content in plain text and HTML", () => {
      const plain = (text: string) => text.replace(/[\s*>=:-]+/g, "");
      const html = plain(textOf(mail.html.replace(/[\s\S]*<div class="card">/, "")));
      for (const line of mail.text.split("\n\n").flatMap((part) => part.split("\n"))) {
        expect(html).toContain(plain(line));
      }
    });

    test("contains no external resources, trackers or scripts", () => {
      expect(mail.html).not.toMatch(/<img|<script|<link|<iframe|src=|url\(|@import|@font-face/i);
      const whole = mail.html.replaceAll("<wbr>", "");
      const addresses = [...whole.matchAll(/https?:\/\/[^"<\s]+/g)].map((match) => match[0]);
      const link =
        message.kind === "operator-invitation"
          ? message.link
          : `https://rides.example/delete-my-account?link=${"token" in message ? message.token : ""}`;
      // If the restore lost the request, its requester can submit the form again.
      const form = message.kind === "restored" ? ["https://rides.example/delete-my-account"] : [];
      expect([link, ...form]).toEqual(expect.arrayContaining(addresses));
    });

    test("limits plain text lines to 160 characters, except for URLs", () => {
      for (const line of mail.text.split("\n")) {
        if (!line.startsWith("https://")) expect(line.length).toBeLessThanOrEqual(160);
      }
    });
  },
);

test("includes the reference, a link and a contact for questions in every email to a requester", () => {
  for (const message of toPersons) {
    const { text } = write(message);
    expect(text).toContain(message.reference);
    expect(text).toContain(`?link=${message.token}\n`);
    expect(text).toContain("Questions?");
  }
});

test("tells recipients of the confirmation email to do nothing if they didn't send the form", () => {
  const mail = write(sampleOf("confirm"));
  expect(mail.text.replace(/\s+/g, " ")).toContain("If this was not you, do nothing.");
  expect(mail.text).toContain("Check and confirm\nby Tue 24 Nov, 10:00 AM:\n");
});

test("lists the due date and the skipped days in the email after the confirmation", () => {
  const { text } = write(sampleOf("confirmed"));
  expect(text).toContain("Saturday, 19 December 2026");
  expect(text).toContain("- Wednesday, 16 December 2026: Victory Day\n");
  expect(text).toContain("\n- 2 weekend days");
});

test("reads skipped days in the format of versions up to 1.13", () => {
  const dated = samples.filter(
    (message) => "skippedDays" in message || (message.kind === "held" && message.moved),
  );
  const toStored = ({ skippedDays, ...rest }: { skippedDays?: unknown }) => ({
    ...rest,
    ...(skippedDays !== undefined && { skipped: JSON.stringify(skippedDays) }),
  });
  for (const message of dated) {
    const moved = message.kind === "held" && message.moved && { moved: toStored(message.moved) };
    const stored = { ...toStored(message as object), ...moved } as Message;
    expect(write(stored)).toEqual(write(message));
  }
  expect(new Set(dated.map(({ kind }) => kind))).toEqual(
    new Set(["confirmed", "extended", "held"]),
  );
});

test("promises no date in the past", () => {
  const late = samples.filter((message) => "late" in message || message.kind === "late");
  expect(new Set(late.map(({ kind }) => kind)).size).toBe(5);
  for (const message of late) {
    const { subject, text, html } = write(message);
    expect(`${subject}\n${text}\n${html}`).not.toMatch(/(?:We'll|will) (?:delete|be done)/);
  }
});

test.each([
  ["confirm", 0, ["received", "reference"]],
  ["held", 1, ["previouslyDue", "reference"]],
  ["completed", 0, ["received", "confirmed", "ended", "reference"]],
  ["operator-due-soon", 0, ["state"]],
] as const)("ends the email with a short list of facts: %s", (kind, index, names) => {
  const message = samples.filter((sample) => sample.kind === kind)[index] as Message;
  const labels: Record<string, string> = {
    ...testMailWords.facts,
    ...testMailWords.shared.labels,
  };
  const terms = [...write(message).html.matchAll(/<th[^>]*>([^<]+)<\/th>/g)].map(
    ([, term]) => term,
  );
  expect(terms).toEqual(names.map((name) => labels[name]));
});

test("groups the data in a receipt by outcome", () => {
  const { subject, text } = write(sampleOf("completed"));
  expect(text).toContain("- Ride details (routes, times)");
  expect(text.replace(/\s+/g, " ")).toContain(
    "months, so that we can show what we did, and delete your account",
  );
  const { receipt, completed } = testMailWords;
  const part = (title: string) => text.split(title)[1]?.split("\n\n")[1] ?? "";
  expect(subject.startsWith(String(completed.kept.subject).split(" ({")[0] ?? "-")).toBe(true);
  expect(text).not.toContain(completed.before[0]);
  expect(part(receipt.deletedTitle)).not.toMatch(/by|Ride details/);
  expect(part(receipt.dueTitle)).toContain("22 December 2026");
  expect(text.replace(/\s+/g, " ")).toMatch(/We told .* on Sunday, 22 November 2026/);
});

test("accepts a campus's former keys for the website's own data", () => {
  const sample = sampleOf("completed");
  const formerly = JSON.stringify(sample)
    .replaceAll("deletion-page", "website")
    .replaceAll("deletion-request", "antrag")
    .replaceAll('"kind":"proof"', '"kind":"nachweis"');
  expect(write(JSON.parse(formerly))).toEqual(write(sample));
});

test("formats the time of the outcome in the campus's time zone", () => {
  const late = { ...sampleOf("completed"), completedAt: "2026-11-22T20:00:00Z" } as Message;
  expect(write(late).text.replace(/\s+/g, " ")).toContain(
    "Completed: Monday, 23 November 2026 at 2:00 AM",
  );
});

test("translates delivery problems and keeps the SMTP status code", () => {
  const signs = Object.fromEntries(
    Object.keys(testMailWords.deliveryProblems).map((key) => [key, "~"]),
  );
  expect(Object.keys(signs)).toEqual(expect.arrayContaining([unwritable, doubtful]));
  for (const facts of [
    { command: "RCPT TO", responseCode: 550 },
    { command: "DATA", responseCode: 450 },
    { responseCode: 530 },
    { code: "CERT_HAS_EXPIRED" },
    { code: "EDNS" },
    { timeoutType: "CONNECT_TIMEOUT" },
    {},
  ]) {
    const { problem } = toMailProblem(facts);
    expect(describeDeliveryProblem(signs, problem)).toBe(`~${/ \(.*\)$/.exec(problem) ?? ""}`);
  }
  expect(describeDeliveryProblem(signs, "something new (7)")).toBe("something new (7)");
});

test("suggests a remedy for every delivery problem", () => {
  const { deliveryCures, deliveryProblems } = testMailWords;
  const cured = Object.keys(deliveryProblems).map((problem) =>
    describeDeliveryCure(deliveryCures, `${problem} (550)`),
  );
  expect(new Set(cured)).toEqual(new Set(Object.values(deliveryCures)));
  expect(describeDeliveryCure(deliveryCures, "something new (7)")).toBe("");
});

test("includes the due date of a request that the account system hasn't completed", () => {
  const message = sampleOf("operator-account-system");
  const { operators, deliveryProblems: problems } = testMailWords;
  const due = String(operators.due).split("{date}")[0];
  const text = write(message).text.replaceAll(/\s+/g, " ");
  expect(text).toContain(`${problems["no answer"]}, ${due}`);
  expect(text).toContain(`${problems["did not believe the signature"]} (401)`);
});

test("ends a sentence about a delivery problem with the email language's full stop", () => {
  const { translations } = loadCampus(join(root, "campus"));
  const writeAny = createMailWriters({ ...testBundle, translations }, testPublicUrl);
  const { text } = writeAny(sampleOf("operator-trouble"), "bn");
  expect(text).toMatch(/\p{Script=Bengali}\p{M}*।\s/u);
  expect(text).not.toMatch(/[\p{Script=Bengali}\p{M}]\.\s/u);
});

test("doesn't repeat an email's title above its list of problems", () => {
  for (const kind of ["operator-trouble", "operator-account-system"] as const) {
    expect(write(sampleOf(kind)).text.split(testMailWords[kind].title)).toHaveLength(2);
  }
  expect(write(sampleOf("operator-digest")).text).toContain(
    testMailWords["operator-trouble"].title,
  );
});
