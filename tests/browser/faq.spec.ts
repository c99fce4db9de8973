import { expect, type Page, test } from "../harness/browser.ts";
import { campus } from "../harness/campus.ts";
import { untilShown, untilStill } from "../harness/page-state.ts";

const items = (page: Page) => page.locator("main details[name=faq]");
const question = (page: Page, index: number) => items(page).nth(index).locator("summary");
const openOnes = (page: Page) =>
  items(page).evaluateAll((all) =>
    all.flatMap((item, index) => ((item as HTMLDetailsElement).open ? [index] : [])),
  );

for (const scripted of [true, false]) {
  test.describe(scripted ? "the questions" : "the questions without script", () => {
    test.use({ javaScriptEnabled: scripted });

    test("one is open at a time, and clicking the open one closes it", async ({ page }) => {
      await page.goto("/faq");
      expect(await items(page).count()).toBe(8);
      expect(await openOnes(page)).toEqual([]);
      await question(page, 1).click();
      await expect.poll(() => openOnes(page)).toEqual([1]);
      await question(page, 4).click();
      await expect.poll(() => openOnes(page)).toEqual([4]);
      await question(page, 4).click();
      await expect.poll(() => openOnes(page)).toEqual([]);
    });

    test("a link to a question opens it and shows it", async ({ page }) => {
      const { id, question: words } = campus.faq[5] ?? { id: "", question: "" };
      await page.goto(`/faq#${id}`);
      await expect.poll(() => openOnes(page)).toEqual([5]);
      await expect(page.getByText(words)).toBeInViewport();
      await expect(page.locator(`#${id}`)).toBeVisible();
    });
  });
}

test("on a phone a pressed question stays where it was pressed", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto("/faq");
  await question(page, 1).click();
  await expect.poll(() => openOnes(page)).toEqual([1]);
  await untilStill(page);
  await question(page, 4).evaluate((summary) => {
    summary.scrollIntoView({ block: "center", behavior: "instant" });
  });
  await untilShown(page);
  const before = await question(page, 4).boundingBox();
  await page.mouse.click(100, (before?.y ?? 0) + 20);
  await expect.poll(() => openOnes(page)).toEqual([4]);
  await expect
    .poll(async () =>
      Math.abs(((await question(page, 4).boundingBox())?.y ?? 0) - (before?.y ?? 0)),
    )
    .toBeLessThan(2);
});

test.describe("on a phone without script", () => {
  test.use({ javaScriptEnabled: false });

  test("the open question stays in view while its answer is", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto("/faq");
    await question(page, 4).click();
    await items(page)
      .nth(4)
      .locator("p")
      .last()
      .evaluate((end) => {
        end.scrollIntoView({ block: "center", behavior: "instant" });
      });
    await expect(question(page, 4)).toBeInViewport({ ratio: 0.9 });
  });
});

test("every answer is printed", async ({ page }) => {
  await page.goto("/faq");
  await page.emulateMedia({ media: "print" });
  for (const answer of await items(page).locator("> div").all()) {
    expect((await answer.boundingBox())?.height).toBeGreaterThan(30);
  }
});

test("the keyboard opens and closes a question", async ({ page }) => {
  await page.goto("/faq");
  await question(page, 0).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => openOnes(page)).toEqual([0]);
  await page.keyboard.press("Space");
  await expect.poll(() => openOnes(page)).toEqual([]);
});

test("another link on the same page opens another question", async ({ page }) => {
  await page.goto(`/faq#${campus.faq[2]?.id}`);
  await expect.poll(() => openOnes(page)).toEqual([2]);
  await page.evaluate((id) => {
    location.hash = id;
  }, campus.faq[6]?.id ?? "");
  await expect.poll(() => openOnes(page)).toEqual([6]);
});

test("the landing page shows the first five in the same way", async ({ page }) => {
  await page.goto("/");
  expect(await items(page).count()).toBe(5);
  await question(page, 0).click();
  await question(page, 3).click();
  await expect.poll(() => openOnes(page)).toEqual([3]);
  await page.getByRole("link", { name: "View All FAQs" }).click();
  await expect(page).toHaveURL(/\/faq$/);
});

test("whoever still has questions gets to the contact", async ({ page }) => {
  await page.goto("/faq");
  await page.getByRole("link", { name: "Contact Support" }).click();
  await expect(page).toHaveURL(/\/#contact$/);
  await expect(page.locator("#contact")).toBeInViewport();
});
