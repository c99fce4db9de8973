import { expect, test } from "vitest";
import { createOperatorCommands } from "../../deletion-requests/commands/operator-commands.ts";
import { bySystem } from "../../deletion-requests/service.fixture.ts";
import { service, serviceForEachTest } from "../../deletion-requests/test-service.fixture.ts";
import type { AccountAnswer } from "../contract/answers.ts";
import { findJobOf } from "../deletion-jobs.ts";
import { accountChannel } from "../outbound/events.ts";
import { createEventQueue } from "../outbound/queue-events.ts";
import { createReconciliation } from "../reconciliation.ts";
import { takeAnswer } from "./take-answer.ts";

// Effects of the account system's answers to events of the nightly reconciliation.

serviceForEachTest();

const night = () => createReconciliation({ ...service, mode: "live" })();

/** Lists the references of the account system's events in the outbox, sent or not, in any order. */
async function waiting(): Promise<string[]> {
  const owed = service.kysely.selectFrom("outbox").where("recipient", "=", accountChannel);
  return (await owed.select("reference").execute()).map(({ reference }) => String(reference));
}

/** Creates a confirmed request and hands it over. `say` answers for the account system. */
async function openRequest() {
  const reference = await service.submitConfirmed();
  await night();
  const { id: requestId = 0 } = (await service.desk.find(reference)) ?? {};
  const job = await findJobOf(service.database.read, { requestId });
  const services = { ...service, ...createEventQueue("live", service.keys) };
  const say = (type: "started" | "not-found", callId: string) =>
    takeAnswer(services, callId, {
      type: `account.deletion.${type}`,
      data: { id: job?.publicId ?? "" },
    } as AccountAnswer);
  return { reference, say, desk: createOperatorCommands(services) };
}

test("hands over more requests in one night than fit in one batch", async () => {
  await service.submitMany(51, (number) => ({ email: `s${number}@uni.example` }));
  for (const { reference } of await service.queue()) {
    const act = { type: "confirm", reference, reason: "other" } as const;
    await bySystem(service, reference, act, { actor: "person" });
  }
  await night();
  expect(new Set(await waiting()).size).toBe(51);
});

test("leaves a reopened request to the team until the next night", async () => {
  const { reference, say, desk } = await openRequest();
  await say("not-found", "msg_1");
  const act = { type: "undo", explanation: "She has one." } as const;
  expect(await desk.act(reference, act, "Nadia")).toMatchObject({ kind: "done" });
  expect(await say("started", "msg_2")).toMatchObject({
    problem: { more: { because: "already-ended" } },
  });
  expect(await waiting()).toEqual([]);
  service.pass({ hours: 24 });
  await night();
  expect(await waiting()).toEqual([reference]);
});

test("applies a repeated call only once, even if it is concurrent or weeks later", async () => {
  const { say } = await openRequest();
  const calls = await Promise.all(Array.from({ length: 8 }, () => say("started", "msg_1")));
  expect(calls.filter(({ ok }) => ok)).toHaveLength(1);
  service.pass({ days: 29 });
  await night();
  expect(await say("started", "msg_1")).toMatchObject({ problem: { code: "repeated" } });
});

test("refuses another answer under the id of an accepted call", async () => {
  const { say } = await openRequest();
  expect(await say("started", "msg_1")).toMatchObject({ ok: true });
  expect(await say("not-found", "msg_1")).toMatchObject({ problem: { code: "reused" } });
  expect(await say("started", "msg_1")).toMatchObject({ problem: { code: "repeated" } });
});
