import { expect, type Page, test, untilShown, untilStill } from "../harness/browser.ts";
import { campus } from "../harness/campus.ts";

const items = (page: Page) => page.locator("main details[name=faq]");
const question = (page: Page, index: number) => items(page).nth(index).locator("summary");
const count = campus.faq.length;
/**
 * Indexes of three questions. `later` is far from `second` if the campus has enough questions, and it
 * is also on the landing page.
 */
const [second, later, last] = [1, Math.min(4, count - 1), count - 1];
const openOnes = (page: Page) =>
  items(page).evaluateAll((all) =>
    all.flatMap((item, index) => ((item as HTMLDetailsElement).open ? [index] : [])),
  );

for (const scripted of [true, false]) {
  test.describe(scripted ? "the FAQ" : "the FAQ without JavaScript", () => {
    test.use({ javaScriptEnabled: scripted });

    test("opens at most one FAQ question at a time", async ({ page }) => {
      await page.goto("/faq");
      expect(await items(page).count()).toBe(count);
      expect(await openOnes(page)).toEqual([]);
      await question(page, second).click();
      await expect.poll(() => openOnes(page)).toEqual([second]);
      await question(page, later).click();
      await expect.poll(() => openOnes(page)).toEqual([later]);
      await question(page, later).click();
      await expect.poll(() => openOnes(page)).toEqual([]);

      await page.goto("/");
      const { id, question: words } = campus.faq[last] ?? { id: "", question: "" };
      await page.goto(`/faq#${id}`);
      await expect.poll(() => openOnes(page)).toEqual([last]);
      await expect(page.getByText(words)).toBeInViewport();
      await expect(page.locator(`#${id}`)).toBeVisible();
    });
  });
}

test("doesn't move the tapped FAQ question on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto("/faq");
  await question(page, second).click();
  await expect.poll(() => openOnes(page)).toEqual([second]);
  await untilStill(page);
  const pressed = question(page, later);
  await pressed.evaluate((element) =>
    element.scrollIntoView({ block: "center", behavior: "instant" }),
  );
  await untilShown(page);
  const top = async () => (await pressed.boundingBox())?.y ?? 0;
  const before = await top();
  await page.mouse.click(100, before + 20);
  await expect.poll(() => openOnes(page)).toEqual([later]);
  await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(2);
});

test.describe("on a phone without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("shows the open FAQ question while its answer is in view", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto("/faq");
    await question(page, later).click();
    const end = items(page).nth(later).locator("p").last();
    await end.evaluate((element) =>
      element.scrollIntoView({ block: "center", behavior: "instant" }),
    );
    await expect(question(page, later)).toBeInViewport({ ratio: 0.9 });
  });
});
