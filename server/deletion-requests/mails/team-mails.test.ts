import { expect, test } from "vitest";
import {
  endOperator,
  findOperator,
  grantAccess,
  updateMoreMails,
} from "../../team/roster/operators.ts";
import { failed } from "../service.fixture.ts";
import { testMailWriter } from "../test-campus.fixture.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";
import type { Message } from "./messages.ts";
import { sampleMessages } from "./sample-messages.ts";

serviceForEachTest();

async function invite(name: string, moreMails = false): Promise<number> {
  const { database, clock } = service;
  const address = `${name.toLowerCase()}@uni.example`;
  const id = (await findOperator(database.read, name))?.id ?? 0;
  await database.write(async (transaction) => {
    await grantAccess(transaction, { id, role: "operator", address, invitedAt: clock() });
    await updateMoreMails(transaction, { id, moreMails });
  });
  return id;
}

const readersOf = (mail: Message["kind"]) =>
  service.sent
    .filter(({ kind }) => kind === mail)
    .map(({ to }) => to)
    .sort();
const digestsTo = () => readersOf("operator-digest");

test("sends team emails to the shared mailbox, without links, before the first invitation", async () => {
  await service.round();
  expect(digestsTo()).toEqual(["desk@rides.example"]);
  expect(service.newest("operator-digest").letter.text).not.toContain("/operator");
});

test("reminds the team of the support mailbox in each digest", async () => {
  await service.round();
  expect(service.newest("operator-digest").letter.text).toMatch(
    /checked the support mailbox today/,
  );
});

test("sends each present operator a digest with a link to every request", async () => {
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

test("sends team emails only to present operators, or to the shared mailbox if all are absent", async () => {
  for (const name of ["Nadia", "Rahim"]) await invite(name);
  await service.startAbsence("Nadia", "2026-11-22", "2026-11-23");
  await service.round();
  expect(digestsTo()).toEqual(["rahim@uni.example"]);
  await service.startAbsence("Rahim", "2026-11-23", "2026-11-23");
  service.sent.length = 0;
  await service.round({ days: 1 });
  expect(digestsTo()).toEqual(["desk@rides.example"]);
});

test("doesn't let one operator's full mailbox block emails to the others", async () => {
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

test("reports confirmed requests only to operators who chose to get more emails", async () => {
  await invite("Nadia", true);
  await invite("Rahim");
  await service.submitConfirmed();
  await service.round();
  expect(readersOf("operator-new")).toEqual(["nadia@uni.example"]);
});

test("holds team emails overnight", async () => {
  await invite("Nadia", true);
  service.setClock("2026-11-22T16:00:00Z");
  await service.submitConfirmed();
  await service.round();
  await service.roundAt("2026-11-23T01:59:00Z");
  expect(readersOf("operator-new")).toEqual([]);
  await service.roundAt("2026-11-23T02:00:00Z");
  expect(readersOf("operator-new")).toEqual(["nadia@uni.example"]);
});

test("holds a team email overnight if the mail server was down in the evening", async () => {
  await invite("Nadia", true);
  await service.roundAt("2026-11-22T14:58:00Z");
  await service.submitConfirmed();
  service.answer = ({ to }) =>
    to === "nadia@uni.example"
      ? { ...failed("mail server down (ECONNREFUSED)"), isChannelWide: true }
      : { kind: "delivered" };
  await service.round();
  service.answer = () => ({ kind: "delivered" });
  await service.roundAt("2026-11-22T17:00:00Z");
  expect(readersOf("operator-new")).toEqual([]);
  expect(await service.health.status()).toMatchObject({ problems: [] });
  await service.roundAt("2026-11-23T02:00:00Z");
  expect(readersOf("operator-new")).toEqual(["nadia@uni.example"]);
});

test("warns in the digest if no operator is present on a due date", async () => {
  await service.submitConfirmed();
  for (const name of ["Nadia", "Rahim", "Tuli"]) {
    await service.startAbsence(name, "2026-12-04", "2026-12-10");
  }
  await service.round({ days: 1 });
  expect(service.newest("operator-digest").letter.text).toMatch(/Everyone is away on .*6 December/);
});

test("links team emails to the operator pages without exposing an address or a token", () => {
  for (const message of sampleMessages()) {
    // The recipient of an invitation can't open the operator pages yet.
    if ("token" in message || message.kind === "operator-invitation") continue;
    const mail = testMailWriter(message, undefined, { hasPages: true });
    const path = "reference" in message ? `/requests/${message.reference}` : "";
    expect(mail.text).toContain(`https://rides.example/operator${path}\n`);
    expect(mail.text).not.toMatch(/@uni\.example|link=/);
    expect(testMailWriter(message).text).not.toContain("/operator");
  }
});
