import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import subsetFont from "subset-font";
import type { Plugin } from "vite";
import type { LoadedCampus } from "../campus-reader/campus.ts";
import { nameLanguage } from "../server/platform/i18n/texts.ts";
import { coveredBy, keepFace } from "./display-face.ts";
import { loadedCampus, root } from "./loaded-campus.ts";

/** Letters of scripts that many machines have no face for. */
const seldom =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u;

/** Marks that several scripts share, and the joiners, which shape the letters beside them. */
const shared = /[\u0964\u0965\u200c\u200d]/;

const lettersId = "virtual:letters";

/**
 * Provides, by language, a face subset to the letters that its pages write and many machines can't
 * draw, as `virtual:letters`. A lab computer may have no face for Bengali, which even an English
 * page needs for the other language's name and the currency sign. Each script is drawn by the
 * installed package `noto-sans-SCRIPT`.
 * @param campusDir the absolute path of the campus
 */
export function lettersPlugin(campusDir: string): Plugin {
  return {
    name: "letters",
    resolveId(source) {
      return source === lettersId ? `\0${lettersId}` : undefined;
    },
    async load(id) {
      if (id !== `\0${lettersId}`) return;
      const imports: string[] = [];
      const byLanguage: string[] = [];
      for (const [language, letters] of seldomLetters(loadedCampus(campusDir))) {
        const faces = await cutFaces(letters);
        const missing = [...letters].filter(
          (letter) => seldom.test(letter) && !faces.some(({ has }) => has.has(letter)),
        );
        if (missing.length > 0) {
          this.warn(
            `Nothing draws "${missing.join("")}" where a reader's machine does not: install the package @fontsource-variable/noto-sans-SCRIPT of this script.`,
          );
        }
        const entries = faces.map(({ file, range }) => {
          const name = `face${imports.length}`;
          imports.push(`import ${name} from ${JSON.stringify(`${file}?url`)};`);
          return `{url:${name},range:${JSON.stringify(range)}}`;
        });
        byLanguage.push(`${JSON.stringify(language)}:[${entries}]`);
      }
      return `${imports.join("")}export const letters={${byLanguage}};`;
    },
  };
}

/**
 * Collects, by language, every seldom letter that its pages write. A language's own script
 * contributes its whole alphabet, because people type names and the system formats dates; scripts
 * with thousands of signs are excluded.
 */
function seldomLetters({ translations, ...first }: LoadedCampus): [string, Set<string>][] {
  const all = [first, ...translations];
  return all.map((campus) => {
    const { translations: _, ...settings } = campus.settings;
    const names = all.map((other) =>
      nameLanguage(other.settings.language, other.settings.language),
    );
    const text = JSON.stringify([{ ...campus, settings }, names]);
    const script = new Intl.Locale(settings.language).maximize().script;
    const own = new RegExp(`\\p{Script=${script}}`, "u");
    const alphabet = Array.from({ length: 0x2000 }, (_, code) => String.fromCodePoint(code));
    const letters = [...alphabet.filter((sign) => own.test(sign)), ...text];
    const isWanted = (sign: string) => seldom.test(sign) || shared.test(sign);
    return [settings.language, new Set(letters.filter(isWanted))];
  });
}

/**
 * Writes a file for each script, subset to the letters of a language, with its characters and their
 * ranges.
 */
async function cutFaces(letters: ReadonlySet<string>) {
  const faces: { file: string; range: string; has: Set<string> }[] = [];
  if (letters.size === 0) return faces;
  const packages = join(root, "node_modules/@fontsource-variable");
  for (const path of globSync("noto-sans-*/files/*-wght-normal.woff2", { cwd: packages }).sort()) {
    const original = readFileSync(join(packages, path));
    const text = [...letters].sort().join("");
    const cut = (targetFormat: "truetype" | "woff2") =>
      subsetFont(original, text, { targetFormat, variationAxes: { wght: { min: 400, max: 750 } } });
    const codes = coveredBy(await cut("truetype"));
    const has = new Set([...letters].filter((letter) => codes.has(letter.codePointAt(0) ?? 0)));
    if (has.size === 0) continue;
    const face = await cut("woff2");
    const file = await keepFace("letters/l.woff2", face, () => face);
    faces.push({ file, range: rangesOf([...codes].filter((code) => code > 0x7f)), has });
  }
  return faces;
}

/** Formats code points as a CSS unicode-range, joining near ones. */
function rangesOf(codes: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const code of [...codes].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last && code - last[1] < 64) last[1] = code;
    else ranges.push([code, code]);
  }
  const hex = (code: number) => code.toString(16);
  return ranges.map(([from, to]) => `U+${hex(from)}${to > from ? `-${hex(to)}` : ""}`).join(",");
}
