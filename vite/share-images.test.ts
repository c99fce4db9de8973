import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { loadCampus } from "../campus-reader/load.ts";
import { copyCampus } from "../tests/harness/campus-copy.ts";
import { createPen } from "./line-pen.ts";
import { root } from "./loaded-campus.ts";
import { filesOf } from "./pictures-plugin.ts";

const copy = copyCampus(join(root, "campus-examples/kaltensee"));
const landing = "content/de/landing.yaml";
const post = "content/de/posts/1-nebel-auf-der-uferstrasse.md";

afterEach(() => copy.restore());
afterAll(() => copy[Symbol.dispose]());

/** Returns the URL of the share image for a headline. Its hash identifies the image's content. */
async function shareImageWith(headline: string): Promise<string | undefined> {
  copy.restore();
  copy.change(landing, /headline: .*/, `headline: "${headline}"`);
  copy.change(post, /title: .*/, `title: "${headline}"`);
  using other = copyCampus(copy.folder);
  const campus = loadCampus(other.folder);
  expect(campus.landing.hero.headline).toBe(headline);
  expect(campus.posts.map(({ title }) => title)).toContain(headline);
  return (await filesOf(other.folder)).shareImages.default;
}

test("omits a headline from a share image if no font contains its letters", async () => {
  const [devanagari, cyrillic, thai, latin, emoji] = [
    await shareImageWith("कैंपस की सवारी"),
    await shareImageWith("Поїздки кампусом"),
    await shareImageWith("เดินทางในมหาวิทยาลัย"),
    await shareImageWith("Campus rides"),
    await shareImageWith("Campus rides 🛵"),
  ];
  expect(devanagari).toBeDefined();
  expect(cyrillic).toBe(devanagari);
  expect(thai).toBe(devanagari);
  expect(latin).not.toBe(devanagari);
  expect(emoji).toBe(latin);
});

test("draws joined Arabic letters from right to left in the campus's font", async () => {
  const font = join(root, "campus-examples/cairo/fonts/cairo.woff2");
  const text = "مشوار";
  expect((await createPen([text])).canDraw(text)).toBe(false);
  const pen = await createPen([text], font);
  expect(pen.canDraw(text)).toBe(true);
  const pathOf = (letter: string) => / d="([^"]+)"/.exec(pen.draw(0, 0, 100, letter))?.[1] ?? "";
  expect(pen.draw(0, 0, 100, text)).not.toContain(pathOf("م"));
  // The number after the word must be to the left of the word, with its digits in their usual
  // order.
  const drawn = pen.draw(0, 0, 100, "دقيقة 12");
  expect(drawn.indexOf(pathOf("1"))).toBe(drawn.indexOf("d=") + 3);
  expect(drawn.indexOf(pathOf("1"))).toBeLessThan(drawn.indexOf(pathOf("2")));
});

test("reports a missing or broken heading font by file name", async () => {
  copy.change("campus.yaml", "motifs:", "headingFont: nirgends\nmotifs:");
  await expect(filesOf(copy.folder)).rejects.toThrow("fonts/nirgends.woff2");
  copy.write("fonts/nirgends.woff2", "no font");
  await expect(filesOf(copy.folder)).rejects.toThrow(
    "campus/fonts/nirgends.woff2: (whole file): is not a font",
  );
});
