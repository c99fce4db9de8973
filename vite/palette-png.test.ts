import { decode } from "fast-png";
import { expect, test } from "vitest";
import { palettePng } from "./palette-png.ts";

/** Packs and decodes a picture; returns the RGB of each pixel. */
function pack(colours: number[], width: number): number[] {
  const pixels = new Uint8Array(
    colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255, 255]),
  );
  const { data, palette, ...image } = decode(palettePng(pixels, width, colours.length / width));
  expect(image).toMatchObject({ width, height: colours.length / width, depth: 8 });
  return [...data].map((place) => {
    const [red = 0, green = 0, blue = 0] = palette?.[place] ?? [];
    return (red << 16) | (green << 8) | blue;
  });
}

test("a picture of few colours comes back as it was, line by line", () => {
  const colours = [0xfff9ef, 0x1d1433, 0xffb000, 0xfff9ef, 0xd81e6a, 0x006d77];
  expect(pack(colours, 3)).toEqual(colours);
});

test("of more than 256 colours the most frequent stay exact, and the others become near ones", () => {
  // 300 greens once each; ten reds that fill most of the picture.
  const greens = Array.from({ length: 300 }, (_, index) => ((index % 256) << 8) | (index >> 8));
  const reds = Array.from({ length: 10 }, (_, index) => (255 - index) << 16);
  const colours = [...greens, ...reds.flatMap((red) => Array<number>(30).fill(red))];
  const shown = pack(colours, 30);
  expect(shown.slice(greens.length)).toEqual(colours.slice(greens.length));
  expect(new Set(shown).size).toBeLessThanOrEqual(256);
  shown.slice(0, greens.length).forEach((colour, index) => {
    expect(Math.abs(((colour >> 8) & 255) - (index % 256))).toBeLessThanOrEqual(60);
    expect(colour >> 16).toBe(0);
  });
});

test("a flat picture is a small file", () => {
  const white = new Uint8Array(400 * 200 * 4).fill(255);
  expect(palettePng(white, 400, 200).byteLength).toBeLessThan(1_000);
});
