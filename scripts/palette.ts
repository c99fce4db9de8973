import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CampusError } from "../campus-reader/mistakes.ts";
import { readConfig } from "../server/config.ts";
import { palette } from "../vite/drawings.ts";
import { readTheme } from "../vite/theme.ts";

/**
 * Writes the colors of the drawings as swatches to the campus folder:
 *
 * npm run campus -- palette
 *
 * Use palette.gpl in Inkscape and GIMP, and palette.svg in Figma and other editors. Draw with these
 * colors. The site replaces each color with the campus's color of the same name, in light and dark
 * mode. The SVG also shows the campus's colors.
 */
const read = readConfig({ CAMPUS_DIR: process.env.CAMPUS_DIR });
if (!read.ok) throw new Error(read.problems.join("\n"));
const { campusDir } = read.config;
const { light, dark } = readColours();
const colours = Object.entries(palette);

const gimp = colours.map(([name, hex]) => {
  const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return `${channels.map((value) => `${value}`.padStart(3)).join(" ")}\t${name}`;
});
const gpl = `GIMP Palette\nName: Drawings\nColumns: 6\n#\n${gimp.join("\n")}\n`;

const rows = colours.map(([name, hex], index) => {
  const y = index * 32;
  const colourIn = (scheme: Record<string, string>) => scheme[`art-${name}`] ?? hex;
  return `<rect id="${name}" y="${y}" width="96" height="28" fill="${hex}"/><rect x="104" y="${y}" width="48" height="28" fill="${colourIn(light)}"/><rect x="156" y="${y}" width="48" height="28" fill="${colourIn(dark)}"/><text x="212" y="${y + 19}">${name} ${hex}</text>`;
});
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 ${colours.length * 32}" font-family="sans-serif" font-size="14">\n${rows.join("\n")}\n</svg>\n`;

/** Reads the campus's colors. Exits with the mistakes in its theme. */
function readColours() {
  try {
    return readTheme(join(campusDir, "theme.css"));
  } catch (error) {
    if (!(error instanceof CampusError)) throw error;
    console.error(error.seenIn(campusDir));
    return process.exit(1);
  }
}

for (const [file, text] of [
  ["palette.gpl", gpl],
  ["palette.svg", svg],
] as const) {
  writeFileSync(join(campusDir, file), text);
  console.log(join(campusDir, file));
}
