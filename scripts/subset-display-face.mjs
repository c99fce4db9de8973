// Cuts the display face down to the characters and weights that headings use, and writes it to app/ui/display-face/.
// Run it after a new version of the font package: node scripts/subset-display-face.mjs
import { readFile, writeFile } from "node:fs/promises";
import subsetFont from "subset-font";

const source =
  "node_modules/@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2";
const printableAscii = Array.from({ length: 95 }, (_, index) =>
  String.fromCharCode(32 + index),
).join("");
const typography = "‘’“”–—…·•×←→©éèçñüöäïâêô";

const subset = await subsetFont(await readFile(source), printableAscii + typography, {
  targetFormat: "woff2",
  variationAxes: { wght: { min: 500, max: 800, default: 700 } },
});
await writeFile("app/ui/display-face/bricolage-grotesque.woff2", subset);
console.log(`bricolage-grotesque.woff2: ${subset.length} bytes`);
