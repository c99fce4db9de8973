import { randomBytes } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, folderForEachTest } from "../../../tests/harness/folder.ts";
import { createSealingKeys, openSealedFile, sealFile } from "./sealed-file.ts";

folderForEachTest();

const at = (name: string) => join(folder, name);
const part = 64 * 1024;
const keys = createSealingKeys();

test.each([0, 1, part - 1, part, part + 1, 3 * part + 17])(
  "encrypts and decrypts a file of %i bytes",
  async (length) => {
    const content = Buffer.concat([Buffer.from("anika@uni.example"), randomBytes(length)]);
    await writeFile(at("plain"), content.subarray(0, length));
    await sealFile(at("plain"), at("sealed"), keys.sealing);
    expect((await stat(at("sealed"))).mode & 0o777).toBe(0o600);
    expect(await readFile(at("sealed"), "latin1")).not.toContain("anika");
    expect(await openSealedFile(at("sealed"), at("opened"), keys.opening)).toBe("opened");
    expect((await readFile(at("opened"))).equals(content.subarray(0, length))).toBe(true);
  },
);

test("rejects a file that was changed, truncated, reordered or sealed for another key", async () => {
  await writeFile(at("plain"), randomBytes(3 * part));
  await sealFile(at("plain"), at("sealed"), keys.sealing);
  const sealed = await readFile(at("sealed"));
  const head = sealed.length - 3 * (part + 16);
  const parts = [0, 1, 2].map((number) =>
    sealed.subarray(head + number * (part + 16), head + (number + 1) * (part + 16)),
  ) as [Buffer, Buffer, Buffer];
  const flipped = Buffer.from(sealed);
  flipped[head + part + 100] = (flipped[head + part + 100] ?? 0) ^ 1;
  const start = sealed.subarray(0, head);
  const broken = [
    flipped,
    sealed.subarray(0, -1),
    Buffer.concat([start, parts[0], parts[1]]),
    Buffer.concat([start, parts[1], parts[0], parts[2]]),
    Buffer.concat([sealed, parts[2]]),
    start,
    Buffer.from("no sealed file at all"),
  ];
  for (const content of broken) {
    await writeFile(at("broken"), content);
    expect(await openSealedFile(at("broken"), at("opened"), keys.opening)).not.toBe("opened");
    expect(await readdir(folder)).not.toContain("opened");
  }
  await writeFile(at("cut"), Buffer.concat([start, parts[0]]));
  expect(await openSealedFile(at("cut"), at("opened"), keys.opening)).toBe("damaged");
  const other = createSealingKeys();
  expect(await openSealedFile(at("sealed"), at("opened"), other.opening)).toBe("wrong-key");
  expect(await readdir(folder)).not.toContain("opened");
});

test("encrypts the same content differently each time and overwrites no existing file", async () => {
  await writeFile(at("plain"), "the same");
  await sealFile(at("plain"), at("one"), keys.sealing);
  await sealFile(at("plain"), at("two"), keys.sealing);
  expect((await readFile(at("one"))).equals(await readFile(at("two")))).toBe(false);
  await expect(sealFile(at("plain"), at("one"), keys.sealing)).rejects.toThrow("EEXIST");
});
