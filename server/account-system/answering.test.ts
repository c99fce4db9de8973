import { expect, test } from "vitest";
import { bySystem } from "../deletion-requests/service.fixture.ts";
import { service, serviceForEachTest } from "../deletion-requests/test-service.fixture.ts";
import { createDesk } from "../deletion-requests/working/desk.ts";
import { takeAnswer } from "./answering.ts";
import type { Answer } from "./answers.ts";
import { createAsking } from "./asking.ts";
import { findJobOf } from "./deletion-jobs.ts";
import { accountChannel } from "./events.ts";
import { createReconciliation } from "./reconciliation.ts";

// What the account system is asked for in a night, and what becomes of its answers.

serviceForEachTest();

const night = () => createReconciliation({ ...service, mode: "live" })();

/** Of which requests the account system is told something that it has not answered, in any order. */
async function waiting(): Promise<string[]> {
  const owed = service.kysely.selectFrom("outbox").where("recipient", "=", accountChannel);
  return (await owed.select("reference").execute()).map(({ reference }) => String(reference));
}

/** A confirmed request that the account system was asked for, and what it says of it. */
async function asked() {
  const reference = await service.submitConfirmed();
  await night();
  const { id: requestId = 0 } = (await service.desk.find(reference)) ?? {};
  const job = await findJobOf(service.database.read, { requestId });
  const services = { ...service, ...createAsking("live", service.keys) };
  const say = (type: "started" | "not-found", callId: string) =>
    takeAnswer(services, callId, {
      type: `account.deletion.${type}`,
      data: { id: job?.publicId ?? "" },
    } as Answer);
  return { reference, say, desk: createDesk(services) };
}

test("more requests than one page holds are all asked for in one night", async () => {
  await service.submitMany(51, (number) => ({ email: `s${number}@uni.example` }));
  for (const { reference } of await service.queue()) {
    const act = { type: "confirm", reference, reason: "other" } as const;
    await bySystem(service, reference, act, { actor: "person" });
  }
  await night();
  expect(new Set(await waiting()).size).toBe(51);
});

test("what it does not find and an operator takes back is the team's until the night, and then asked for again", async () => {
  const { reference, say, desk } = await asked();
  await say("not-found", "msg_1");
  const act = { type: "undo", explanation: "She has one." } as const;
  expect(await desk.act(reference, act, "Nadia")).toMatchObject({ kind: "done" });
  expect(await say("started", "msg_2")).toMatchObject({ more: { because: "already-ended" } });
  expect(await waiting()).toEqual([]);
  service.pass({ hours: 24 });
  await night();
  expect(await waiting()).toEqual([reference]);
});

test("a call that comes again is known as the same one, at the same moment and weeks later", async () => {
  const { say } = await asked();
  const calls = await Promise.all(Array.from({ length: 8 }, () => say("started", "msg_1")));
  expect(calls.filter((call) => "state" in call)).toHaveLength(1);
  service.pass({ days: 29 });
  await night();
  expect(await say("started", "msg_1")).toMatchObject({ code: "repeated" });
});
