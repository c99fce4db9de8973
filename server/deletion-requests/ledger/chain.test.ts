import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { createTestKeys } from "../service.fixture.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";
import { findCheckpoint, findEntry, listHeads, prepareLedger, readEntries } from "./chain.ts";
import { hashEntry, readLine, sealAddress } from "./entry.ts";
import { checkChain } from "./verification.ts";

serviceForEachTest();
beforeEach(() => prepareLedger(service.database, service.keys, service.clock()));

const check = (keys = service.keys, hash?: string) =>
  checkChain(service.database, keys, service.clock(), hash);
const findings = async () =>
  (await check()).findings.map(({ where, problem }) => `${where} ${problem}`);

async function completeSome(count: number): Promise<void> {
  for (let one = 1; one <= count; one++) {
    await service.submitCompleted({ email: `student${one}@uni.example` });
    service.pass({ hours: 1 });
  }
  await service.round();
}

test("every end is entered in its order, continues the one before, and names nobody", async () => {
  const completed = await service.submitCompleted({ email: "anika@uni.example" });
  service.pass({ days: 1 });
  await service.submitConfirmed({ email: "kabir@uni.example" });
  await service.requests.cancel(await service.openMail("confirmed"));
  const [first, second, ...others] = await Array.fromAsync(readEntries(service.database.read));
  expect(others).toEqual([]);
  expect(first).toMatchObject({ sequence: 1, what: "completed" });
  expect(readLine(first?.text ?? "", "Reference")).toBe(completed);
  expect(readLine(first?.text ?? "", "Previous")).toBe("0".repeat(64));
  expect(second).toMatchObject({ sequence: 2, what: "cancelled" });
  expect(readLine(second?.text ?? "", "Previous")).toBe(hashEntry(first?.text ?? ""));
  expect(`${first?.text}${second?.text}`).not.toMatch(/anika|kabir|@/);
  expect(await check()).toMatchObject({ entries: 2, findings: [], unknownKeys: 0 });
});

test("only who knows the address and the receipt's number sees whom an entry means", async () => {
  const reference = await service.submitCompleted({ email: "Anika@uni.example" });
  const request = await service.desk.find(reference);
  const entry = await findEntry(service.database.read, { requestId: request?.id ?? 0 });
  const number = service.keys.hash("receipt", reference).hash;
  expect(readLine(entry?.text ?? "", "Address")).toBe(sealAddress(number, "anika@uni.example"));
  expect(entry?.text).not.toContain(sealAddress("", "anika@uni.example"));
});

