import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { CampusError, type Mistake } from "../campus-reader/mistakes.ts";
import type { CampusSettings } from "../campus-reader/schema.ts";

type Named = Pick<CampusSettings, "headingFont">;

/**
 * Returns the file of the font that the campus names for its headings. Undefined if it names none.
 * @throws CampusError if the file is missing
 */
export function findHeadingFont(campusDir: string, settings: Named): string | undefined {
  const missing = findMissingFont(campusDir, settings);
  if (missing.length > 0) throw new CampusError(missing);
  return settings.headingFont && join(campusDir, "fonts", `${settings.headingFont}.woff2`);
}

/** Finds the campus's heading font if it names one that its folder lacks. */
export function findMissingFont(campusDir: string, { headingFont: name }: Named): Mistake[] {
  if (!name || existsSync(join(campusDir, "fonts", `${name}.woff2`))) return [];
  const sentence = `there is no fonts/${name}.woff2; put the font there, or take headingFont out to use the reader's own`;
  return [{ file: "campus.yaml", field: "headingFont", sentence }];
}

/** Returns the style sheet that puts the campus's font before the others in headings. */
export function headingStyles(file: string): string {
  // Relative to theme.css, because Vite takes an absolute path for an address of the site.
  return `
@font-face {
  font-family: Heading;
  src: url("./fonts/${basename(file)}");
  font-weight: 500 800;
  font-display: swap;
}

:root {
  --display: Heading, "Bricolage Grotesque", Fallback, Letters, sans-serif;
}
`;
}
