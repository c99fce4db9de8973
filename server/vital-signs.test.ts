import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { enterCall } from "./account-system/hand-overs.ts";
import { dateAt } from "./calendar/business-days.ts";
import { runCommand as runLedger } from "./command-line/ledger.ts";
import { runCommand as runRequests } from "./command-line/requests.ts";
import { prepareLedger } from "./deletion-requests/ledger/chain.ts";
import { openOffice, type TestOffice } from "./deletion-requests/office.fixture.ts";
import { createVitalSigns, type VitalSign } from "./vital-signs.ts";

let office: TestOffice;
beforeEach(async () => {
  office = await openOffice();
  await prepareLedger(office.database, office.keys, office.clock());
});
afterEach(() => office.close());

async function look(hasAccountSystem = false): Promise<Map<VitalSign["kind"], VitalSign>> {
  const { folder, rounds } = office;
  const signs = createVitalSigns({
    ...office,
    dataDir: folder,
    isErasingHeld: rounds.isErasingHeld,
    hasAccountSystem,
  });
  return new Map((await signs()).map((sign) => [sign.kind, sign]));
}

const needs = async (kind: VitalSign["kind"], hasAccountSystem?: boolean) =>
  (await look(hasAccountSystem)).get(kind)?.needs;

test("a copy that was never made needs somebody, and each kind says when it was made last", async () => {
  // A new site has a list of what to set up, and no alarm yet.
  expect([await needs("backup"), await needs("export")]).toEqual(["soon", "soon"]);
  office.pass({ days: 15 });
  expect([await needs("backup"), await needs("export")]).toEqual(["now", "now"]);
  const copy = (name: string) => join(office.folder, name);
  await runRequests(["backup", copy("a.sqlite"), "--as", "Nadia"], office);
  expect((await look()).get("backup")).toEqual({
    kind: "backup",
    madeAt: office.clock(),
    oldest: dateAt(office.calendar, office.clock()),
    needs: "nothing",
  });
  expect(await needs("export")).toBe("now");
  await runLedger(["export", copy("b.sealed"), "--as", "Nadia"], office);
  expect(await needs("export")).toBe("nothing");
  office.pass({ hours: 37 });
  expect(await needs("backup")).toBe("soon");
  office.pass({ hours: 36 });
  expect(await needs("backup")).toBe("now");
});

test("the first sign is what is late: a promised day that has passed needs somebody before any copy does", async () => {
  await office.submitConfirmed();
  office.setClock("2026-12-06T17:59:00Z");
  expect([...(await look()).values()][0]).toMatchObject({ kind: "late", needs: "nothing" });
  office.pass({ minutes: 2 });
  expect([...(await look()).values()][0]).toEqual({
    kind: "late",
    open: 1,
    late: 1,
    first: Temporal.PlainDate.from("2026-12-06"),
    needs: "now",
  });
});

test("a copy that could not be written does not count", async () => {
  await runRequests(
    ["backup", join(office.folder, "no", "such", "folder"), "--as", "Nadia"],
    office,
  );
  await runLedger(["export", join(office.folder, "no", "such", "folder"), "--as", "Nadia"], office);
  expect((await look()).get("backup")).toMatchObject({ madeAt: undefined, needs: "soon" });
  expect((await look()).get("export")).toMatchObject({ madeAt: undefined, needs: "soon" });
});

test("mail that waits for an hour needs somebody now, one that was refused for good soon", async () => {
  office.answer = () => ({ kind: "failed", problem: "login refused (535)", permanent: false });
  await office.submit();
  await office.rounds.runOnce();
  expect(await needs("mail")).toBe("nothing");
  office.pass({ minutes: 61 });
  expect(await needs("mail")).toBe("now");
  office.answer = () => ({ kind: "failed", problem: "recipient refused (550)", permanent: true });
  office.pass({ hours: 3 });
  await office.rounds.runOnce();
  expect((await look()).get("mail")).toMatchObject({ troubled: 2, needs: "soon" });
});

test("the account system's last answer is told, and that it takes nothing", async () => {
  expect(await needs("account-system", true)).toBe("nothing");
  await office.database.write((transaction) => enterCall(transaction, "call-1", office.clock()));
  expect((await look(true)).get("account-system")).toMatchObject({
    connected: true,
    answeredAt: office.clock(),
  });
  expect((await look(false)).get("account-system")).toMatchObject({ connected: false });
});

test("keys are to be replaced after a year, and the calendar before it ends", async () => {
  expect(await needs("keys")).toBe("nothing");
  expect(await needs("calendar")).toBe("nothing");
  office.setClock("2027-10-25T04:00:00Z");
  expect(await needs("keys")).toBe("soon");
  expect(await needs("calendar")).toBe("soon");
  office.setClock("2027-12-22T04:00:00Z");
  expect(await needs("keys")).toBe("now");
  expect(await needs("calendar")).toBe("now");
});

test("the disk is told in bytes, and nothing is said of a clock or a copy put back while all is well", async () => {
  const signs = await look();
  expect(signs.get("disk")).toMatchObject({ freeBytes: expect.any(Number) });
  expect([...signs.keys()]).not.toContain("restore");
  expect([...signs.keys()]).not.toContain("clock");
});
