import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { atTheJoints } from "../breaks/at-the-joints.ts";

const root = join(import.meta.dirname, "../..");

describe("a break by hand can still be made", () => {
  test.each(atTheJoints)("$name", ({ file, find, put }) => {
    const source = readFileSync(join(root, file), "utf8");
    const hint = `${file} has this once. Where the code has moved, the break moves with it, in tests/breaks/at-the-joints.ts.`;
    expect(source.split(find).length - 1, hint).toBe(1);
    expect(put).not.toBe(find);
  });

  test("there are forty of them, each with a name of its own", () => {
    expect(new Set(atTheJoints.map(({ name }) => name)).size).toBe(40);
  });
});
