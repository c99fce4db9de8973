import { expect, test } from "vitest";
import { breakEvenly, stampColours, stampSchemes } from "./pictures-plugin.ts";

const byLetters = (line: string) => line.length;

test("a title breaks where its lines become most alike, and never loses a word", () => {
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

test("a title stays whole in one line, and has no more lines than words", () => {
  expect(breakEvenly(["Off-peak", "rides"], 1, byLetters)).toEqual(["Off-peak rides"]);
  expect(breakEvenly(["Off-peak", "rides"], 2, byLetters)).toEqual(["Off-peak", "rides"]);
  expect(breakEvenly(["Off-peak", "rides"], 3, byLetters)).toBeUndefined();
});

const theme = {
  light: { ink: "#000", paper: "#fff", line: "#111" },
  dark: { ink: "#eee", paper: "#fff", line: "#222" },
};
const drawing = '<svg viewBox="0 0 1 1"><path fill="var(--ink)"/><path fill="var(--paper)"/></svg>';

test("a drawing carries the colours that it uses, and by night those that differ", () => {
  expect(stampSchemes(drawing, theme)).toBe(
    '<svg id="night" viewBox="0 0 1 1"><style>svg{--ink:#000;--paper:#fff}svg:target{--ink:#eee}</style>' +
      '<path fill="var(--ink)"/><path fill="var(--paper)"/></svg>',
  );
});

test("what is drawn by night alone is hidden by day", () => {
  const lamp = drawing.replace("<path", '<path class="by-night"');
  expect(stampSchemes(lamp, theme)).toContain(
    ".by-night{display:none}svg:target .by-night{display:inline}",
  );
  expect(stampSchemes(drawing, theme)).not.toContain("by-night");
});

test("a colour that the theme does not have ends the build by name, in a file and in a PNG alike", () => {
  const wrong = drawing.replace("--ink", "--inq");
  expect(() => stampSchemes(wrong, theme)).toThrow("--inq");
  expect(() => stampColours(wrong, theme.light)).toThrow("--inq");
});
