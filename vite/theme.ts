import { existsSync, readFileSync } from "node:fs";
import { CampusError } from "../campus-reader/data-files.ts";

export type Theme = { light: Record<string, string>; dark: Record<string, string> };

/**
 * Reads the colours of both schemes from a campus's `theme.css`: the first `:root` block is the
 * light scheme, and the one inside `prefers-color-scheme: dark` overrides it. Names have no leading
 * hyphens.
 * @throws CampusError if a value is not a colour, or the dark block has a colour that the light one
 * lacks
 */
export function readTheme(file: string): Theme {
  if (!existsSync(file)) {
    throw new CampusError("campus/theme.css: (whole file): is missing; it must hold the colours");
  }
  return readThemeText(readFileSync(file, "utf8"));
}

/** Reads the colours from a stylesheet's text. */
export function readThemeText(text: string): Theme {
  const css = text.replace(/\/\*[\s\S]*?\*\//g, "");
  if (css.split("{").length !== css.split("}").length) {
    throw new CampusError("campus/theme.css: (whole file): must close every { with a }");
  }
  const blocks = [...css.matchAll(/:root\s*\{([^}]*)\}/g)].map((match) =>
    Object.fromEntries(
      [...(match[1] ?? "").matchAll(/--([\w-]+):\s*([^;]+);/g)].map((pair) => [
        pair[1] ?? "",
        (pair[2] ?? "").trim().toLowerCase(),
      ]),
    ),
  );
  const [light = {}, dark = {}] = blocks;
  const mistakes = Object.entries({ light, dark }).flatMap(([scheme, colours]) =>
    Object.entries(colours)
      .filter(([, colour]) => !/^#[0-9a-f]{6}$/.test(colour))
      .map(([name]) => `campus/theme.css: ${scheme} --${name}: must be a colour such as #1d1433`),
  );
  for (const name of Object.keys(dark)) {
    if (!(name in light)) mistakes.push(`campus/theme.css: light --${name}: is missing`);
  }
  if (mistakes.length > 0) throw new CampusError(mistakes.join("\n"));
  return { light, dark: { ...light, ...dark } };
}