describe("somebody who can write the database", () => {
  beforeEach(() => completeSome(5));

  const change = (statement: ReturnType<typeof sql>) => statement.execute(service.kysely);
  const missing = /^request .* has ended, and its entry is missing$/;

  test.each<[what: string, done: string, found: (string | RegExp)[]]>([
    [
      "changes the text of an entry",
      "update ledger_entries set text = replace(text, 'completed', 'cancelled') where sequence = 3",
      ["entry 3 was changed"],
    ],
    [
      "changes what stands beside the text",
      "update ledger_entries set what = 'refused' where sequence = 2",
      ["entry 2 was changed", /^request .* is not what entry 2 says$/],
    ],
    [
      "takes entries out of the middle and from the beginning",
      "delete from ledger_entries where sequence in (1, 3, 4)",
      ["entry 1 is missing", "entries 3 to 4 are missing", missing, missing, missing],
    ],
    [
      "takes the last entry away",
      "delete from ledger_entries where sequence = 5",
      ["entry 5 is missing, with which the ledger ended on 2026-11-22", missing],
    ],
    [
      "takes the last entries away with their requests, as if they had never been",
      `delete from ledger_entries where sequence > 2; delete from request_events where request_id > 2;
       delete from submissions where request_id > 2; delete from tokens where request_id > 2;
       delete from hand_overs where request_id > 2; delete from requests where id > 2`,
      ["entry 5 is missing, with which the ledger ended on 2026-11-22"],
    ],
    [
      "lets two entries change places",
      `update ledger_entries set sequence = 99 where sequence = 2;
       update ledger_entries set sequence = 2 where sequence = 4;
       update ledger_entries set sequence = 4 where sequence = 99`,
      [
        "entry 2 holds the text of entry 4",
        /^entry 3 does not continue entry 2 /,
        "entry 4 holds the text of entry 2",
        /^entry 5 does not continue entry 4 /,
      ],
    ],
    [
      "changes an ended request, or removes one",
      `update requests set ended_at = '2026-11-25T00:00:00.000Z' where id = 2;
       delete from requests where id = 4`,
      [
        "entry 4 tells of a request that is no longer stored",
        /^request .* is not what entry 2 says$/,
      ],
    ],
  ])("%s", async (_, done, found) => {
    for (const statement of done.split(";")) await change(sql.raw(statement));
    expect(await findings()).toEqual(
      found.map((one) => (typeof one === "string" ? one : expect.stringMatching(one))),
    );
  });

  test("changes an entry and makes its hash anew", async () => {
    const [, , third] = await Array.fromAsync(readEntries(service.database.read));
    const text = third?.text.replace(/Due: .*/, "Due: 2027-01-01") ?? "";
    await change(
      sql`update ledger_entries set text = ${text}, hash = ${hashEntry(text)} where sequence = 3`,
    );
    expect(await findings()).toEqual([
      "entry 3 its signature does not fit it",
      "entry 4 does not continue entry 3 as that stands here",
    ]);
  });

  test("who has the keys as well writes all of it anew, and it no longer fits a hash that has left", async () => {
    const entries = await Array.fromAsync(readEntries(service.database.read));
    const [, , third, , fifth] = entries;
    const isAsked = async (hash = "") => (await check(service.keys, hash)).asked;
    expect([await isAsked(third?.hash), await isAsked(fifth?.hash)]).toEqual([3, 5]);
    let previous = "0".repeat(64);
    for (const { sequence, text } of entries) {
      const anew = text
        .replace(/^Previous: .*/m, `Previous: ${previous}`)
        .replace(/^Due: .*/m, "Due: 2027-01-01");
      const { signature } = service.keys.sign(anew);
      previous = hashEntry(anew);
      await change(
        sql`update ledger_entries set text = ${anew}, hash = ${previous}, signature = ${signature} where sequence = ${sequence}`,
      );
    }
    await change(sql`update ledger_heads set hash = ${previous}`);
    expect(await findings()).toEqual([]);
    expect(await isAsked(third?.hash)).toBeUndefined();
    expect(await isAsked(fifth?.hash)).toBeUndefined();
  });

  test("has the published key say another's name", async () => {
    const [other] = createTestKeys().publicKeys();
    await change(sql`update signing_keys set public_key = ${other?.publicKey} where version = 1`);
    expect(await findings()).toEqual(["key 1 the published key is not the one that signs"]);
  });
});

test("the ledger forgets after 24 months, and what is left is still a whole chain", async () => {
  await completeSome(3);
  service.pass({ days: 400 });
  await completeSome(2);
  await service.round({ days: 340 });
  expect(await findCheckpoint(service.database.read)).toMatchObject({ sequence: 3 });
  expect(await check()).toMatchObject({
    entries: 2,
    forgottenUpTo: 3,
    head: { sequence: 5 },
    findings: [],
  });
  await service.round({ days: 800 });
  await completeSome(1);
  expect(await check()).toMatchObject({ entries: 1, forgottenUpTo: 5, findings: [] });

  await sql`update ledger_checkpoint set sequence = 4`.execute(service.kysely);
  expect(await findings()).toEqual(["the checkpoint was changed", "entry 5 is missing"]);
});

test("of each day that is over the last hash is told, of today none, and of what is forgotten none", async () => {
  const heads = async () =>
    (await listHeads(service.database.read, service.clock(), 9)).map(({ day, sequence }) => [
      day.toString(),
      sequence,
    ]);
  await completeSome(2);
  expect(await heads()).toEqual([]);
  service.pass({ days: 2 });
  await completeSome(1);
  service.pass({ days: 1 });
  expect(await heads()).toEqual([
    ["2026-11-24", 3],
    ["2026-11-22", 2],
  ]);
  await service.round({ days: 800 });
  expect(await heads()).toEqual([]);
});

test("a key that is gone is told as unknown while it was never published, and is known once it was", async () => {
  await completeSome(2);
  const later = createTestKeys(2);
  expect(await check(later)).toMatchObject({ findings: [], unknownKeys: 0 });
  await sql`delete from signing_keys`.execute(service.kysely);
  expect(await check(later)).toMatchObject({ findings: [], unknownKeys: 2 });
});
