import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { campusDir, root } from "../harness/campus.ts";

test("a text that changed since it was translated is listed until somebody has compared it", () => {
  const folder = mkdtempSync(join(tmpdir(), "translations-"));
  try {
    cpSync(campusDir, folder, { recursive: true });
    const run = (...words: string[]) =>
      spawnSync(process.execPath, [join(root, "scripts/translations.ts"), ...words], {
        env: { ...process.env, CAMPUS_DIR: folder },
        encoding: "utf8",
      }).stdout;
    run("--accept", "bn");
    expect(run()).not.toMatch(/missing|changed since|not compared/);

    const original = join(folder, "content/en/interface.yaml");
    const text = readFileSync(original, "utf8");
    writeFileSync(original, text.replace('skipLink: "Skip', 'skipLink: "Leap'));
    expect(run()).toMatch(/bn\/interface\.yaml: .* \(\d+ %\)\n {2}changed since: skipLink\n/);
    expect(run("--accept", "bn/interface.yaml")).toContain("interface.yaml");
    expect(run()).not.toContain("changed since");

    rmSync(join(folder, "content/bn/posts/53-leaving-well.md"));
    expect(run()).toMatch(/53-leaving-well\.md: 0 of \d+ \(0 %\)\n {2}missing: title/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
