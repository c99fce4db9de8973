import { expect, test } from "vitest";
import { service, serviceForEachTest } from "../test-service.fixture.ts";
import { addEvent, listTeamActs, recordAct } from "./audit-log.ts";

serviceForEachTest();

/** Reads all pages of this size by following each page's `next`. */
async function readAllPages(limit: number): Promise<string[]> {
  const found: string[] = [];
  for (let before: string | null = null; ; ) {
    const page = await listTeamActs(service.database.read, limit, before);
    for (const act of page.acts) {
      found.push(
        `${act.name} ${act.type} ${act.kind === "journal" ? act.about.text : act.reference}`,
      );
    }
    if (!page.next) return found;
    before = page.next;
  }
}

test("merges acts on requests with the team's other acts, newest first", async () => {
  const { desk } = service;
  const reference = await service.submitConfirmed();
  await desk.act(reference, { type: "take" }, "Nadia");
  service.pass({ minutes: 1 });
  await desk.enter("Rahim", "backup", "");
  service.pass({ minutes: 1 });
  await desk.act(reference, { type: "note", note: "She called." }, "Tuli");
  service.pass({ minutes: 1 });
  await desk.enter("Nadia", "sign-in", "Phone");
  const found = await readAllPages(50);
  expect(found.slice(0, 4)).toEqual([
    "Nadia sign-in Phone",
    `Tuli note ${reference}`,
    "Rahim backup ",
    `Nadia take ${reference}`,
  ]);
  expect(found.join()).not.toMatch(/confirm|receive/);
});

test("pages through acts without gaps or repeats, even if they have the same time", async () => {
  const { database, clock } = service;
  const reference = await service.submitConfirmed();
  const request = await service.desk.find(reference);
  if (!request) throw new Error("request not found");
  for (let index = 0; index < 9; index++) {
    await database.write(async (transaction) => {
      const at = clock();
      await recordAct(transaction, { at, name: "Nadia", act: "sign-in", about: `${index}` });
      const by = { actor: "operator", name: `Rahim ${index}` } as const;
      await addEvent(transaction, request, { ...by, type: "resend", at });
    });
  }
  const whole = await readAllPages(100);
  expect(new Set(whole).size).toBe(whole.length);
  expect(whole.length).toBeGreaterThanOrEqual(18);
  for (const limit of [1, 2, 3, 7])
    expect((await readAllPages(limit)).toSorted()).toEqual(whole.toSorted());
});

test.each(["", "x", "2026-12-06", "2026-12-06~1", "'~1~2", "~1~2"])(
  "starts with the newest act if the position is invalid: %j",
  async (place) => {
    await service.desk.enter("Rahim", "backup", "");
    const { acts } = await listTeamActs(service.database.read, 1, place);
    expect(acts).toMatchObject([{ name: "Rahim", type: "backup" }]);
  },
);
