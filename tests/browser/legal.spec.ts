import { expect, type Page, phone, test } from "../harness/browser.ts";
import { campus } from "../harness/campus.ts";

const { legal: words } = campus.interface;
const contents = (page: Page) => page.getByRole("navigation", { name: words.contents });
const stop = (page: Page, number: number) => contents(page).locator(`a[href="#section-${number}"]`);

// One module renders both documents; the terms have the longer title.
const path = "/terms-conditions";
const last = campus.legal.terms.sections.length;
const middle = Math.ceil(last / 2);

test.use({ contextOptions: { reducedMotion: "reduce" } });

test("highlights the current section and prints the full text", async ({ page }) => {
  await page.goto(path);
  await expect(contents(page).locator("a[href^='#section-']")).toHaveCount(last);
  await expect(stop(page, middle)).not.toHaveAttribute("aria-current");
  await page.locator(`#section-${middle} h2`).evaluate((heading) => {
    heading.scrollIntoView();
  });
  await expect(stop(page, middle)).toHaveAttribute("aria-current", "true");
  await expect(contents(page).locator("[aria-current]")).toHaveCount(1);

  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("banner")).toBeHidden();
  await expect(page.getByRole("contentinfo")).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator(`#section-${last} h2`)).toBeVisible();
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(`on a phone ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ viewport: phone, javaScriptEnabled });

    test("links from the collapsed table of contents to each section", async ({ page }) => {
      await page.goto(path);
      await expect(stop(page, middle)).toBeHidden();
      await contents(page).locator("summary").click();
      await stop(page, middle).click();
      await expect(page.locator(`#section-${middle} h2`)).toBeInViewport();
    });
  });
}
