import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { root } from "./campus.ts";

/**
 * Fonts that make measurements the same on every machine. DejaVu Sans is the only font on some
 * Linux desktops; no system's default font is wider. Arimo is as wide as Arial.
 */
const faces = { wide: "DejaVu Sans", narrow: "Arimo" } as const;

const folder = join(root, "node_modules/.cache/test-faces");
const settings = join(folder, "fonts.conf");

/** An alias for Arimo. No page uses this name, so only `setBodyFont` selects the font. */
const narrowName = "Narrow Stand-In";

/** Environment variables for browsers on Linux. The wide font replaces every system font. */
export const environment = { FONTCONFIG_FILE: settings };

/** Sets the font of body text. Headings keep the site's display font. */
export async function setBodyFont(page: Page, face: keyof typeof faces): Promise<void> {
  await page.evaluate(
    (text) => {
      document.documentElement.style.setProperty("--text", text);
    },
    face === "narrow" ? `Letters, "${narrowName}"` : "",
  );
}

/** Installs the fonts before the browser tests. */
export default async function writeFaces(): Promise<void> {
  const { convert } = await import("fontverter");
  for (const [face, family] of Object.entries(faces)) {
    const files = join(folder, face);
    mkdirSync(files, { recursive: true });
    const name = family.toLowerCase().replace(" ", "-");
    const source = join(root, "node_modules/@fontsource", name, "files");
    for (const packed of readdirSync(source)) {
      if (!/-(?:latin|latin-ext)-(?:400|700)-normal\.woff2$/.test(packed)) continue;
      const truetype = await convert(readFileSync(join(source, packed)), "truetype");
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

/** Writes a file atomically, because concurrent runs read and write the same files. */
function write(file: string, content: Buffer | string): void {
  const temporaryFile = `${file}.${process.pid}`;
  writeFileSync(temporaryFile, content);
  renameSync(temporaryFile, file);
}
