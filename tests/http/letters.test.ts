import subsetFont from "subset-font";
import { afterAll, expect, test } from "vitest";
import { inLanguage } from "../../server/language/in-language.ts";
import { coveredBy } from "../../vite/display-face.ts";
import { campus, pagePaths } from "../harness/campus.ts";
import { textOf } from "../harness/html.ts";
import { openTestSite } from "../harness/test-site.ts";

const site = await openTestSite();
afterAll(() => site[Symbol.asyncDispose]());

const everywhere =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]/u;

/** The letters that a face has which a page brings. */
async function lettersOf(url: string): Promise<Set<number>> {
  const face = Buffer.from(await (await site.ask(url)).arrayBuffer());
  return coveredBy(
    await subsetFont(face, undefined, { targetFormat: "truetype", keepAllGlyphs: true }),
  );
}

const languages = [campus, ...campus.translations].map(({ settings }) => settings.language);

test.each(languages)(
  "no page in %s writes a letter that some machine shows as a box",
  async (language) => {
    const known = new Map<string, Set<number>>();
    for (const path of [...pagePaths, "/nowhere"]) {
      const address = language === campus.settings.language ? path : inLanguage(path, language);
      const html = await site.read(address, path === "/nowhere" ? 404 : 200);
      const [, url = ""] = /font-family:Letters;src:[^;]*?url\(([^)]*)\)/.exec(html) ?? [];
      if (url && !known.has(url)) known.set(url, await lettersOf(url));
      const written = new Set([...textOf(html)].filter((letter) => everywhere.test(letter)));
      const drawn = known.get(url);
      const boxes = [...written].filter((letter) => !drawn?.has(letter.codePointAt(0) ?? 0));
      expect(boxes, address).toEqual([]);
    }
  },
);
