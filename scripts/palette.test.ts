import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../tests/harness/campus.ts";
import { copyCampus } from "../tests/harness/campus-copy.ts";
import { runToEnd } from "../tests/harness/server-process.ts";
import { findMistakes } from "../vite/check-campus.ts";

test("writes swatches that the check accepts, or names the mistake in the theme", async () => {
  using copy = copyCampus(join(root, "campus-examples/cairo"));
  const write = () => runToEnd("scripts/palette.ts", { CAMPUS_DIR: copy.folder });
  expect(await write()).toMatchObject({ code: 0, stdout: expect.stringContaining("palette.svg") });
  expect((await findMistakes(copy.folder)).errors).toEqual([]);
  rmSync(join(copy.folder, "theme.css"));
  const { code, stderr } = await write();
  expect(code).toBe(1);
  expect(stderr.trim().split(": ").slice(1)).toEqual([
    "(whole file)",
    "is missing; it must contain the colours",
  ]);
});
