import { expect, test } from "vitest";
import { bySystem, openOffice, type TestOffice } from "../office.fixture.ts";
import { sampleCompletion } from "./sample-messages.ts";

/** Work that met other work is undone and run again: whatever it does outside the database would happen twice. */

async function live(office: TestOffice) {
  const result = await office.submit({ email: "spam@uni.example" });
  for (const feedback of ["one", "two", "three", "four"]) await office.submit({ feedback });
  await office.round();
  const taken = await office.submitConfirmed({ email: "taken@uni.example" });
  const refused = await office.submitConfirmed({ email: "refused@uni.example" });
  const back = await office.submitConfirmed({ email: "back@uni.example" });
  await office.take(taken);
  await office.desk.act(back, { type: "take" }, "Tuli");
  const handedBack = await office.desk.handBackAll("Tuli", "Nadia");
  await bySystem(office, taken, { type: "complete", completion: sampleCompletion });
  await office.refuse(refused);
  await office.desk.act(result.reference, { type: "remove" }, "Rahim");
  await office.round({ minutes: 20 });
  await office.roundAt("2026-11-23T03:00:00Z");
  await office.round({ days: 40 });
  const count = async (table: "requests" | "submissions" | "ledger_entries") =>
    (await office.kysely.selectFrom(table).selectAll().execute()).length;
  return {
    handedBack: handedBack.length,
    tallies: await office.kysely
      .selectFrom("tallies")
      .selectAll()
      .orderBy("month")
      .orderBy("name")
      .execute(),
    rows: [await count("requests"), await count("submissions"), await count("ledger_entries")],
    sent: office.sent.map(({ to, kind }) => `${to} ${kind}`).sort(),
  };
}

test("work that is undone and run again leaves what work leaves that is run once", async () => {
  const lives = [];
  for (const rehearse of [false, true]) {
    const office = await openOffice(undefined, { rehearse });
    lives.push(await live(office));
    await office.close();
  }
  expect(lives[0]?.sent.length).toBeGreaterThan(5);
  expect(lives[1]).toEqual(lives[0]);
}, 300_000);
