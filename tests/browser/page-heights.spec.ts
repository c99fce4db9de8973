import { paths } from "../../server/platform/http/paths.ts";
import { expect, test } from "../harness/browser.ts";
import { addressIn, campus, editions, isFirstCampus, postPaths } from "../harness/campus.ts";
import * as looks from "../harness/in-page.ts";

/**
 * Maximum heights on a phone 360 px wide, in pixels: the landing page, the list of all posts, and
 * the position of the deletion form. They are those of the first campus; other texts get a tenth
 * more.
 */
const longest = { landing: 10_500, allPosts: 6_000, formBegins: 900 };

for (const { settings } of editions) {
  const { language } = settings;
  const isFirst = language === campus.settings.language;
  const room = isFirst && isFirstCampus ? 1 : 1.1;

  test(`keeps pages in ${language} within their maximum length on a phone`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.setViewportSize({ width: 360, height: 740 });
    const open = async (path: string) => {
      await page.goto(addressIn(language, path));
      await page.evaluate(() => document.fonts.ready.then(() => {}));
      await expect.poll(() => page.evaluate(looks.lateParts)).toBe(0);
      return page.evaluate(looks.pageHeight);
    };
    expect.soft(await open(paths.landing)).toBeLessThanOrEqual(longest.landing * room);
    // The list's maximum is for the first campus's fifteen posts.
    const allPosts = await open(`${paths.blog}?category=All`);
    if (postPaths.length <= 15) expect.soft(allPosts).toBeLessThanOrEqual(longest.allPosts * room);
    await open(paths.deletion);
    const form = await page.locator("#deletion-form").boundingBox();
    expect.soft(form?.y).toBeLessThanOrEqual(longest.formBegins * room);
  });
}
