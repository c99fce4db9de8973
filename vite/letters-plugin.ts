import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import subsetFont from "subset-font";
import type { Plugin } from "vite";
import type { LoadedCampus } from "../campus-reader/campus.ts";
import { nameLanguage } from "../server/language/texts.ts";
import { coveredBy, keepFace } from "./display-face.ts";
import { loadedCampus, root } from "./loaded-campus.ts";

/** Letters of scripts that not every machine has a face for. */
const seldom =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u;

/** Marks that several scripts share, and the joiners, which shape the letters beside them. */
const shared = /[\u0964\u0965\u200c\u200d]/;

const lettersId = "virtual:letters";

/**
 * Offers, by language, the letters that its pages write and many machines have no face for: a face for them, cut to these
 * letters, as `virtual:letters`. A lab's computer has none for Bengali, in which an English page, too, writes the other
 * language's name and the sign of its money. Each script is drawn by the package `noto-sans-SCRIPT` that is installed.
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
 * By language, every seldom letter that pages in it write. In a language's own script these are all that an alphabet has:
 * people type their names, and dates are put into words by the system. Scripts of thousands of signs lie beyond.
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

/** A file for each script, cut to the letters of a language, with what it has and the ranges of these. */
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

/** Code points as a stylesheet names them, near ones together. */
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
