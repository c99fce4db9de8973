import { expect, test } from "vitest";
import { type Config, readConfig } from "../config.ts";
import { service, serviceForEachTest } from "../deletion-requests/test-service.fixture.ts";
import { openFoundation } from "../open.ts";
import { checkKeys } from "./key-check.ts";
import { createKeys, parseKeys } from "./keys.ts";

serviceForEachTest();

const one = `1:${"A".repeat(43)}`;
const otherOne = `1:${"B".repeat(42)}A`;
const two = `2:${"C".repeat(42)}A`;

async function isRight(text: string): Promise<boolean> {
  return (await checkKeys(service.database, createKeys(parseKeys(text) ?? []), { mayEnter: true }))
    .ok;
}

test("accepts the first keys, and rejects other ones under the same version", async () => {
  expect(await isRight(one)).toBe(true);
  expect(await isRight(one)).toBe(true);
  expect(await isRight(otherOne)).toBe(false);
});

test("accepts a new key with a higher version; notices a lower or missing one", async () => {
  await isRight(one);
  expect(await isRight(`${two},${one}`)).toBe(true);
  expect(await isRight(two)).toBe(true);
  expect(await isRight(one)).toBe(false);
  expect(await isRight(`${two},${otherOne}`)).toBe(false);
});

test("refuses a command with a newer key until the server has it, without locking the server out", async () => {
  const isOpened = async (SECRET_KEYS: string, create: boolean) => {
    const { config } = readConfig({ DATA_DIR: service.folder, SECRET_KEYS }) as { config: Config };
    const opened = await openFoundation(config, { create });
    if (opened.ok) await opened.foundation.database.close();
    return opened.ok;
  };
  expect(await isOpened(one, true)).toBe(true);
  for (const keys of [two, `${two},${one}`]) expect(await isOpened(keys, false)).toBe(false);
  expect(await isOpened(one, false)).toBe(true);
});
