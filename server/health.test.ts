import { join } from "node:path";
import { expect, test } from "vitest";
import {
  deleteUnknownJob,
  recordLastCall,
  recordUnknownJob,
} from "./account-system/deletion-jobs.ts";
import { runCommand as runLedger } from "./cli/ledger.ts";
import { runCommand as runRequests } from "./cli/requests.ts";
import { failed } from "./deletion-requests/service.fixture.ts";
import { testMailWords } from "./deletion-requests/test-campus.fixture.ts";
import { service, serviceForEachTest } from "./deletion-requests/test-service.fixture.ts";
import { createHealth, type HealthSign } from "./health.ts";
import { dateAt } from "./platform/calendar/business-days.ts";

serviceForEachTest();

function health(options: Partial<Parameters<typeof createHealth>[0]> = {}) {
  const { isErasingHeld } = service.rounds;
  return createHealth({ ...service, isErasingHeld, hasAccountSystem: false, ...options });
}

const readSign = async (kind: HealthSign["kind"], { hasAccountSystem = false } = {}) =>
  (await health({ hasAccountSystem }).signs()).find((sign) => sign.kind === kind);
const needs = async (kind: HealthSign["kind"]) => (await readSign(kind))?.needs;
const backUp = (...folders: string[]) =>
  runRequests(["backup", join(service.folder, ...folders), "--as", "Nadia"], service);
const carryOut = (...folders: string[]) =>
  runLedger(["export", join(service.folder, ...folders), "--as", "Nadia"], service);

test('reports "ok" without problems while emails are being sent', async () => {
  await service.submitMailed();
  expect(await health().status()).toEqual({ status: "ok", problems: [] });
  await service.refuse(await service.submitConfirmed());
  await service.round();
  expect(await readSign("mail")).toMatchObject({ says: [["allLeft"]] });
  expect(await readSign("restore")).toBeUndefined();
  expect(await readSign("clock")).toBeUndefined();
});

test("reports deletions of unknown requests until an operator has checked them", async () => {
  const publicId = "del_AAAAAAAAAAAAAAAAAAAA";
  const unknown = { publicId, said: "started", at: service.clock() };
  await service.database.write((transaction) => recordUnknownJob(transaction, unknown));
  expect(await health().status()).toEqual({
    status: "degraded",
    problems: [expect.stringContaining("requests that are not in this database")],
  });
  await service.database.write((transaction) => deleteUnknownJob(transaction, { publicId }));
  expect((await health().status()).status).toBe("ok");
});

test('lists due dates first and reports "now" once a due date is missed', async () => {
  await service.submitConfirmed();
  service.setClock("2026-12-06T17:59:00Z");
  expect((await health().signs())[0]).toMatchObject({ kind: "late", needs: "nothing" });
  service.pass({ minutes: 2 });
  expect((await health().signs())[0]).toEqual({
    kind: "late",
    standing: { open: 1, late: 1, first: Temporal.PlainDate.from("2026-12-06") },
    needs: "now",
  });
});

test('reports "now" for an email that stays unsent for an hour and "soon" for a rejected email', async () => {
  service.answer = () => failed("login refused (535)");
  await service.submitMailed();
  expect((await health().status()).status).toBe("ok");
  service.pass({ minutes: 61 });
  expect(await health().status()).toEqual({
    status: "degraded",
    problems: ["Email has been unsent for more than an hour, or can't be rendered."],
  });
  expect(await needs("mail")).toBe("now");
  service.answer = () => failed("recipient refused (550)", { permanent: true });
  await service.round({ hours: 3 });
  expect(await readSign("mail")).toMatchObject({
    says: [["troubled", { count: 2 }]],
    needs: "soon",
  });
});

test('reports "now" and alerts the operators if an email can\'t be rendered', async () => {
  const { reference } = await service.submit();
  service.answer = (letter) => {
    if (letter.to === "anika@uni.example") throw new Error("no words");
    return { kind: "delivered" };
  };
  await service.round();
  expect((await health().status()).problems).toEqual([
    "Email has been unsent for more than an hour, or can't be rendered.",
  ]);
  expect(service.newest("operator-trouble").letter.text).toContain(
    `${reference}, ${testMailWords.mailKinds.confirm}, our program failed to create this message`,
  );
  service.answer = () => ({ kind: "delivered" });
  await service.desk.retry("Nadia");
  await service.round();
  expect((await health().status()).status).toBe("ok");
});

test('reports "degraded" if unconfirmed requests reach half their limit or a check fails', async () => {
  for (const name of ["a", "b"]) await service.submit({ email: `${name}@uni.example` });
  await service.round();
  expect((await health({ maxUnconfirmed: 5 }).status()).status).toBe("ok");
  expect(await health({ maxUnconfirmed: 4 }).status()).toEqual({
    status: "degraded",
    problems: ["Unconfirmed requests have reached half of their limit."],
  });
  const { problems } = await health({ dataDir: join(service.folder, "none") }).status();
  expect(problems).toEqual([expect.stringContaining("ENOENT")]);
});

test('reports "degraded" while erasure is on hold because the clock is in doubt', async () => {
  expect((await health({ isErasingHeld: () => true }).status()).problems).toEqual([
    "Nothing is erased, because the clock is in doubt.",
  ]);
});

test("tolerates a missing backup on a new site for two weeks", async () => {
  expect([await needs("backup"), await needs("export")]).toEqual(["soon", "soon"]);
  service.pass({ days: 15 });
  await backUp("no", "such", "folder");
  await carryOut("no", "such", "folder");
  expect([await needs("backup"), await needs("export")]).toEqual(["now", "now"]);
  expect(await health().status()).toEqual({
    status: "degraded",
    problems: [
      expect.stringContaining("No backup was made for three days"),
      expect.stringContaining("No export of the ledger was made for three days"),
    ],
  });
  await backUp("a.sqlite");
  expect(await readSign("backup")).toMatchObject({
    says: [
      ["made", { at: service.clock() }],
      ["oldest", { date: dateAt(service.calendar, service.clock()) }],
    ],
    needs: "nothing",
  });
  await carryOut("b.sealed");
  expect(await needs("export")).toBe("nothing");
  service.pass({ hours: 37 });
  expect(await needs("backup")).toBe("soon");
  service.pass({ hours: 36 });
  expect(await needs("backup")).toBe("now");
});

test("reports the last answer from a connected account system", async () => {
  expect(await readSign("accountSystem", { hasAccountSystem: true })).toMatchObject({
    says: [["silent"]],
  });
  await service.database.write((transaction) =>
    recordLastCall(transaction, { answeredAt: service.clock() }),
  );
  expect(await readSign("accountSystem", { hasAccountSystem: true })).toMatchObject({
    says: [["answered", { at: service.clock() }]],
    needs: "nothing",
  });
  expect(await readSign("accountSystem")).toMatchObject({ says: [["notConnected"]] });
});

test("asks for a new calendar before the current one ends, and for new keys after eleven months", async () => {
  for (const [at, expected] of [
    ["2026-11-21T04:00:00Z", "nothing"],
    ["2027-10-25T04:00:00Z", "soon"],
    ["2027-12-22T04:00:00Z", "now"],
  ] as const) {
    service.setClock(at);
    expect([await needs("keys"), await needs("calendar")]).toEqual([expected, expected]);
  }
});
