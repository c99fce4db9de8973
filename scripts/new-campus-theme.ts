import { readFileSync } from "node:fs";
import { contrast, lightOf } from "../vite/contrast.ts";

/** A colour by its lightness from 0 to 1, its strength, and its hue as an angle (OKLCH). */
type Lch = { lightness: number; chroma: number; hue: number };

/** What takes the hue of the main colour: the first campus's teal, and its ink and nights. Sun, skin and trees stay. */
const teal = ["link", "field-sky", "art-peacock"];
const inks = ["ink", "ink-soft", "outline", "field-line", "shadow", "on-primary", "on-marigold"]
  .concat(["night", "on-night-soft", "art-line", "art-wire", "art-tyre", "art-tyre-far"])
  .concat(["art-jeans", "art-inside", "art-night-sky", "art-night-ground", "art-night-hedge"]);
/** Grounds by night only: by day they are paper. */
const nightGrounds = ["paper", "surface", "art-field", "art-line"];

/** What is written on the main colour: the one that stands out more. */
const paper = "#fff9ef";
const ink = "#1d1433";

/** Whether words can be read on a main colour. */
export function isReadableOn(primary: string): boolean {
  return Math.max(contrast(paper, primary), contrast(ink, primary)) >= 4.5;
}

/**
 * A look with a main colour of its own, by day and by night, made from the first campus's.
 * @param file the first campus's `theme.css`
 */
export function themeWith(primary: string, file: string): string {
  const css = readFileSync(file, "utf8");
  const [day = "", night = ""] = css.split(/(?=@media \(prefers-color-scheme: dark\))/);
  const main = toLch(primary);
  // A grey has no hue to give.
  const turn = (colour: string) => {
    const { lightness, chroma } = toLch(colour);
    return toHex({ lightness, chroma: main.chroma < 0.03 ? 0.01 : chroma, hue: main.hue });
  };
  const recolour = (block: string, turned: string[], own: Record<string, string>) =>
    block.replace(/--([\w-]+): (#[0-9a-f]{6})/g, (_, name: string, colour: string) => {
      return `--${name}: ${own[name] ?? (turned.includes(name) ? turn(colour) : colour)}`;
    });
  const isDark = contrast(paper, primary) >= contrast(ink, primary);
  const byNight = { ...main, lightness: Math.max(main.lightness, 0.8) };
  return (
    recolour(day, [...teal, ...inks], {
      primary: primary.toLowerCase(),
      "on-primary": isDark ? paper : ink,
      "primary-pressed": toHex({ ...main, lightness: main.lightness * (isDark ? 0.85 : 1.06) }),
      "art-peacock": isDark ? primary.toLowerCase() : turn("#006d77"),
    }) +
    recolour(night, [...teal, ...inks, ...nightGrounds], {
      primary: toHex(byNight),
      "on-primary": turn(ink),
      "primary-pressed": toHex({ ...byNight, lightness: byNight.lightness - 0.06 }),
    })
  );
}

/** https://bottosson.github.io/posts/oklab */
function toLch(colour: string): Lch {
  const [red, green, blue] = lightOf(colour);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, b),
    hue: Math.atan2(b, a),
  };
}

/** As strong as a screen can show it. */
function toHex({ lightness, chroma, hue }: Lch): string {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const isShown = channels.every((value) => value >= -0.001 && value <= 1.001);
  if (!isShown && chroma > 0.001) return toHex({ lightness, chroma: chroma * 0.95, hue });
  const hex = channels.map((value) => {
    const kept = Math.min(1, Math.max(0, value));
    const shown = kept <= 0.0031308 ? kept * 12.92 : 1.055 * kept ** (1 / 2.4) - 0.055;
    return Math.round(shown * 255)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${hex.join("")}`;
}
