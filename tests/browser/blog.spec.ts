import { expect, type Page, phone, statusLine, test } from "../harness/browser.ts";
import { campus } from "../harness/campus.ts";

const listed = campus.posts.filter((post) => post.listed);
const chips = (page: Page) => page.getByRole("navigation", { name: "Categories" });
const chip = (page: Page, name: string) => chips(page).getByRole("link", { name, exact: true });
const cards = (page: Page) => page.locator("main").getByRole("link", { name: /^Read More/ });
const countIn = (category: string) => listed.filter((post) => post.category === category).length;

for (const scripted of [true, false]) {
  test.describe(scripted ? "the blog" : "the blog without script", () => {
    test.use({ javaScriptEnabled: scripted });

    test("opens on Safety; a category is in the address, and Back leads back", async ({ page }) => {
      await page.goto("/blog");
      await expect(chip(page, "Safety")).toHaveAttribute("aria-current", "true");
      await expect(cards(page)).toHaveCount(countIn("Safety"));

      await chip(page, "Money Saving").click();
      await expect(page).toHaveURL(/\/blog\?category=Money(%20|\+)Saving$/);
      await expect(cards(page)).toHaveCount(countIn("Money Saving"));

      await chip(page, "All").click();
      await expect(cards(page)).toHaveCount(14);
      await page.reload();
      await expect(cards(page)).toHaveCount(14);

      await page.goBack();
      await expect(chip(page, "Money Saving")).toHaveAttribute("aria-current", "true");
      await page.goBack();
      await expect(chip(page, "Safety")).toHaveAttribute("aria-current", "true");
      await expect(cards(page)).toHaveCount(countIn("Safety"));
    });

    for (const list of ["/blog", "/blog?category=Lifestyle", "/blog?category=All"]) {
      test(`a card of ${list} leads to its post, and the post back to that card`, async ({
        page,
      }) => {
        await page.goto(list);
        const title = (await page.locator("main article h2").last().innerText()).trim();
        await cards(page).last().click();
        await expect(page).toHaveURL(/\/blog\/\d+(#all)?$/);
        await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
        // The fragment moves nothing: the post begins at its beginning.
        expect(await page.evaluate(() => scrollY)).toBe(0);
        await page.getByRole("link", { name: "← Back to Blog" }).click();
        await expect(page).toHaveURL(new RegExp(`${RegExp.escape(list)}#post-\\d+$`));
        await expect(page.locator("main article h2", { hasText: title })).toBeInViewport();
      });
    }

    test("whoever comes to a post from elsewhere gets back to its category", async ({ page }) => {
      await page.goto("/blog/34");
      await page.getByRole("link", { name: "← Back to Blog" }).click();
      await expect(page).toHaveURL(/\/blog\?category=Money%20Saving#post-34$/);
    });
  });
}

test("an excerpt is cut after three lines", async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto("/blog?category=All");
  const excerpts = await page.locator("main article p").evaluateAll((all) =>
    all.flatMap((element) => {
      const style = getComputedStyle(element);
      if (style.webkitLineClamp === "none") return [];
      return [
        {
          clamp: style.webkitLineClamp,
          lines: element.clientHeight / Number.parseFloat(style.lineHeight),
        },
      ];
    }),
  );
  expect(excerpts.length).toBeGreaterThanOrEqual(14);
  for (const { clamp, lines } of excerpts) {
    expect(clamp).toBe("3");
    expect(lines).toBeLessThan(3.2);
  }
});

test("on a phone the chosen category is in view", async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto("/blog?category=Lifestyle");
  await expect(chip(page, "Lifestyle")).toBeInViewport({ ratio: 0.9 });
});

test("it stays in view when its face arrives late and the names grow", async ({ page }) => {
  await page.setViewportSize(phone);
  let release = () => {};
  const late = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/*.woff2", async (route) => {
    await late;
    await route.continue();
  });
  await page.goto("/blog?category=Technology", { waitUntil: "domcontentloaded" });
  // As if the face were far wider than its stand-in.
  await chips(page).evaluate((row) => row.style.setProperty("letter-spacing", "0.4em"));
  release();
  await page.evaluate(() => document.fonts.ready);
  const away = () =>
    chip(page, "Technology").evaluate((chosen) => {
      const { left, right } = chosen.getBoundingClientRect();
      return Math.abs((left + right) / 2 - innerWidth / 2);
    });
  await expect.poll(away).toBeLessThan(2);
});

test("a category without posts says so and shows the way on", async ({ page }) => {
  await page.goto("/blog?category=Cricket");
  await expect(page.getByRole("heading", { name: "No posts found" })).toBeVisible();
  await expect(
    page.getByText('No blog posts available for "Cricket" category at the moment.'),
  ).toBeVisible();
  await chip(page, "Community").click();
  await expect(cards(page)).toHaveCount(countIn("Community"));
});

for (const id of ["99999", "abc", "012"]) {
  test(`/blog/${id} says "Blog not found" and leads back`, async ({ page, noise }) => {
    noise.expect(statusLine(404));
    const response = await page.goto(`/blog/${id}`);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "Blog not found" })).toBeVisible();
    await page.getByRole("link", { name: "Back to Blog", exact: true }).click();
    await expect(page).toHaveURL(/\/blog$/);
  });
}

test.describe("a post's text", () => {
  for (const width of [1280, 1920]) {
    test(`stands in the middle at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await page.goto("/blog/90");
      const { left, right } = await page
        .locator("article p", { hasText: "I have bought three helmets" })
        .evaluate((paragraph) => {
          const column = paragraph.parentElement?.getBoundingClientRect();
          const { clientWidth } = document.documentElement;
          return { left: column?.left ?? 0, right: clientWidth - (column?.right ?? 0) };
        });
      expect(Math.abs(left - right)).toBeLessThan(2);
    });
  }

  for (const { id, html } of campus.posts.filter((post) => post.html.includes("<table>"))) {
    test(`breaks no word in the tables of post ${id} on a phone`, async ({ page }) => {
      expect(html).toContain("table-frame");
      await page.setViewportSize({ width: 320, height: 640 });
      await page.goto(`/blog/${id}`);
      const broken = await page.locator("td, th").evaluateAll((cells) =>
        cells.flatMap((cell) => {
          const found: string[] = [];
          const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const text = walker.currentNode;
            for (const { 0: word, index } of (text.textContent ?? "").matchAll(/[\p{L}\p{N}]+/gu)) {
              const range = document.createRange();
              range.setStart(text, index);
              range.setEnd(text, index + word.length);
              const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
              if (lines.size > 1) found.push(word);
            }
          }
          return found;
        }),
      );
      expect(broken).toEqual([]);
    });
  }
});
