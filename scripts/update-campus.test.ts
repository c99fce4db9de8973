import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { currentKit } from "../campus-reader/kit.ts";
import { root } from "../tests/harness/campus.ts";
import { copyCampus } from "../tests/harness/campus-copy.ts";
import { findMistakes } from "../vite/check-campus.ts";
import { updateCampus } from "./update-campus.ts";

/**
 * Campuses that earlier versions of new-campus made. Each folder is named after the version or the
 * date.
 */
const folder = join(root, "tests/old-campuses");

describe.each(readdirSync(folder))("a campus made by version %s", (made) => {
  test("has no mistakes before and after an update", async () => {
    using copy = copyCampus(join(folder, made));
    const { errors, kit } = await findMistakes(copy.folder);
    expect(errors).toEqual([]);
    expect(kit).toBe("0.0");

    const { left, done, changes } = await updateCampus(copy.folder);
    expect(left).toEqual([]);
    expect(done.at(-1)).toBe(`campus.yaml: kit is ${currentKit} now`);
    expect(changes.length).toBeGreaterThan(0);
    const after = await findMistakes(copy.folder);
    expect(after).toMatchObject({ kit: currentKit, errors: [] });
    // Only the campus's team can shorten an excerpt or choose better words.
    const otherNotes = after.notes.filter(
      ({ field, sentence }) => field !== "excerpt" && !sentence.startsWith("says "),
    );
    expect(otherNotes).toEqual([]);
    expect((await updateCampus(copy.folder)).done).toEqual([]);
  });
});

test("keeps the campus's words, whatever the check notes about them", async () => {
  using copy = copyCampus(join(folder, "1.10.0"));
  const lead = "Whoever rides here, rides";
  copy.change("content/en/landing.yaml", /^( +)lead: .*$/m, `$1lead: "${lead} **free**."`);
  const { done, left } = await updateCampus(copy.folder);
  expect(done.join("\n")).not.toContain("no page shows it");
  expect(copy.read("content/en/landing.yaml")).toContain(`${lead} free.`);
  expect(left).toEqual([]);
});

test("doesn't raise the kit version if changes must be made by hand", async () => {
  using copy = copyCampus(join(folder, "1.2.0"));
  copy.change("theme.css", /^/, '@import "https://fonts.example/face.css";\n');
  const { left } = await updateCampus(copy.folder);
  expect(left).toEqual([expect.stringMatching(/^campus\/theme\.css:1: @import: loads /)]);
  expect(copy.read("campus.yaml")).not.toMatch(/^kit:/m);
  expect((await findMistakes(copy.folder)).errors).toEqual([]);
});

test("currentKit is at least the version in package.json", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const [major, minor] = version.split(".").map(Number);
  const [kitMajor = 0, kitMinor = 0] = currentKit.split(".").map(Number);
  expect(kitMajor > major || (kitMajor === major && kitMinor >= minor)).toBe(true);
});
