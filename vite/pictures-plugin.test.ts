import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, folderForEachTest } from "../tests/harness/folder.ts";
import { root } from "./loaded-campus.ts";
import { breakEvenly, drawInto, readDrawn } from "./pictures-plugin.ts";
import { stampColours, stampSchemes } from "./stamp-colours.ts";

folderForEachTest();

test("reads pictures drawn by another process", async () => {
  const campusDir = join(root, "campus-examples/kaltensee");
  await drawInto(folder, campusDir);
  const { content, pictures, shareImages, slots } = readDrawn(folder);
  const urls = [...Object.values(pictures).map(({ url }) => url), shareImages.default ?? ""];
  expect(urls.length).toBeGreaterThan(20);
  for (const url of urls) {
    expect((await content.get(url.slice(1))?.())?.length, url).toBeGreaterThan(100);
  }
  expect(slots.length).toBeGreaterThan(20);
});

const byLetters = (line: string) => line.length;

test("breaks a title into lines of even length", () => {
  expect(breakEvenly("How to ride in the rain".split(" "), 2, byLetters)).toEqual([
    "How to ride",
    "in the rain",
  ]);
  expect(breakEvenly("Your first ride on campus, step by step".split(" "), 3, byLetters)).toEqual([
    "Your first",
    "ride on campus,",
    "step by step",
  ]);
});

test("returns undefined for more lines than words", () => {
  expect(breakEvenly(["Off-peak", "rides"], 1, byLetters)).toEqual(["Off-peak rides"]);
  expect(breakEvenly(["Off-peak", "rides"], 2, byLetters)).toEqual(["Off-peak", "rides"]);
  expect(breakEvenly(["Off-peak", "rides"], 3, byLetters)).toBeUndefined();
});

const theme = {
  light: { ink: "#000", paper: "#fff", line: "#111" },
  dark: { ink: "#eee", paper: "#fff", line: "#222" },
};
const drawing = '<svg viewBox="0 0 1 1"><path fill="var(--ink)"/><path fill="var(--paper)"/></svg>';

test("adds styles for the colors that differ between the schemes, and inlines the other colors", () => {
  expect(stampSchemes(drawing, theme)).toBe(
    '<svg id="night" viewBox="0 0 1 1"><style>svg{--ink:#000}svg:target{--ink:#eee}</style>' +
      '<path fill="var(--ink)"/><path fill="#fff"/></svg>',
  );
});

test("hides night-only elements in light mode", () => {
  const lamp = drawing.replace("<path", '<path class="by-night"');
  expect(stampSchemes(lamp, theme)).toContain(
    ".by-night{display:none}svg:target .by-night{display:inline}",
  );
  expect(stampSchemes(drawing, theme)).not.toContain("by-night");
});

test("hides a beam of light in a small drawing", () => {
  const beam = drawing.replace("<path", '<path class="beam"');
  expect(stampSchemes(beam, theme)).toContain("@media(max-width:320px){.beam{display:none}}");
  expect(stampSchemes(drawing, theme)).not.toContain("beam");
});

test("reports an unknown color in SVG and PNG output", () => {
  const wrong = drawing.replace("--ink", "--inq");
  expect(() => stampSchemes(wrong, theme)).toThrow("--inq");
  expect(() => stampColours(wrong, theme.light)).toThrow("--inq");
});
