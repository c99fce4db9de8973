import { expect, test } from "../harness/browser.ts";
import { pagePaths } from "../harness/campus.ts";

test.use({ javaScriptEnabled: false });

for (const path of pagePaths) {
  test(`${path} is complete with JavaScript off`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("contentinfo")).toBeVisible();
    // Nothing waits for a script to be shown.
    const hidden = await page.locator("main :is(h1, h2, h3, p, img)").evaluateAll((all) =>
      all
        .filter((element) => !element.closest("details:not([open])"))
        .filter((element) => {
          const { opacity, visibility } = getComputedStyle(element);
          return opacity === "0" || visibility === "hidden";
        })
        .map((element) => element.outerHTML.slice(0, 120)),
    );
    expect(hidden).toEqual([]);
  });
}
