import bengali from "../ui/bengali.css?inline";

/** What a script of the world needs beside the site's own styles, by its four letters (ISO 15924). */
const stylesOfScripts: Record<string, string> = { Beng: bengali };

/** CSS Counter Styles Level 3, 6.1. */
const countersOfScripts: Record<string, string> = { Beng: "bengali" };

/** Lines that stand closer make marks above and below letters touch. */
const closestLines = 1.3;

/** The styles of a language's script; undefined for those that the site is drawn in. */
export function findScriptStyles(language: string): string | undefined {
  return stylesOfScripts[new Intl.Locale(language).maximize().script ?? ""];
}

/** What CSS calls the digits of a language's script. */
function countersOf(language: string): string {
  return countersOfScripts[new Intl.Locale(language).maximize().script ?? ""] ?? "decimal";
}

/**
 * The site's styles for a page in this language. For a script that is not Latin nothing is set tighter than its letters
 * allow: no line close to the next, no letter drawn to its neighbour, nothing in capitals, nothing slanted. What is to be
 * seen as heavier is heavy enough for a face of one weight: browsers thicken its letters above 600 only.
 */
export function styleForScript(css: string, language: string): string {
  const own = findScriptStyles(language);
  if (own === undefined) return css;
  const loosened = css
    .replace(/(line-height:|font:[^;}/]*\/ ?)(\d*\.?\d+)(?=[ ;}])/g, (whole, before, height) =>
      Number(height) < closestLines ? before + closestLines : whole,
    )
    .replace(/letter-spacing:-[^;}]+/g, "letter-spacing:0")
    .replace(/text-transform:uppercase/g, "text-transform:none")
    .replace(/font-style:italic/g, "font-style:normal")
    .replace(/font-weight:600/g, "font-weight:650")
    // Numbers that a stylesheet counts are in the digits of the text.
    .replace(/(list-style(?:-type)?:)decimal\b/g, `$1${countersOf(language)}`)
    .replace(/counter\(([\w-]+)\)/g, `counter($1,${countersOf(language)})`);
  return loosened + own;
}
