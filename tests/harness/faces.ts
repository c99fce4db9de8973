import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import subsetFont from "subset-font";
import { root } from "./campus.ts";

/**
 * The faces that pages are measured with, whatever faces a machine has: Arimo has the widths of Arial, and DejaVu Sans, which
 * some Linux desktops have alone, is as wide as Verdana; no system's interface has a wider one.
 */
export const faces = { narrow: "Arimo", wide: "DejaVu Sans" } as const;

const folder = join(root, "node_modules/.cache/test-faces");

/** The setting with which a browser on Linux has this face and no other. */
export function environmentOf(face: keyof typeof faces): { FONTCONFIG_FILE: string } {
  return { FONTCONFIG_FILE: join(folder, `${face}.conf`) };
}

/** Writes the faces as files that browsers find; before a run of browser tests. */
export default async function writeFaces(): Promise<void> {
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
    write(
      environmentOf(face as keyof typeof faces).FONTCONFIG_FILE,
      `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${files}</dir><cachedir>${files}/cache</cachedir></fontconfig>`,
    );
  }
}

/** Two runs may write the same file at once, and no browser reads half of it. */
function write(file: string, content: Buffer | string): void {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, content);
  renameSync(own, file);
}
