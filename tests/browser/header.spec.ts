import { expect, type Page, phone, tabTo, test, untilShown } from "../harness/browser.ts";
import { campus } from "../harness/campus.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });

const { nav, skipLink } = campus.interface;

const header = (page: Page) => page.getByRole("banner");
const menu = (page: Page) => page.getByRole("navigation", { name: nav.label });
const toggle = (page: Page) => header(page).getByRole("button");

/** Returns the computed style that shows whether the header is opaque. */
const readStyle = (page: Page) =>
  header(page).evaluate((element) => {
    const style = getComputedStyle(element);
    return `${style.backgroundColor} ${style.borderBottomColor}`;
  });

test("makes the header opaque after 50 pixels of scrolling", async ({ page }) => {
  await page.goto("/faq");
  const atTop = await readStyle(page);
  await page.evaluate(() => scrollTo(0, 50));
  await untilShown(page);
  expect(await readStyle(page)).toBe(atTop);
  await page.evaluate(() => scrollTo(0, 51));
  await expect.poll(() => readStyle(page)).not.toBe(atTop);
  expect((await header(page).boundingBox())?.y, "top of the header").toBe(0);
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(() => readStyle(page)).toBe(atTop);
  // On a page that opens at a fragment, the header is opaque from the start.
  await page.goto("/privacy-policy#section-5");
  await expect.poll(() => readStyle(page)).not.toBe(atTop);
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(`on a phone ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ viewport: phone, javaScriptEnabled });

    const open = async (page: Page) => {
      await expect(menu(page)).toBeHidden();
      await toggle(page).click();
      await expect(menu(page)).toBeVisible();
    };

    test("closes the menu on Escape, an outside tap or a link", async ({ page }) => {
      await page.goto("/faq");
      await open(page);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Escape");
      await expect(menu(page)).toBeHidden();
      await expect(toggle(page)).toBeFocused();
      await open(page);
      await page.mouse.click(phone.width / 2, phone.height - 20);
      await open(page);
      await menu(page).getByRole("link", { name: nav.blog }).click();
      await expect(page).toHaveURL(/\/blog$/);
      await expect(menu(page)).toBeHidden();

      await page.goto("/");
      await open(page);
      await menu(page).getByRole("link", { name: nav.registration }).click();
      await expect(page).toHaveURL(/\/#Registration$/);
      if (javaScriptEnabled) await expect(menu(page)).toBeHidden();
      await expect(page.locator("#Registration")).toBeInViewport();
    });
  });
}

test("links to safety and deletion at every width", async ({ page }) => {
  const leave = () => menu(page).getByRole("link", { name: campus.deletion.title });
  for (const width of [768, 895, 896, 1023, 1024, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto("/");
    await expect(leave()).toBeInViewport();
  }
  await page.setViewportSize(phone);
  await page.goto("/faq");
  await toggle(page).click();
  await expect(leave()).toBeVisible();
  await expect(menu(page).getByRole("link", { name: nav.safety })).toBeVisible();
  for (const width of [800, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto("/faq");
    await menu(page).getByRole("link", { name: nav.safety }).click();
    await expect(page.locator("#safety")).toBeInViewport();
  }
});

test("fits the header on one line at every width in every language", async ({ page }) => {
  for (const { settings } of [campus, ...campus.translations]) {
    const path = settings.language === campus.settings.language ? "" : `/${settings.language}`;
    await page.goto(`${path}/faq`);
    for (const width of [320, 360, 412, 640, 768, 895, 896, 1023, 1024, 1199, 1200, 1280]) {
      await page.setViewportSize({ width, height: 740 });
      const tops = await header(page)
        .locator("a:visible, button:visible")
        .evaluateAll((all) =>
          all.map((element) => {
            const { top, height } = element.getBoundingClientRect();
            return top + height / 2;
          }),
        );
      expect(Math.max(...tops) - Math.min(...tops), `${path} at ${width}`).toBeLessThan(12);
    }
  }
});

test("closes the menu when focus leaves it", async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto("/faq");
  await expect(toggle(page)).toHaveAccessibleName(nav.menu);
  await toggle(page).click();
  await expect(toggle(page)).toHaveAccessibleName(nav.close);
  await tabTo(page, menu(page).getByRole("link").last());
  await page.keyboard.press("Tab");
  await expect(menu(page)).toBeHidden();
  await expect(toggle(page)).toHaveAccessibleName(nav.menu);
  await expect(page.locator("main :focus")).toBeInViewport();
});

test("lets keyboard users skip the header", async ({ page }) => {
  await page.goto("/faq");
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: skipLink });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
});
