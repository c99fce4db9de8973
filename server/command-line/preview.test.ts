import { afterEach, beforeEach, expect, test } from "vitest";
import {
  openOffice,
  type TestOffice,
  testMailWriter,
} from "../deletion-requests/office.fixture.ts";
import { runCommand } from "./requests.ts";

// An operator reads the mail before anybody is told.

let office: TestOffice;
let reference: string;
const languages: (string | undefined)[] = [];

beforeEach(async () => {
  office = await openOffice();
  await office.requests.submit(office.form(), "bn");
  await office.rounds.runOnce();
  await office.requests.confirm(await office.follow(office.newest("confirm")));
  reference = (await office.queue())[0]?.reference ?? "";
});

afterEach(() => office.close());

const preview = (act: string, ...more: string[]) =>
  runCommand(
    ["preview", act, reference, ...more, "--as", "Nadia"],
    office,
    async () => (message, language) => {
      languages.push(language);
      return testMailWriter(message);
    },
  );

test("it is the mail that is really sent, in the reader's language, and nothing is changed", async () => {
  const words = ["--reason", "dues", "--until", "2026-11-30", "--because", "One fare is open."];
  const shown = await preview("hold", ...words);
  expect(shown).toMatchObject({ code: 0 });
  expect(languages.at(-1)).toBe("bn");
  expect(shown.out).toMatch(/^Nothing was sent\. This would be:\n\nLanguage: bn\nSubject: /);
  expect(await office.desk.find(reference)).toMatchObject({ state: "confirmed", hold: undefined });

  await runCommand(["hold", reference, ...words, "--as", "Nadia"], office);
  await office.rounds.runOnce();
  const sent = office.newest("held").letter;
  const withoutLink = (text: string) => text.replace(/link=\S+/, "link=");
  expect(withoutLink(String(shown.out))).toContain(withoutLink(sent.text));
  expect(shown.out).toContain(`Subject: ${sent.subject}\n`);
});

test.each(["take", "refuse", "extend", "cancel"])(
  "%s can be read before it is done",
  async (act) => {
    const options = {
      refuse: ["--reason", "no-account"],
      extend: ["--days", "3", "--because", "Exam week."],
    }[act];
    expect(await preview(act, ...(options ?? []))).toMatchObject({
      code: 0,
      out: expect.stringContaining(reference),
    });
  },
);

test("what the act itself would say of a mistake or of the state is said", async () => {
  expect(await preview("hold", "--reason", "dues")).toMatchObject({ code: 2 });
  expect(await preview("release")).toMatchObject({ code: 1 });
  expect(await preview("complete")).toMatchObject({
    code: 2,
    problem: expect.stringContaining("preview takes one of: take, hold"),
  });
});
