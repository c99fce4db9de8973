import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { wcagContrast } from "culori";
import { afterAll, describe, expect, test } from "vitest";
import { root } from "../tests/harness/campus.ts";
import { findMistakes } from "./check-campus.ts";
import { textPairs } from "./contrast.ts";
import { readTheme } from "./theme.ts";

const campuses = ["campus", "campus-examples/kaltensee", "campus-examples/cairo"];

describe.each(campuses)("the theme of %s", (folder) => {
  const theme = readTheme(join(root, folder, "theme.css"));

  test.each(["light", "dark"] as const)(
    "has a contrast of at least 7 to 1 for all text in the %s scheme",
    (scheme) => {
      const colours = theme[scheme];
      const illegible = textPairs
        .map(([text, ground]) => ({
          text,
          ground,
          ratio: wcagContrast(colours[text] ?? "#888888", colours[ground] ?? "#888888"),
        }))
        .filter(({ ratio }) => ratio < 7);
      expect(illegible).toEqual([]);
    },
  );
});

describe("the check of a campus with a text contrast of 5 to 1", () => {
  const folder = mkdtempSync(join(tmpdir(), "contrast-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  const checkWith = async (kit: string, edit: (css: string) => string) => {
    cpSync(join(root, "campus-examples/kaltensee"), folder, { recursive: true });
    const put = (name: string, change: (text: string) => string) =>
      writeFileSync(join(folder, name), change(readFileSync(join(folder, name), "utf8")));
    put("campus.yaml", (text) => text.replace(/^kit:.*$/m, `kit: ${kit}`));
    put("theme.css", edit);
    const { errors, notes } = await findMistakes(folder);
    const inTheme = (mistake: { file: string }) => mistake.file === "theme.css";
    return { errors: errors.filter(inTheme), notes: notes.filter(inTheme) };
  };
  const fade = (css: string) => css.replace(/--ink-soft: #\w+/, "--ink-soft: #526476");
  const takeOut = (css: string) => css.replaceAll(/^ *--(?:rani|peacock)-deep:.*\n/gm, "");

  test("reports mistakes for a current kit", async () => {
    const { errors } = await checkWith("1.14", fade);
    expect(errors[0]?.sentence).toContain("needs 7 to 1 or more");
  });

  test("reports only notes for an older kit", async () => {
    const { errors, notes } = await checkWith("1.13", fade);
    expect(errors).toEqual([]);
    expect(notes.length).toBeGreaterThan(0);
  });

  test("reports missing deep colors as notes for an older kit", async () => {
    const { errors, notes } = await checkWith("1.13", takeOut);
    expect(errors).toEqual([]);
    expect(notes.map(({ field }) => field)).toEqual(
      expect.arrayContaining(["light --rani-deep", "light --peacock-deep"]),
    );
  });
});
