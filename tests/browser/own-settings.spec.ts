import { expect, statusLine, test } from "../harness/browser.ts";
import { categoryPaths, missingPaths, pagePaths, postPaths } from "../harness/campus.ts";
import * as looks from "../harness/looks.ts";
import {
  doubleText,
  expectAllReadable,
  expectMarked,
  spaceText,
  weakTexts,
} from "../harness/readable.ts";

/** Each kind of page once, the longest post among them. */
const templates = [...pagePaths, "/blog?category=Cricket", ...missingPaths.slice(0, 2)].filter(
  (path) => !categoryPaths.slice(1).includes(path) && !postPaths.slice(2).includes(path),
);

test.beforeEach(async ({ page, noise }) => {
  noise.expect(statusLine(404));
  await page.emulateMedia({ reducedMotion: "reduce" });
});

for (const path of templates) {
  test(`${path} can be read with text of twice the size on the smallest phone`, async ({
    page,
  }) => {
    await doubleText(page);
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 640 });
      await page.goto(path);
      await expectAllReadable(page, `at ${width} px`);
      expect.soft(await page.evaluate(looks.brokenWords), `broken at ${width} px`).toEqual([]);
    }
  });

  test(`${path} can be read with the spaces between letters, words and lines that WCAG names`, async ({
    page,
  }) => {
    for (const viewport of [
      { width: 320, height: 640 },
      { width: 1280, height: 800 },
    ]) {
      await page.setViewportSize(viewport);
      await page.goto(path);
      await spaceText(page);
      await expectAllReadable(page, `at ${viewport.width} px`);
      const broken = await page.evaluate(looks.brokenWords);
      expect.soft(broken, `broken at ${viewport.width} px`).toEqual([]);
    }
  });

  test(`${path} on a phone held sideways: the title in the first view, the focus never under the header`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 844, height: 390 });
    await page.goto(path);
    await expectAllReadable(page, "at 844x390");
    const title = await page.locator("h1").boundingBox();
    expect.soft((title?.y ?? 999) + (title?.height ?? 0), "the title").toBeLessThan(390);
    await page.evaluate(() => scrollTo({ top: 600, behavior: "instant" }));
    await expect.soft(page.locator("[data-site-header]"), "the header").not.toBeInViewport();
    for (let step = 0; step < 400; step++) {
      await page.keyboard.press("Tab");
      expect.soft(await page.evaluate(looks.hiddenFocus)).toBeUndefined();
      const outside = await page.evaluate(() => document.activeElement === document.body);
      if (outside) break;
    }
  });

  test(`${path} keeps seven to one for whoever asks for more contrast`, async ({ page }) => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ contrast: "more", colorScheme });
      await page.goto(path);
      expect.soft(await weakTexts(page), colorScheme).toEqual([]);
    }
  });

  test(`${path} keeps edges, marks and the focus with forced colours`, async ({ page }) => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ forcedColors: "active", colorScheme });
      await page.goto(path);
      await expectMarked(page, colorScheme);
    }
  });

  test(`${path} on an upright phone: walking back from its end, most of what has the focus is seen below the header`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto(path);
    await page.locator("footer a").last().focus();
    for (let step = 0; step < 400; step++) {
      await page.keyboard.press("Shift+Tab");
      expect.soft(await page.evaluate(looks.buriedFocus)).toBeUndefined();
      const reached = await page.evaluate(() =>
        document.activeElement?.closest("[data-site-header]"),
      );
      if (reached) return;
    }
    throw new Error("The header was never reached");
  });
}
