import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page, statusLine, test } from "../harness/browser.ts";
import { categoryPaths, missingPaths, pagePaths, postPaths } from "../harness/campus.ts";
import * as looks from "../harness/looks.ts";

/** Each kind of page once, the longest post among them. */
const templates = [...pagePaths, "/blog?category=Cricket", ...missingPaths.slice(0, 2)].filter(
  (path) => !categoryPaths.slice(1).includes(path) && !postPaths.slice(2).includes(path),
);

test.beforeEach(async ({ page, noise }) => {
  noise.expect(statusLine(404));
  await page.emulateMedia({ reducedMotion: "reduce" });
});

/** Every text is on the page as a whole: in the view, not cut, and not on top of another. */
async function expectAllReadable(page: Page, state: string): Promise<void> {
  await page.evaluate(looks.unfold);
  await expect.poll(() => page.evaluate(looks.lateParts), `all laid out ${state}`).toBe(0);
  expect.soft(await page.evaluate(looks.sideways), `sideways ${state}`).toEqual([]);
  expect.soft(await page.evaluate(looks.cutTexts), `cut ${state}`).toEqual([]);
  expect.soft(await page.evaluate(looks.crossedTexts), `crossed ${state}`).toEqual([]);
  expect.soft(await page.evaluate(looks.coveredTexts), `covered ${state}`).toEqual([]);
}

for (const path of templates) {
  test(`${path} can be read with text of twice the size on the smallest phone`, async ({
    page,
  }) => {
    const session = await page.context().newCDPSession(page);
    await session.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
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
      await page.evaluate(() => {
        const spaced = new CSSStyleSheet();
        spaced.replaceSync(
          `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
           p { margin-bottom: 2em !important }`,
        );
        document.adoptedStyleSheets.push(spaced);
      });
      await expectAllReadable(page, `at ${viewport.width} px`);
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
      await page.evaluate(looks.unfold);
      const { violations } = await new AxeBuilder({ page })
        .withRules(["color-contrast-enhanced"])
        .analyze();
      const weak = violations.flatMap(({ nodes }) =>
        nodes.map(({ target, any }) => `${target} ${any[0]?.data.contrastRatio}`),
      );
      expect.soft(weak, colorScheme).toEqual([]);
    }
  });
}
