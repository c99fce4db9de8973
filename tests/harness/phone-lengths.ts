import { expect, type Page } from "@playwright/test";
import { paths } from "../../server/http/paths.ts";
import * as looks from "./looks.ts";

/**
 * How long pages may be on a phone of 360 px, in pixels: the landing page as a whole, the list of all posts as a whole,
 * and where the deletion page's form begins. The first campus keeps these; a tenth more is room for other words.
 */
export const phoneLengths = { landing: 10_500, allPosts: 6_000, formBegins: 900 };
export const roomForWords = 1.1;

/** The lengths of the site in one language, with everything laid out and every letter in its own face. */
export async function measureOnPhone(
  page: Page,
  to: (path: string) => string = (path) => path,
): Promise<typeof phoneLengths> {
  await page.setViewportSize({ width: 360, height: 740 });
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  const open = async (path: string) => {
    await page.goto(to(path));
    await page.evaluate(() => document.fonts.ready.then(() => {}));
    await expect.poll(() => page.evaluate(looks.lateParts)).toBe(0);
  };
  await open(paths.landing);
  const landing = await height();
  await open(`${paths.blog}?category=All`);
  const allPosts = await height();
  await open(paths.deletion);
  const formBegins = (await page.locator("#deletion-form").boundingBox())?.y ?? Number.NaN;
  return { landing, allPosts, formBegins };
}
