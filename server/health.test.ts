import { afterEach, beforeEach, expect, test } from "vitest";
import { openOffice, type TestOffice, testMailWords } from "./deletion-requests/office.fixture.ts";
import { createHealth } from "./health.ts";
import { createVitalSigns } from "./vital-signs.ts";

let office: TestOffice;
beforeEach(async () => {
  office = await openOffice();
});
afterEach(() => office.close());

function check() {
  const { folder: dataDir, rounds } = office;
  return createHealth({ ...office, dataDir, isErasingHeld: rounds.isErasingHeld })();
}

test("all is well when mail leaves", async () => {
  await office.submit();
  await office.rounds.runOnce();
  expect(await check()).toEqual({ status: "ok", problems: [] });
});

test("mail that could not leave for an hour is trouble, and listed with its cause before", async () => {
  office.answer = () => ({ kind: "failed", problem: "login refused (535)", permanent: false });
  await office.submit();
  await office.rounds.runOnce();
  expect(await office.desk.failing(20)).toMatchObject([
    { kind: "confirm", lastProblem: "login refused (535)" },
    { kind: "operator-digest", lastProblem: "login refused (535)" },
  ]);
  expect((await check()).status).toBe("ok");
  office.pass({ minutes: 61 });
  await office.rounds.runOnce();
  const health = await check();
  expect(health).toEqual({
    status: "degraded",
    problems: ["Mail has been waiting for more than an hour."],
  });
  expect(JSON.stringify(health)).not.toContain("anika");
});

test("a store of unconfirmed requests that is half full is trouble, told with the number", async () => {
  const { rounds } = office;
  const look = (maxUnconfirmed: number) => ({
    ...{ ...office, maxUnconfirmed, dataDir: office.folder, isErasingHeld: rounds.isErasingHeld },
    hasAccountSystem: false,
  });
  for (const name of ["a", "b"]) await office.submit({ email: `${name}@uni.example` });
  await office.rounds.runOnce();
  expect((await createHealth(look(5))()).status).toBe("ok");
  expect((await createVitalSigns(look(5))()).map(({ kind }) => kind)).not.toContain("unconfirmed");
  expect(await createHealth(look(4))()).toEqual({
    status: "degraded",
    problems: ["Of the room for 4 unconfirmed requests half or more is taken: 2."],
  });
  const sign = { kind: "unconfirmed", count: 2, most: 4, needs: "now" };
  expect(await createVitalSigns(look(4))()).toContainEqual(sign);
});

test("so is mail that nobody fetches", async () => {
  await office.submit();
  office.pass({ minutes: 61 });
  expect((await check()).status).toBe("degraded");
});

test("mail that cannot be written is trouble at once, and the operators are told", async () => {
  const { reference } = await office.submit();
  office.answer = (letter) => {
    if (letter.to === "anika@uni.example") throw new Error("no words");
    return { kind: "delivered" };
  };
  await office.rounds.runOnce();
  expect((await check()).problems).toEqual(["There is mail that cannot be written."]);
  expect(office.newest("operator-trouble").letter.text).toContain(
    `${reference}, ${testMailWords.mailKinds.confirm}, could not be written`,
  );
  office.answer = () => ({ kind: "delivered" });
  await office.desk.retry("Nadia");
  await office.rounds.runOnce();
  expect((await check()).status).toBe("ok");
});
