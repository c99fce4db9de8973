import { paths } from "../../server/platform/http/paths.ts";
import { expect, test } from "../harness/browser.ts";
import { addressIn, campus, editions, isFirstCampus, postPaths } from "../harness/campus.ts";
import * as probes from "../harness/in-page.ts";

/**
 * Maximum heights in pixels on a phone 360 px wide: the landing page, the list of all posts, and
 * the deletion page down to the form's first field. The limits fit the first campus in its default
 * language; other languages and campuses get ten percent more.
 */
const longest = { landing: 9_200, allPosts: 6_000, firstField: 600 };

for (const { settings } of editions) {
  const { language } = settings;
  const isFirst = language === campus.settings.language;
  const allowance = isFirst && isFirstCampus ? 1 : 1.1;

  test(`limits the height of ${language} pages on a phone`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.setViewportSize({ width: 360, height: 740 });
    const open = async (path: string) => {
      await page.goto(addressIn(language, path));
      await page.evaluate(() => document.fonts.ready.then(() => {}));
      await expect.poll(() => page.evaluate(probes.lateParts)).toBe(0);
      return page.evaluate(probes.pageHeight);
    };
    expect.soft(await open(paths.landing)).toBeLessThanOrEqual(longest.landing * allowance);
    // The limit for the list assumes the first campus's fifteen posts.
    const allPosts = await open(`${paths.blog}?category=All`);
    if (postPaths.length <= 15)
      expect.soft(allPosts).toBeLessThanOrEqual(longest.allPosts * allowance);
    await open(paths.deletion);
    const field = await page.locator("#email").boundingBox();
    expect.soft(field?.y).toBeLessThanOrEqual(longest.firstField * allowance);
  });
}
