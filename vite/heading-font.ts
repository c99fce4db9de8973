import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { CampusError, type Mistake } from "../campus-reader/mistakes.ts";
import type { CampusSettings } from "../campus-reader/schema.ts";
import { isFile } from "../campus-reader/text-files.ts";

type Named = Pick<CampusSettings, "headingFont">;

/**
 * Returns the path of the campus's heading font, or undefined if the campus has none.
 * @throws CampusError if the file is missing or not a font
 */
export function findHeadingFont(campusDir: string, settings: Named): string | undefined {
  const missing = findMissingFont(campusDir, settings);
  if (missing.length > 0) throw new CampusError(missing);
  return settings.headingFont && join(campusDir, "fonts", `${settings.headingFont}.woff2`);
}

/** First four bytes of the font formats that share images can be drawn with. */
const fontSignatures = ["wOF2", "wOFF", "OTTO", "true", "\0\x01\0\0"];

/** Reports a mistake if the campus's heading font is missing or not a font. */
export function findMissingFont(campusDir: string, { headingFont: name }: Named): Mistake[] {
  if (!name) return [];
  const file = join(campusDir, "fonts", `${name}.woff2`);
  if (!isFile(file)) {
    const sentence = `there is no fonts/${name}.woff2; put the font there, or remove headingFont to use the reader's own`;
    return [{ file: "campus.yaml", field: "headingFont", sentence }];
  }
  if (fontSignatures.includes(readFileSync(file).toString("latin1", 0, 4))) return [];
  const sentence = "is not a font; save it as WOFF2 again";
  return [{ file: `fonts/${name}.woff2`, field: "(whole file)", sentence }];
}

/** Returns the stylesheet that gives headings the campus's font, with fallbacks. */
export function headingStyles(file: string): string {
  // The path is relative to theme.css, because Vite would interpret an absolute path as a URL path
  // on the site.
  return `
@font-face {
  font-family: Heading;
  src: url("./fonts/${basename(file)}");
  font-weight: 500 800;
  font-display: swap;
}

:root {
  --display: Heading, "Bricolage Grotesque", Fallback, var(--text);
}
`;
}
