import { desktop, expect, type Page, phone, statusLine, test } from "../harness/browser.ts";
import {
  categoryPaths,
  contentPaths,
  missingPaths,
  pagePaths,
  postPaths,
} from "../harness/campus.ts";
import * as looks from "../harness/looks.ts";
import { doubleText } from "../harness/readable.ts";

const paths = [...pagePaths, "/blog?category=Cricket", ...missingPaths.slice(0, 2)];

/** Each kind of page once. */
const templates = paths.filter(
  (path) => !categoryPaths.includes(path) && !postPaths.slice(1).includes(path),
);

test.beforeEach(async ({ page, noise }) => {
  noise.expect(statusLine(404));
  await page.emulateMedia({ reducedMotion: "reduce" });
});

for (const path of paths) {
  test(`${path} fits: no sideways scrolling, large targets, a focus that is seen`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(path);
    await page.evaluate(looks.unfold);
    expect.soft(await page.evaluate(looks.sideways), "at 320 px").toEqual([]);
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport);
      expect
        .soft(await page.evaluate(looks.smallTargets), `targets at ${viewport.width} px`)
        .toEqual([]);
      expect.soft(await unseenFocus(page), `focus at ${viewport.width} px`).toEqual([]);
    }
  });
}

test("no page scrolls sideways where its columns begin", async ({ page }) => {
  for (const width of [768, 960, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of templates) {
      await page.goto(path);
      await page.evaluate(looks.unfold);
      expect.soft(await page.evaluate(looks.sideways), `${path} at ${width} px`).toEqual([]);
    }
  }
});

test("text of twice the size fits on a tablet", async ({ page }) => {
  await doubleText(page);
  await page.setViewportSize({ width: 768, height: 1024 });
  for (const path of templates) {
    await page.goto(path);
    await page.evaluate(looks.unfold);
    expect
      .soft(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize))
      .toBe("32px");
    expect.soft(await page.evaluate(looks.sideways), path).toEqual([]);
  }
});

/** Elements that can have the focus but look the same with it as without it. */
async function unseenFocus(page: Page): Promise<string[]> {
  // From here on the browser shows the focus, because it was moved by keyboard.
  await page.keyboard.press("Tab");
  return page.evaluate(looks.unseenFocus);
}

test("whoever asks for less motion sees none, on any page", async ({ page }) => {
  for (const path of paths) {
    await page.goto(path);
    await page.evaluate(looks.unfold);
    const running = await page.evaluate(() =>
      document
        .getAnimations()
        .filter((animation) => animation.playState === "running")
        .map((animation) => (animation as CSSAnimation).animationName),
    );
    expect(running, path).toEqual([]);
  }
});

test("nothing moves by itself for more than five seconds", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  for (const path of paths) {
    await page.goto(path);
    const endless = await page.evaluate(() =>
      document.getAnimations().flatMap((animation) => {
        if (!(animation.timeline instanceof DocumentTimeline)) return [];
        const end = Number(animation.effect?.getComputedTiming().endTime ?? 0);
        return end > 5_000 ? [(animation as CSSAnimation).animationName] : [];
      }),
    );
    expect(endless, path).toEqual([]);
  }
});

for (const [size, viewport] of Object.entries({ phone, desktop })) {
  test(`nothing jumps while a page arrives (${size})`, async ({ page }) => {
    await page.setViewportSize(viewport);
    for (const path of [
      ...contentPaths.filter((path) => !path.includes("?")),
      "/delete-my-account",
    ]) {
      // A busy machine may paint a page of which half has come (slow-line.spec.ts tells what may move then).
      await expect(async () => {
        await page.goto(path);
        await page.evaluate(() => document.fonts.ready);
        const shift = await page.evaluate(looks.shifted);
        expect(shift, path).toBeLessThan(0.005);
      }).toPass();
    }
  });
}

test("one heading leads each page, and none is skipped on the way down", async ({ page }) => {
  for (const path of paths) {
    await page.goto(path);
    const levels = await page
      .locator("h1, h2, h3, h4, h5, h6")
      .evaluateAll((all) => all.map((heading) => Number(heading.tagName[1])));
    expect(
      levels.filter((level) => level === 1),
      path,
    ).toHaveLength(1);
    const skipped = levels.filter(
      (level, index) => index > 0 && level > (levels[index - 1] ?? 0) + 1,
    );
    expect(skipped, path).toEqual([]);
  }
});
