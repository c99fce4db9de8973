import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { root } from "./campus.ts";

/**
 * The faces that pages are measured with, whatever faces a machine has: DejaVu Sans, which some Linux desktops have alone, is
 * as wide as Verdana, and no system's interface has a wider one; Arimo has the widths of Arial.
 */
const faces = { wide: "DejaVu Sans", narrow: "Arimo" } as const;

const folder = join(root, "node_modules/.cache/test-faces");
const settings = join(folder, "fonts.conf");

/** No page asks for Arimo by this name, so that only a test dresses one in it. */
const narrowName = "Narrow Stand-In";

/** A browser on Linux has the wide face for every other, and the narrow one for `wearFace`. */
export const environment = { FONTCONFIG_FILE: settings };

/** Sets the texts of a page in a face; titles have the site's own. */
export async function wearFace(page: Page, face: keyof typeof faces): Promise<void> {
  await page.evaluate(
    (text) => {
      document.documentElement.style.setProperty("--text", text);
    },
    face === "narrow" ? `Letters, "${narrowName}"` : "",
  );
}

/** Writes the faces as files that browsers find; before a run of browser tests. */
export default async function writeFaces(): Promise<void> {
  const { default: subsetFont } = await import("subset-font");
  for (const [face, family] of Object.entries(faces)) {
    const files = join(folder, face);
    mkdirSync(files, { recursive: true });
    const name = family.toLowerCase().replace(" ", "-");
    const source = join(root, "node_modules/@fontsource", name, "files");
    for (const packed of readdirSync(source)) {
      if (!/-(?:latin|latin-ext)-(?:400|700)-normal\.woff2$/.test(packed)) continue;
      const truetype = await subsetFont(readFileSync(join(source, packed)), undefined, {
        targetFormat: "truetype",
        keepAllGlyphs: true,
      });
      write(join(files, packed.replace("woff2", "ttf")), truetype);
    }
  }
  write(
    settings,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, "wide")}</dir><dir>${join(folder, "narrow")}</dir><cachedir>${folder}/cache</cachedir>
  <match target="scan">
    <test name="family"><string>${faces.narrow}</string></test>
    <edit name="family" mode="assign"><string>${narrowName}</string></edit>
  </match>
  <match><edit name="family" mode="append"><string>${faces.wide}</string></edit></match>
</fontconfig>`,
  );
}

/** Two runs may write the same file at once, and no browser reads half of it. */
function write(file: string, content: Buffer | string): void {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, content);
  renameSync(own, file);
}
