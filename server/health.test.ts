import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { enterCall } from "./account-system/deletion-jobs.ts";
import { dateAt } from "./calendar/business-days.ts";
import { runCommand as runLedger } from "./command-line/ledger.ts";
import { runCommand as runRequests } from "./command-line/requests.ts";
import { prepareLedger } from "./deletion-requests/ledger/chain.ts";
import { failed, testMailWords } from "./deletion-requests/office.fixture.ts";
import { office, openOfficeForEachTest } from "./deletion-requests/office-of-each-test.fixture.ts";
import { createHealth, type Sign } from "./health.ts";

openOfficeForEachTest();
beforeEach(() => prepareLedger(office.database, office.keys, office.clock()));

function health(options: Partial<Parameters<typeof createHealth>[0]> = {}) {
  const { isErasingHeld } = office.rounds;
  return createHealth({ ...office, isErasingHeld, hasAccountSystem: false, ...options });
}

const look = async (kind: Sign["kind"], hasAccountSystem = false) =>
  (await health({ hasAccountSystem }).signs()).find((sign) => sign.kind === kind);
const needs = async (kind: Sign["kind"]) => (await look(kind))?.needs;
const backUp = (...folders: string[]) =>
  runRequests(["backup", join(office.folder, ...folders), "--as", "Nadia"], office);
const carryOut = (...folders: string[]) =>
  runLedger(["export", join(office.folder, ...folders), "--as", "Nadia"], office);

test("all is well when mail leaves, and what is not so is not said", async () => {
  await office.submitMailed();
  expect(await health().status()).toEqual({ status: "ok", problems: [] });
  expect(await look("restore")).toBeUndefined();
  expect(await look("clock")).toBeUndefined();
});

test("the first sign is what is late: a promised day that has passed needs somebody before any copy does", async () => {
  await office.submitConfirmed();
  office.setClock("2026-12-06T17:59:00Z");
  expect((await health().signs())[0]).toMatchObject({ kind: "late", needs: "nothing" });
  office.pass({ minutes: 2 });
  expect((await health().signs())[0]).toEqual({
    kind: "late",
    standing: { open: 1, late: 1, first: Temporal.PlainDate.from("2026-12-06") },
    needs: "now",
  });
});

test("mail that could not leave for an hour is trouble, one that was refused for good is soon", async () => {
  office.answer = () => failed("login refused (535)");
  await office.submitMailed();
  expect((await health().status()).status).toBe("ok");
  office.pass({ minutes: 61 });
  expect(await health().status()).toEqual({
    status: "degraded",
    problems: ["Mail has been waiting for more than an hour."],
  });
  expect(await needs("mail")).toBe("now");
  office.answer = () => failed("recipient refused (550)", true);
  await office.round({ hours: 3 });
  expect(await look("mail")).toMatchObject({
    says: [["troubled", { count: 2 }]],
    needs: "soon",
  });
});

test("mail that cannot be written is trouble at once, and the operators are told", async () => {
  const { reference } = await office.submit();
  office.answer = (letter) => {
    if (letter.to === "anika@uni.example") throw new Error("no words");
    return { kind: "delivered" };
  };
  await office.round();
  expect((await health().status()).problems).toEqual(["There is mail that cannot be written."]);
  expect(office.newest("operator-trouble").letter.text).toContain(
    `${reference}, ${testMailWords.mailKinds.confirm}, could not be written`,
  );
  office.answer = () => ({ kind: "delivered" });
  await office.desk.retry("Nadia");
  await office.round();
  expect((await health().status()).status).toBe("ok");
});

test("a store of unconfirmed requests that is half full is trouble, told with the number", async () => {
  for (const name of ["a", "b"]) await office.submit({ email: `${name}@uni.example` });
  await office.round();
  expect((await health({ maxUnconfirmed: 5 }).status()).status).toBe("ok");
  expect(await health({ maxUnconfirmed: 4 }).status()).toEqual({
    status: "degraded",
    problems: ["Of the room for 4 unconfirmed requests half or more is taken: 2."],
  });
});

test("a clock in doubt is trouble: nothing is erased until somebody has looked at it", async () => {
  expect((await health({ isErasingHeld: () => true }).status()).problems).toEqual([
    "Nothing is erased, because the clock is in doubt.",
  ]);
});

test("a copy that was never made is no alarm on a new site; later one that is missing is", async () => {
  expect([await needs("backup"), await needs("export")]).toEqual(["soon", "soon"]);
  office.pass({ days: 15 });
  await backUp("no", "such", "folder");
  await carryOut("no", "such", "folder");
  expect([await needs("backup"), await needs("export")]).toEqual(["now", "now"]);
  await backUp("a.sqlite");
  expect(await look("backup")).toMatchObject({
    says: [
      ["made", { at: office.clock() }],
      ["oldest", { date: dateAt(office.calendar, office.clock()) }],
    ],
    needs: "nothing",
  });
  await carryOut("b.sealed");
  expect(await needs("export")).toBe("nothing");
  office.pass({ hours: 37 });
  expect(await needs("backup")).toBe("soon");
  office.pass({ hours: 36 });
  expect(await needs("backup")).toBe("now");
});

test("the account system's last answer is told where one is connected", async () => {
  expect(await look("accountSystem", true)).toMatchObject({ says: [["silent"]] });
  await office.database.write((transaction) => enterCall(transaction, "call-1", office.clock()));
  expect(await look("accountSystem", true)).toMatchObject({
    says: [["answered", { at: office.clock() }]],
    needs: "nothing",
  });
  expect(await look("accountSystem")).toMatchObject({ says: [["notConnected"]] });
});

test("keys are to be replaced after a year, and the calendar before it ends", async () => {
  for (const [at, expected] of [
    ["2026-11-21T04:00:00Z", "nothing"],
    ["2027-10-25T04:00:00Z", "soon"],
    ["2027-12-22T04:00:00Z", "now"],
  ] as const) {
    office.setClock(at);
    expect([await needs("keys"), await needs("calendar")]).toEqual([expected, expected]);
  }
});
