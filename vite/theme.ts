import { readFileSync } from "node:fs";
import { CampusError, type Mistake, refuseMistakes } from "../campus-reader/mistakes.ts";
import { conflict, findConflict, isFile, isFolder, notAFile } from "../campus-reader/text-files.ts";

export type Theme = { light: Record<string, string>; dark: Record<string, string> };

/**
 * Reads the colors of both schemes from a campus's `theme.css`, keyed by name without the leading
 * hyphens. The first `:root` block is the light scheme; the block inside `prefers-color-scheme:
 * dark` overrides it.
 * @throws CampusError if a value isn't a color, or if the dark block has a color that the light
 * block lacks
 */
export function readTheme(file: string): Theme {
  return requireTheme(checkTheme(file));
}

export const missingColour = "is missing; copy its line from campus/theme.css";

const mistake = (field: string, sentence: string): Mistake => ({
  file: "theme.css",
  field,
  sentence,
});

/** Reads the colors and the mistakes of a `theme.css`. Omits colors with a mistake. */
export function checkTheme(file: string): { theme?: Theme; mistakes: Mistake[] } {
  if (isFile(file)) return checkThemeText(readFileSync(file, "utf8"));
  const reason = isFolder(file) ? notAFile : "is missing; it must contain the colours";
  return { mistakes: [mistake("(whole file)", reason)] };
}

export function readThemeText(text: string): Theme {
  return requireTheme(checkThemeText(text));
}

function requireTheme({ theme, mistakes }: ReturnType<typeof checkTheme>): Theme {
  refuseMistakes(mistakes);
  if (!theme) throw new CampusError(mistakes);
  return theme;
}

/**
 * Finds everything that a stylesheet would load from other sites. Our pages promise to load nothing
 * from other sites.
 */
function findForeignLoads(css: string): Mistake[] {
  const foreign = /@import[^;]*|url\(\s*["']?(?:https?:)?\/\/[^)\s"']*/gi;
  return [...css.matchAll(foreign)].map(([what]) => ({
    ...mistake(
      what.startsWith("@") ? "@import" : what,
      "loads a file from another site, which our pages promise never to do; put fonts into fonts/ and pictures into pictures/",
    ),
    since: "1.14",
  }));
}

function checkThemeText(text: string): { theme?: Theme; mistakes: Mistake[] } {
  const css = text.replace(/\/\*[\s\S]*?\*\//g, "");
  if (css.split("{").length !== css.split("}").length) {
    return { mistakes: [mistake("(whole file)", "has an unclosed {; close each { with a }")] };
  }
  const blocks = [...css.matchAll(/:root\s*\{([^}]*)\}/g)].map((match) =>
    Object.fromEntries(
      [...(match[1] ?? "").matchAll(/--([\w-]+):\s*([^;]+)(?:;|$)/g)].map((pair) => [
        pair[1] ?? "",
        (pair[2] ?? "").trim().toLowerCase(),
      ]),
    ),
  );
  const [light = {}, dark = {}] = blocks;
  const mistakes: Mistake[] = findForeignLoads(css);
  const line = findConflict(text);
  if (line !== undefined) {
    mistakes.push({ ...mistake("(whole file)", conflict), line, since: "1.14" });
  }
  for (const [scheme, colours] of Object.entries({ light, dark })) {
    for (const [name, colour] of Object.entries(colours)) {
      if (/^#[0-9a-f]{6}$/.test(colour)) continue;
      const swallowed = [...colour.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)];
      const isOpen = /^#[0-9a-f]{6}\s+--/.test(colour);
      const sentence = isOpen
        ? "must end with a semicolon"
        : "must be a colour of # and six digits, such as #1d1433";
      mistakes.push(mistake(`${scheme} --${name}`, sentence));
      delete colours[name];
      // Without its semicolon, a color's value includes the next declaration.
      if (isOpen) colours[name] = colour.slice(0, 7);
      for (const [, next = "", its = ""] of swallowed) colours[next] = its;
    }
  }
  for (const name of Object.keys(dark)) {
    const isReported = mistakes.some(({ field }) => field === `light --${name}`);
    if (!(name in light) && !isReported) mistakes.push(mistake(`light --${name}`, missingColour));
  }
  return { theme: { light, dark: { ...light, ...dark } }, mistakes };
}
