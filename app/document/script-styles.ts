/** What CSS calls the digits of a script (CSS Counter Styles Level 3, 6.1), by its four letters (ISO 15924). */
const countersOfScripts: Record<string, string> = { Beng: "bengali" };

/** Lines that stand closer make marks above and below letters touch. */
const closestLines = 1.3;

/** The script of a language, where the site's styles are too tight for it. */
export function looseScriptOf(language: string): string | undefined {
  const { script = "" } = new Intl.Locale(language).maximize();
  return script in countersOfScripts ? script : undefined;
}

/** Where a built stylesheet lies as it was loosened for a script. */
export function loosePath(path: string, script: string | undefined): string {
  return script ? path.replace(/css$/, `${script}.css`) : path;
}

/**
 * A built stylesheet for a script that is not Latin: nothing is set tighter than its letters allow, no line close to the
 * next, no letter drawn to its neighbour, nothing in capitals, nothing slanted. What is to be seen as heavier is heavy
 * enough for a face of one weight: browsers thicken its letters above 600 only.
 */
export function loosen(css: string, script: string): string {
  const counters = countersOfScripts[script];
  return (
    css
      .replace(/(line-height:|font:[^;}/]*\/ ?)(\d*\.?\d+)(?=[ ;}])/g, (whole, before, height) =>
        Number(height) < closestLines ? before + closestLines : whole,
      )
      .replace(/letter-spacing:-[^;}]+/g, "letter-spacing:0")
      .replace(/text-transform:uppercase/g, "text-transform:none")
      .replace(/font-style:italic/g, "font-style:normal")
      .replace(/font-weight:600/g, "font-weight:650")
      // Numbers that a stylesheet counts are in the digits of the text.
      .replace(/(list-style(?:-type)?:)decimal\b/g, `$1${counters}`)
      .replace(/counter\(([\w-]+)\)/g, `counter($1,${counters})`)
  );
}
