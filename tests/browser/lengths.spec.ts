import { desktop, expect, test } from "../harness/browser.ts";
import { measureOnPhone, phoneLengths } from "../harness/phone-lengths.ts";

test("on a phone no page is longer than it is meant to be", async ({ page }) => {
  const lengths = await measureOnPhone(page);
  expect.soft(lengths.landing).toBeLessThanOrEqual(phoneLengths.landing);
  expect.soft(lengths.allPosts).toBeLessThanOrEqual(phoneLengths.allPosts);
  expect.soft(lengths.formBegins).toBeLessThanOrEqual(phoneLengths.formBegins);
});

test("on a desktop its sections stand no more than 160 px apart", async ({ page }) => {
  await page.setViewportSize(desktop);
  await page.goto("/");
  // From the lowest thing of a field of colour to the highest of the next.
  const gaps = await page.locator("main section").evaluateAll((sections) => {
    const shown = (section: Element) =>
      [...section.querySelectorAll("h2, p, li, img, a, dd, summary, article")]
        .filter((element) => element.checkVisibility() && !element.closest(".visually-hidden"))
        .map((element) => element.getBoundingClientRect())
        .filter((box) => box.height > 1);
    return sections.slice(1).flatMap((section, index) => {
      const before = sections[index];
      if (!before || before.parentElement !== section.parentElement) return [];
      const end = Math.max(...shown(before).map((box) => box.bottom));
      const start = Math.min(...shown(section).map((box) => box.top));
      return [{ between: `${before.id} and ${section.id}`, gap: Math.round(start - end) }];
    });
  });
  for (const { between, gap } of gaps) expect.soft(gap, between).toBeLessThanOrEqual(160);
  expect(gaps.length).toBeGreaterThan(6);
});

test("three titles are loud", async ({ page }) => {
  await page.setViewportSize(desktop);
  await page.goto("/");
  const sizes = await page
    .locator("main h2")
    .evaluateAll((all) => all.map((title) => Number.parseFloat(getComputedStyle(title).fontSize)));
  const largest = Math.max(...sizes);
  expect(sizes.filter((size) => size === largest)).toHaveLength(3);
});
