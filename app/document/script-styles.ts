/**
 * CSS counter styles for a script's digits (CSS Counter Styles Level 3, 6.1), by ISO 15924 code.
 */
const countersOfScripts: Record<string, string> = { Beng: "bengali" };

/** Minimum line height at which marks above and below letters don't touch. */
const closestLines = 1.3;

/** Returns a language's script if it needs looser styles than the site's. */
export function looseScriptOf(language: string): string | undefined {
  const { script = "" } = new Intl.Locale(language).maximize();
  return script in countersOfScripts ? script : undefined;
}

/** Returns the path of a stylesheet's loosened copy. */
export function loosePath(path: string, script: string | undefined): string {
  return script ? path.replace(/css$/, `${script}.css`) : path;
}

/**
 * Loosens a built stylesheet for a non-Latin script: no tight letter spacing, no close lines, no
 * capitals, no italics. Raises weight 600 to 650, because browsers embolden a font with a single
 * weight only above 600.
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
      // Counts in the script's own digits.
      .replace(/(list-style(?:-type)?:)decimal\b/g, `$1${counters}`)
      .replace(/counter\(([\w-]+)\)/g, `counter($1,${counters})`)
  );
}
