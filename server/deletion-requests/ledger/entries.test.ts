import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { createTestKeys } from "../../platform/crypto/keys.fixture.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";
import { findEntry, findProof, readEntries } from "./entries.ts";
import { readLine, sealAddress } from "./entry.ts";
import { checkLedger } from "./verification.ts";

serviceForEachTest();

const check = (keys = service.keys) => checkLedger(service.database, keys);
const findings = async () =>
  (await check()).findings.map(({ where, problem }) => `${where} ${problem}`);

async function completeSome(count: number): Promise<void> {
  for (let number = 1; number <= count; number++) {
    await service.submitCompleted({ email: `student${number}@uni.example` });
    service.pass({ hours: 1 });
  }
  await service.round();
}

test("writes one entry without personal data for each ended request", async () => {
  const completed = await service.submitCompleted({ email: "anika@uni.example" });
  service.pass({ days: 1 });
  await service.submitConfirmed({ email: "kabir@uni.example" });
  await service.requests.cancel(await service.openMail("confirmed"));
  const entries = await Array.fromAsync(readEntries(service.database.read));
  expect(entries.map(({ what }) => what)).toEqual(["completed", "cancelled"]);
  const texts = entries.map(({ text }) => text);
  expect(readLine(texts[0] ?? "", "Reference")).toBe(completed);
  expect(texts.join()).not.toMatch(/anika|kabir|@|Previous/);
  expect(await check()).toMatchObject({ entries: 2, findings: [], unknownKeys: 0 });
});

test("identifies a receipt's owner only if both the email address and the receipt number are known", async () => {
  const reference = await service.submitCompleted({ email: "Anika@uni.example" });
  const request = await service.desk.find(reference);
  const entry = await findEntry(service.database.read, { requestId: request?.id ?? 0 });
  const number = service.keys.hash("receipt", reference).hash;
  expect(readLine(entry?.text ?? "", "Address")).toBe(sealAddress(number, "anika@uni.example"));
  expect(entry?.text).not.toContain(sealAddress("", "anika@uni.example"));
});

test("returns no proof for a reopened request", async () => {
  const reference = await service.submitConfirmed();
  await service.refuse(reference);
  const id = (await service.desk.find(reference))?.id ?? 0;
  const proof = () => findProof(service.database.read, service.keys, id);
  expect(await proof()).toMatchObject({ keyVersion: 1 });
  await service.desk.act(reference, { type: "undo", explanation: "" }, "Nadia");
  expect(await proof()).toBeUndefined();
});

test("accepts an entry written by version 1.12", async () => {
  const reference = await service.submitCompleted();
  const id = (await service.desk.find(reference))?.id ?? 0;
  const [entry] = await Array.fromAsync(readEntries(service.database.read));
  const text = (entry?.text ?? "").replace(
    /^Deletion receipt\nSigned: /,
    `Deletion ledger, entry 1\nPrevious: ${"0".repeat(64)}\nEntered: `,
  );
  const { signature } = service.keys.sign(text);
  await sql`update ledger_entries set text = ${text}, signature = ${signature}`.execute(
    service.kysely,
  );
  expect(await check()).toMatchObject({ entries: 1, findings: [] });
  const number = service.keys.hash("receipt", reference).hash;
  const proof = await findProof(service.database.read, service.keys, id);
  expect(proof).toMatchObject({ text, signature, number });
});

describe("ledger check", () => {
  beforeEach(() => completeSome(5));

  test.each<[change: string, statements: string, found: RegExp[]]>([
    [
      "a changed text",
      "update ledger_entries set text = replace(text, '2026-12', '2027-12') where sequence = 3",
      [/^entry 3 was changed$/],
    ],
    [
      "a changed outcome",
      "update ledger_entries set what = 'refused' where sequence = 2",
      [/^entry 2 was changed$/, /^request .* differs from its entry$/],
    ],
    [
      "a missing entry",
      "delete from ledger_entries where sequence = 5",
      [/^request .* is closed, and its entry is missing$/],
    ],
    [
      "a changed request",
      "update requests set ended_at = '2026-11-25T00:00:00.000Z' where id = 2",
      [/^request .* differs from its entry$/],
    ],
  ])("reports %s in the ledger check", async (_, statement, found) => {
    await sql.raw(statement).execute(service.kysely);
    expect(await findings()).toEqual(found.map((pattern) => expect.stringMatching(pattern)));
  });

  test("accepts signatures of a removed key if the key was published", async () => {
    const later = createTestKeys(2);
    expect(await check(later)).toMatchObject({ findings: [], unknownKeys: 0 });
    await sql`delete from signing_keys`.execute(service.kysely);
    expect(await check(later)).toMatchObject({ findings: [], unknownKeys: 5 });
  });
});

test("deletes ledger entries after 24 months", async () => {
  await completeSome(3);
  service.pass({ days: 400 });
  await completeSome(2);
  await service.round({ days: 340 });
  expect(await check()).toMatchObject({ entries: 2, findings: [] });
  await service.round({ days: 800 });
  expect(await check()).toMatchObject({ entries: 0, findings: [] });
});
