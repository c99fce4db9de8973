import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { CampusError, type Mistake } from "../campus-reader/mistakes.ts";
import type { CampusSettings } from "../campus-reader/schema.ts";

type Named = Pick<CampusSettings, "headingFont">;

/**
 * Returns the path of the campus's heading font, or undefined if the campus has none.
 * @throws CampusError if the file is missing
 */
export function findHeadingFont(campusDir: string, settings: Named): string | undefined {
  const missing = findMissingFont(campusDir, settings);
  if (missing.length > 0) throw new CampusError(missing);
  return settings.headingFont && join(campusDir, "fonts", `${settings.headingFont}.woff2`);
}

/** Reports a mistake if the campus's heading font is missing. */
export function findMissingFont(campusDir: string, { headingFont: name }: Named): Mistake[] {
  if (!name || existsSync(join(campusDir, "fonts", `${name}.woff2`))) return [];
  const sentence = `there is no fonts/${name}.woff2; put the font there, or remove headingFont to use the reader's own`;
  return [{ file: "campus.yaml", field: "headingFont", sentence }];
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
