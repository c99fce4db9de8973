/**
 * Renders drawings to PNG sheets in screenshots/art/, so that whoever draws can look: light and dark beside each other,
 * large, at 160 and at 96 px.
 *
 *   node scripts/preview-art.mjs              every picture
 *   node scripts/preview-art.mjs hero step-1  those named (a name may end in *)
 *   ART_MOTIFS=lake node scripts/preview-art.mjs       with another campus's motifs
 *   ART_VEHICLE=motorbike ART_CASH=no node scripts/preview-art.mjs    of a campus without rickshaws, without cash
 *   ART_WIDTH=1200 node scripts/preview-art.mjs hero   larger, to look for leaks and pill ends
 *
 * Prints each picture's weight after brotli. The limit is 6 KB, 8 KB for the hero.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { Resvg } from "@resvg/resvg-js";
import { renderToStaticMarkup } from "react-dom/server";
import { runnerImport } from "vite";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(root, "screenshots/art");
const WIDE = Number(process.env.ART_WIDTH ?? 640);
const SMALL = 160;

/** The --art-* colours of a scheme: `light` is the theme's first block, `dark` the night block over it. */
function readColours() {
  const theme = readFileSync(join(root, "campus/theme.css"), "utf8");
  const night = theme.indexOf("prefers-color-scheme: dark");
  const read = (text) =>
    Object.fromEntries([...text.matchAll(/--art-([\w-]+):\s*([^;]+);/g)].map((m) => [m[1], m[2]]));
  const light = read(theme.slice(0, night));
  return { light, dark: { ...light, ...read(theme.slice(night)) } };
}

/** resvg paints var() black: every token becomes its value. */
function stamp(svg, colours) {
  return svg.replace(/var\(--art-([\w-]+)\)/g, (_, name) => {
    if (colours[name] === undefined) throw new Error(`campus/theme.css has no --art-${name}`);
    return colours[name];
  });
}

/** What a sheet's cell holds: the picture's content placed and sized, cut to its own box. */
function cell(svg, { width, height }, { x, y, wide }) {
  const high = (wide * height) / width;
  return svg.replace(
    "<svg ",
    `<svg x="${x}" y="${y}" width="${wide}" height="${high}" overflow="hidden" `,
  );
}

const wanted = process.argv.slice(2);
const matches = (name) =>
  wanted.length === 0 ||
  wanted.some((want) => (want.endsWith("*") ? name.startsWith(want.slice(0, -1)) : name === want));

const { module } = await runnerImport(join(root, "app/art/pictures.tsx"), {
  root,
  configFile: false,
  logLevel: "error",
});
const colours = readColours();
mkdirSync(folder, { recursive: true });

const { ART_MOTIFS = "delta", ART_VEHICLE = "rickshaw", ART_CASH } = process.env;
const wishes = { motifs: ART_MOTIFS, heroVehicle: ART_VEHICLE, cash: ART_CASH !== "no" };
for (const picture of module.allPictures(wishes)) {
  if (!matches(picture.name)) continue;
  const ready = renderToStaticMarkup(picture.draw()).replaceAll(
    "currency-sign",
    "M-9-9h18v18h-18z",
  );
  const svg = picture.coming ? module.comingSoon(ready) : ready;
  const { width, height } = picture;
  const wide = Math.min(WIDE, Math.round((WIDE * width) / height));
  const high = Math.round((wide * height) / width);
  const small = Math.round((SMALL * height) / width);
  const gap = 16;
  const rows = Math.max(high, small * 2 + gap);
  const column = wide + SMALL + gap * 3;
  const sheet = Object.entries(colours)
    .map(([scheme, values], index) => {
      const x = index * column;
      const stamped = stamp(svg, values);
      const ground = scheme === "light" ? values.cream : values.paper;
      return [
        `<rect x="${x}" width="${column}" height="${rows + gap * 2}" fill="${ground}"/>`,
        cell(stamped, picture, { x: x + gap, y: gap, wide }),
        cell(stamped, picture, { x: x + wide + gap * 2, y: gap, wide: SMALL }),
        cell(stamped, picture, { x: x + wide + gap * 2, y: small + gap * 2, wide: 96 }),
      ].join("");
    })
    .join("");
  const page = `<svg xmlns="http://www.w3.org/2000/svg" width="${column * 2}" height="${rows + gap * 2}">${sheet}</svg>`;
  writeFileSync(join(folder, `${picture.name}.png`), new Resvg(page).render().asPng());
  const weight = brotliCompressSync(svg).length;
  const limit = picture.name === "hero" ? 8 * 1024 : 6 * 1024;
  console.log(
    `${picture.name} ${(weight / 1024).toFixed(1)} KB${weight > limit ? "  TOO HEAVY" : ""}`,
  );
}
