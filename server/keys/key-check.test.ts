import { expect, test } from "vitest";
import { service, serviceForEachTest } from "../deletion-requests/test-service.fixture.ts";
import { checkKeys } from "./key-check.ts";
import { createKeys, parseKeys } from "./keys.ts";

serviceForEachTest();

const one = `1:${"A".repeat(43)}`;
const otherOne = `1:${"B".repeat(42)}A`;
const two = `2:${"C".repeat(42)}A`;

async function isRight(text: string): Promise<boolean> {
  return (await checkKeys(service.database, createKeys(parseKeys(text) ?? []))).ok;
}

test("the first keys are taken, other ones under the same version are not", async () => {
  expect(await isRight(one)).toBe(true);
  expect(await isRight(one)).toBe(true);
  expect(await isRight(otherOne)).toBe(false);
});

test("a new key comes with a higher version; going back or losing it is noticed", async () => {
  await isRight(one);
  expect(await isRight(`${two},${one}`)).toBe(true);
  expect(await isRight(two)).toBe(true);
  expect(await isRight(one)).toBe(false);
  expect(await isRight(`${two},${otherOne}`)).toBe(false);
});
