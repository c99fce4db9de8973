import { expect, type Page, phone, test } from "../harness/browser.ts";
import { campus } from "../harness/campus.ts";

const { legal: words } = campus.interface;
const contents = (page: Page) => page.getByRole("navigation", { name: words.contents });
const stop = (page: Page, number: number) => contents(page).locator(`a[href="#section-${number}"]`);

// Both documents are shown by one page; of the two this one's title is the longer.
const path = "/terms-conditions";
const last = campus.legal.terms.sections.length;
const middle = Math.ceil(last / 2);

test.beforeEach(async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
});

test("the contents lead to each section, and mark the one being read", async ({ page }) => {
  await page.goto(path);
  for (const number of [1, middle, last]) {
    await stop(page, number).click();
    await expect(page).toHaveURL(new RegExp(`#section-${number}$`));
    await expect(page.locator(`#section-${number} h2`)).toBeInViewport();
  }
  await page.locator(`#section-${middle} h2`).evaluate((heading) => {
    heading.scrollIntoView();
  });
  await expect(stop(page, middle)).toHaveAttribute("aria-current", "true");
  await expect(contents(page).locator("[aria-current]")).toHaveCount(1);
});

test("the button leads back to the top", async ({ page }) => {
  await page.goto(`${path}#section-${last}`);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(500);
  await page.getByRole("link", { name: words.backToTop }).click();
  await expect(page.getByRole("heading", { level: 1 })).toBeInViewport();
});

test("on a phone nothing lies over the words", async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto(path);
  for (const part of [0.2, 0.5, 0.8]) {
    const covered = await page.evaluate((share) => {
      scrollTo({ top: document.documentElement.scrollHeight * share, behavior: "instant" });
      const header = document.querySelector("header[data-site-header]")?.getBoundingClientRect();
      const from = Math.max(0, header?.bottom ?? 0) + 10;
      const found: string[] = [];
      for (let y = from; y < innerHeight; y += 20) {
        for (const x of [40, 180, 300]) {
          const hit = document.elementFromPoint(x, y);
          let layer = hit;
          while (layer && !["sticky", "fixed"].includes(getComputedStyle(layer).position)) {
            layer = layer.parentElement;
          }
          if (layer) found.push(`${layer.tagName} ${layer.textContent?.slice(0, 30)}`);
        }
      }
      return found;
    }, part);
    expect(covered).toEqual([]);
  }
});

test("its wheel stands beside title and menu, not behind them", async ({ page }) => {
  await page.goto(path);
  for (const width of [320, 360, 412, 600, 768, 960, 1024, 1280, 1440, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const found = await page.evaluate(() => {
      const wheel = document.querySelector("main h1")?.parentElement?.querySelector("img");
      const masthead = wheel?.closest("header")?.getBoundingClientRect();
      if (!wheel || !masthead) return "no wheel";
      const box = wheel.getBoundingClientRect();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const seen = Math.min(masthead.bottom, box.bottom) - box.top;
      if (seen < box.height / 3) return `${seen} px of the wheel are seen`;
      const texts = document.querySelectorAll("main header :is(h1, p), [data-site-header] a");
      return [...texts].flatMap((text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        return [...range.getClientRects()].flatMap((line) => {
          const dx = x - Math.min(Math.max(x, line.left), line.right);
          const dy = y - Math.min(Math.max(y, line.top), line.bottom);
          return Math.hypot(dx, dy) < box.width / 2 && line.width > 0
            ? [`${text.textContent?.trim()}`]
            : [];
        });
      });
    });
    expect.soft(found, `at ${width} px`).toEqual([]);
  }
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(`on a phone ${javaScriptEnabled ? "with" : "without"} script`, () => {
    test.use({ viewport: phone, javaScriptEnabled });

    test("the contents fold away, and lead to each section", async ({ page }) => {
      await page.goto(path);
      await expect(stop(page, middle)).toBeHidden();
      await contents(page).locator("summary").click();
      await stop(page, middle).click();
      await expect(page.locator(`#section-${middle} h2`)).toBeInViewport();
    });
  });
}

test("it prints as a document: all text, no frame around it", async ({ page }) => {
  await page.goto(path);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("banner")).toBeHidden();
  await expect(page.getByRole("contentinfo")).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator(`#section-${last} h2`)).toBeVisible();
});
