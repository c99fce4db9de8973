import { readdirSync } from "node:fs";
import { isLeftBehind } from "./left-behind.ts";
import type { Report } from "./mistakes.ts";
import { findNearest } from "./spelling.ts";
import { isFolder } from "./text-files.ts";

export const pictureEnding = /\.(?:jpe?g|png|gif|webp|avif|svg|heic)$/i;

const files = ["campus.yaml", "calendar.yaml", "deletion.yaml", "theme.css"];
/** Files that `npm run campus -- palette` writes for drawing programs. */
const swatches = ["palette.gpl", "palette.svg"];
const folders = ["content", "pictures", "fonts"];

/** Names of files and folders that people misplace, with the correct location for each. */
const elsewhere: readonly (readonly [name: RegExp, todo: string])[] = [
  [pictureEnding, "pictures go into pictures/"],
  [/\.(?:woff2?|ttf|otf)$/i, "fonts go into fonts/, as .woff2"],
  [/\.css$/i, "theme.css is the stylesheet of a campus"],
  [/^(?:images?|img|photos?|logos?|assets|static|public)$/i, "pictures go into pictures/"],
  [/^(?:posts|blog|pages|legal)$/i, "it belongs in content/LANGUAGE/"],
  [
    /^(?:faq|landing|interface|mail|operator)\.ya?ml$/i,
    "it belongs in content/LANGUAGE/, such as content/en/faq.yaml",
  ],
];

/**
 * Reports files and folders next to campus.yaml that look like parts of the campus but are never
 * read. Other files, such as a README, are allowed.
 */
export function refuseStrayFiles(folder: string, report: Report): void {
  const names = isFolder(folder) ? readdirSync(folder) : [];
  for (const name of names) {
    if (isLeftBehind(name) || [...files, ...swatches, ...folders].includes(name)) continue;
    const isFile = name.includes(".");
    const suggestion = findNearest(name, isFile ? files : folders);
    const todo =
      elsewhere.find(([shape]) => shape.test(name))?.[1] ??
      (suggestion && `did you mean ${suggestion}?`);
    if (todo === undefined) continue;
    const field = isFile ? "(whole file)" : "(whole folder)";
    report(name, field, `is never read; ${todo}`, { since: "1.14" });
  }
}
