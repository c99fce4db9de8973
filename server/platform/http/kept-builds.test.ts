import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createBuildFinder } from "./kept-builds.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "builds-"));
});
afterEach(() => rm(root, { recursive: true }));

async function build(name: string, file: string, { isDone = true } = {}): Promise<string> {
  const client = join(root, ".builds", name, "client");
  for (const folder of ["assets", "art"]) await mkdir(join(client, folder), { recursive: true });
  await writeFile(join(client, file), "");
  if (isDone) await writeFile(join(root, ".builds", name, ".built"), "");
  return client;
}

test("finds files of the previous build and of a build made after startup", async () => {
  const former = await build("build.1", "assets/former.js");
  const find = createBuildFinder(await build("build.2", "assets/own.js"));
  expect(find("/assets/former.js")).toBe(former);
  expect(find("/art/next.svg")).toBeUndefined();
  const next = await build("build.3", "art/next.svg");
  expect(find("/art/next.svg")).toBe(next);
});

test("ignores unfinished builds and paths outside a build", async () => {
  const find = createBuildFinder(await build("build.1", "assets/own.js"));
  await build("build.2", "assets/half.js", { isDone: false });
  for (const path of ["/assets/half.js", "/assets/../../.built", "/.built", "/assets/"]) {
    expect(find(path)).toBeUndefined();
  }
});

test("finds nothing if there is only one build", async () => {
  expect(createBuildFinder(join(root, "build/client"))("/assets/a.js")).toBeUndefined();
});
