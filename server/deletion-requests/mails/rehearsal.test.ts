import { expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { bySystem, openTestService, type TestService } from "../service.fixture.ts";
import { sampleCompletion } from "./receipt-mail.ts";

/**
 * A transaction may run again after a conflict, so it must have no effects outside the database.
 */

/**
 * Rolls back each transaction once and runs it again, as after a serialization failure in
 * PostgreSQL.
 */
function rehearse(database: Database): void {
  const { write } = database;
  database.write = async (work) => {
    const undone = new Error("rehearsed");
    const first = write(async (transaction) => {
      await work(transaction);
      throw undone;
    });
    await first.catch((error: unknown) => {
      if (error !== undone) throw error;
    });
    return write(work);
  };
}

async function live(service: TestService) {
  const result = await service.submit({ email: "spam@uni.example" });
  for (const feedback of ["one", "two", "three", "four"]) await service.submit({ feedback });
  await service.round();
  const taken = await service.submitConfirmed({ email: "taken@uni.example" });
  const refused = await service.submitConfirmed({ email: "refused@uni.example" });
  const back = await service.submitConfirmed({ email: "back@uni.example" });
  await service.take(taken);
  await service.desk.act(back, { type: "take" }, "Tuli");
  const handedBack = await service.handBackAll("Tuli", "Nadia");
  await bySystem(service, taken, { type: "complete", completion: sampleCompletion });
  await service.refuse(refused);
  await service.desk.act(result.reference, { type: "remove" }, "Rahim");
  await service.round({ minutes: 20 });
  await service.roundAt("2026-11-23T03:00:00Z");
  await service.round({ days: 40 });
  const count = async (table: "requests" | "submissions" | "ledger_entries") =>
    (await service.kysely.selectFrom(table).selectAll().execute()).length;
  return {
    handedBack: handedBack.length,
    tallies: await service.kysely
      .selectFrom("tallies")
      .selectAll()
      .orderBy("month")
      .orderBy("name")
      .execute(),
    rows: [await count("requests"), await count("submissions"), await count("ledger_entries")],
    sent: service.sent.map(({ to, kind }) => `${to} ${kind}`).sort(),
  };
}

test("applies a transaction's effects once if the transaction is rolled back and retried", async () => {
  const lives = [];
  for (const isRehearsed of [false, true]) {
    const service = await openTestService();
    if (isRehearsed) rehearse(service.database);
    lives.push(await live(service));
    await service.close();
  }
  expect(lives[0]?.sent.length).toBeGreaterThan(5);
  expect(lives[1]).toEqual(lives[0]);
}, 300_000);
