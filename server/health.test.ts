import { afterEach, beforeEach, expect, test } from "vitest";
import { openOffice, type TestOffice, testMailWords } from "./deletion-requests/office.fixture.ts";
import { createHealth } from "./health.ts";

let office: TestOffice;
beforeEach(async () => {
  office = await openOffice();
});
afterEach(() => office.close());

function check() {
  const { database, clock, folder, rounds } = office;
  return createHealth({ database, clock, dataDir: folder, isErasingHeld: rounds.isErasingHeld })();
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
