import { expect, test } from "vitest";
import {
  endOperator,
  enterMoreMails,
  findOperator,
  grantPages,
} from "../../operators/operators.ts";
import { failed, testMailWriter } from "../service.fixture.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";
import type { Message } from "./messages.ts";
import { sampleMessages } from "./sample-messages.ts";

// To whom of the team a mail goes, and where it leads.

serviceForEachTest();

async function invite(name: string, moreMails = false): Promise<number> {
  const { database, clock } = service;
  const address = `${name.toLowerCase()}@uni.example`;
  const id = (await findOperator(database.read, name))?.id ?? 0;
  await database.write(async (transaction) => {
    await grantPages(transaction, { id, role: "operator", address, invitedAt: clock() });
    await enterMoreMails(transaction, { id, moreMails });
  });
  return id;
}

const readersOf = (mail: Message["kind"]) =>
  service.sent
    .filter(({ kind }) => kind === mail)
    .map(({ to }) => to)
    .sort();
const digestsTo = () => readersOf("operator-digest");

test("until somebody is invited, the team's one mailbox gets every mail, and it leads nowhere", async () => {
  await service.round();
  expect(digestsTo()).toEqual(["desk@rides.example"]);
  expect(service.newest("operator-digest").letter.text).not.toContain("/operator");
});

test("each digest reminds the team of the support mailbox", async () => {
  await service.round();
  expect(service.newest("operator-digest").letter.text).toMatch(/read the support mailbox today/);
});

test("then each of the team who is there gets one of their own, which leads to each request", async () => {
  const reference = await service.submitConfirmed();
  await invite("Nadia");
  await invite("Rahim");
  service.pass({ days: 1 });
  service.sent.length = 0;
  await service.round();
  expect(digestsTo()).toEqual(["nadia@uni.example", "rahim@uni.example"]);
  const { text, html } = service.newest("operator-digest").letter;
  expect(text).toContain(`https://rides.example/operator/requests/${reference}`);
  expect(html).toContain(`href="https://rides.example/operator/requests/${reference}"`);
  await service.round();
  expect(digestsTo()).toHaveLength(2);
});

test("whoever is away gets none that day; where nobody is there, the team's mailbox does", async () => {
  for (const name of ["Nadia", "Rahim"]) await invite(name);
  await service.goAway("Nadia", "2026-11-22", "2026-11-23");
  await service.round();
  expect(digestsTo()).toEqual(["rahim@uni.example"]);
  await service.goAway("Rahim", "2026-11-23", "2026-11-23");
  service.sent.length = 0;
  await service.round({ days: 1 });
  expect(digestsTo()).toEqual(["desk@rides.example"]);
});

test("whoever left before it could leave gets none, and one full mailbox keeps it from nobody else", async () => {
  const nadia = await invite("Nadia");
  await invite("Rahim");
  service.answer = ({ to }) =>
    to === "nadia@uni.example" ? failed("recipient put off (452)") : { kind: "delivered" };
  await service.round();
  expect(digestsTo()).toEqual(["rahim@uni.example"]);
  const { database, clock } = service;
  await database.write((transaction) =>
    endOperator(transaction, { id: nadia, leftAt: clock(), address: "" }),
  );
  service.answer = () => ({ kind: "delivered" });
  await service.round({ hours: 1 });
  expect(digestsTo()).toEqual(["rahim@uni.example"]);
});

test("that a request was confirmed is told to those who asked for more than the digest", async () => {
  await invite("Nadia", true);
  await invite("Rahim");
  await service.submitConfirmed();
  await service.round();
  expect(readersOf("operator-new")).toEqual(["nadia@uni.example"]);
});

test("at night none of the team is written to, but in the morning", async () => {
  await invite("Nadia", true);
  service.setClock("2026-11-22T16:00:00Z");
  await service.submitConfirmed();
  await service.round();
  await service.roundAt("2026-11-23T01:59:00Z");
  expect(readersOf("operator-new")).toEqual([]);
  await service.roundAt("2026-11-23T02:00:00Z");
  expect(readersOf("operator-new")).toEqual(["nadia@uni.example"]);
});

test("the digest says on which day something is due and nobody is there", async () => {
  await service.submitConfirmed();
  for (const name of ["Nadia", "Rahim", "Tuli"]) {
    await service.goAway(name, "2026-12-04", "2026-12-10");
  }
  await service.round({ days: 1 });
  expect(service.newest("operator-digest").letter.text).toMatch(/nobody is there on .*6 December/i);
});

test("every mail to the team leads to the pages by one tap, and holds neither an address nor a token", () => {
  for (const message of sampleMessages()) {
    // An invitation leads to its own page, and is for whoever has none of the others yet.
    if ("token" in message || message.kind === "operator-invitation") continue;
    const mail = testMailWriter(message, undefined, { hasPages: true });
    const own = "reference" in message ? `/requests/${message.reference}` : "";
    expect(mail.text).toContain(`https://rides.example/operator${own}\n`);
    expect(mail.text).not.toMatch(/@uni\.example|link=/);
    expect(testMailWriter(message).text).not.toContain("/operator");
  }
});
