import { expect, test } from "vitest";
import { addMessage, doubtUnsentMessages } from "../../outbox/outbox.ts";
import { unanswered } from "../../terms.ts";
import { failed } from "../service.fixture.ts";
import { service, serviceForEachTest } from "../test-service.fixture.ts";

serviceForEachTest();

const why = "We looked in the wrong place.";
const takeBack = (reference: string, explanation = "") =>
  service.desk.act(reference, { type: "undo", explanation }, "Nadia");

/** What its person has read of the end of a request, and of its being none. */
const read = () =>
  service.sent
    .filter(({ to, kind }) => to === "anika@uni.example" && !kind.startsWith("confirm"))
    .map(({ kind }) => kind);

test.each([
  ["is put off", failed("recipient put off (450)"), ["reopened"]],
  ["arrives", { kind: "delivered" } as const, ["refused", "reopened"]],
])(
  "who reads that a refusal was none is not refused afterwards, where its mail was leaving and %s",
  async (_, answer, expected) => {
    const reference = await service.submitConfirmed();
    await service.round();
    await service.refuse(reference);
    let undone = "";
    service.answer = async () => {
      service.answer = () => ({ kind: "delivered" });
      undone = (await takeBack(reference, why)).kind;
      return answer;
    };
    await service.round({ minutes: 11 });
    for (const minutes of [1, 10]) await service.round({ minutes });
    expect([undone, ...read()]).toEqual(["done", ...expected]);
    const told = service.kysely.selectFrom("requests").select("told_at");
    expect(await told.execute()).toEqual([{ told_at: null }]);
  },
);

async function refusal(): Promise<string> {
  const reference = await service.submitConfirmed();
  await service.refuse(reference);
  return reference;
}

test("who was told of nothing is told nothing, and the operator need not say why", async () => {
  const reference = await refusal();
  await service.round({ minutes: 9 });
  expect(await takeBack(reference)).toMatchObject({ kind: "done" });
  await service.round({ minutes: 11 });
  expect(read()).toEqual([]);
});

test.each<[what: string, end: () => Promise<string>, meanwhile: () => Promise<unknown>]>([
  ["a receipt that could not leave yet", () => service.submitCompleted(), async () => {}],
  [
    "a refusal that may have arrived",
    refusal,
    async () => {
      service.answer = () => failed(unanswered, true);
      await service.round({ minutes: 11 });
      service.answer = () => ({ kind: "delivered" });
    },
  ],
  [
    "a refusal that may have left before a copy was put back",
    refusal,
    () => service.database.write(doubtUnsentMessages),
  ],
  [
    "a refusal that arrived, while the account system is to be asked something",
    refusal,
    async () => {
      await service.round({ minutes: 11 });
      const message = { kind: "account.deletion.recheck" };
      const entry = { recipient: "account-system", message, requestId: 1 };
      await service.database.write((transaction) =>
        addMessage(transaction, service.keys, service.clock(), entry),
      );
    },
  ],
])("%s is taken back with a reason only, and its person reads it", async (_, end, meanwhile) => {
  const reference = await end();
  await meanwhile();
  expect(await takeBack(reference)).toMatchObject({ kind: "unexplained" });
  expect(await takeBack(reference, why)).toMatchObject({ kind: "done" });
  await service.round({ minutes: 11 });
  expect(service.newest("reopened").message).toMatchObject({ explanation: why });
  const ledger = service.kysely.selectFrom("ledger_entries").select("what").orderBy("sequence");
  expect((await ledger.execute()).at(-1)).toEqual({ what: "reopened" });
});
