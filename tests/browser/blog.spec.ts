import { pageSize } from "../../app/pages/blog/post-lists.ts";
import { expect, type Locator, type Page, phone, test } from "../harness/browser.ts";
import { campus } from "../harness/campus.ts";
import * as probes from "../harness/in-page.ts";

const { blog } = campus.interface;
const { categories, defaultCategory: first } = campus.settings;
const listed = campus.posts.filter((post) => post.listed);
const postsIn = (category: string) => listed.filter((post) => post.category === category);
const allOnPage = Math.min(pageSize, listed.length);
/** A category with posts that isn't the default. */
const other =
  categories.find((category) => category !== first && postsIn(category).length > 0) ?? first;
const addressOf = (category: string) => `/blog?category=${encodeURIComponent(category)}`;
const allPosts = addressOf("All");

const cards = (page: Page) =>
  page.locator("main").getByRole("link", { name: new RegExp(`^${RegExp.escape(blog.readMore)}`) });

const contentBefore = (parts: Locator) =>
  parts.evaluateAll((all) => all.map((element) => getComputedStyle(element, "::before").content));

test("links each card to its post and the post back to its card", async ({ page }) => {
  for (const list of ["/blog", addressOf(other), allPosts]) {
    await page.goto(list);
    const title = (await page.locator("main article h2").last().innerText()).trim();
    await cards(page).last().click();
    await expect(page).toHaveURL(/\/blog\/\d+(#all)?$/);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    // The post opens at its start, even though its URL has a fragment.
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await page.getByRole("link", { name: blog.backToBlog }).click();
    await expect(page).toHaveURL(new RegExp(`${RegExp.escape(list)}#post-\\d+$`));
    await expect(page.locator("main article h2", { hasText: title })).toBeInViewport();
  }
});

test("fits long excerpts and words into cards at every width", async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto(allPosts);
  const lines = await page.locator("main article p").evaluateAll((all) =>
    all
      .map((excerpt) => ({ excerpt, style: getComputedStyle(excerpt) }))
      .filter(({ style }) => style.webkitLineClamp === "3")
      .map(({ excerpt, style }) => excerpt.clientHeight / Number.parseFloat(style.lineHeight)),
  );
  expect(lines.length).toBeGreaterThanOrEqual(allOnPage);
  expect(Math.max(...lines)).toBeLessThan(3.2);

  // A word wider than any line on a phone's card.
  await page.locator("main article h2").evaluateAll((titles, word) => {
    for (const title of titles) title.textContent = word;
  }, "Donaudampfschifffahrtsgesellschaft".repeat(2));
  for (const width of [320, 360, 412, 768, 1280]) {
    await page.setViewportSize({ width, height: 640 });
    const over = await page.locator("main article :is(h2, p)").evaluateAll((parts) => {
      const right = (part: Element) => part.getBoundingClientRect().right;
      return parts.filter((part) => right(part) > right(part.closest("article") ?? part)).length;
    });
    expect(over, `at ${width}`).toBe(0);
  }
});

test("shows every excerpt in full on phones and wide screens", async ({ page }) => {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto(allPosts);
    const cut = await page.locator("main article p").evaluateAll((all) =>
      all
        .filter((excerpt) => getComputedStyle(excerpt).webkitLineClamp === "3")
        .filter((excerpt) => excerpt.scrollHeight > excerpt.clientHeight + 1)
        .map((excerpt) => excerpt.textContent),
    );
    expect(cut, `at ${width}`).toEqual([]);
  }
});

test("toggles a checklist by mouse and keyboard without storing its state", async ({ page }) => {
  const checklist = campus.posts.find((post) => post.html.includes('type="checkbox"'));
  expect(checklist).toBeDefined();
  await page.goto(`/blog/${checklist?.id}`);
  const boxes = page.getByRole("checkbox");
  const box = boxes.first();
  await expect(box).toHaveAccessibleName(/\w/);
  await page.locator("main li label").first().click();
  await expect(box).toBeChecked();
  await page.keyboard.press("Space");
  await expect(box).not.toBeChecked();
  await box.check();
  await page.reload();
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(0);
  // Touch targets must be at least 44 px tall.
  const heights = await page
    .locator("main li label")
    .evaluateAll((all) => all.map((label) => label.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
});

test("shows the two letters in a post side by side only if there is room", async ({ page }) => {
  const post = campus.posts.find(({ html }) => html.includes('class="letter '));
  expect(post).toBeDefined();
  for (const width of [320, 360, 768, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto(`/blog/${post?.id}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const tops = await page
      .locator("main section:has(> header)")
      .evaluateAll((all) => all.map((element) => element.getBoundingClientRect()));
    const [first, second] = tops;
    expect(tops).toHaveLength(2);
    const overlaps = (second?.top ?? 0) < (first?.bottom ?? 0);
    expect(overlaps, `at ${width}`).toBe(width >= 960);
  }
});

test("continues the numbering of an ordered list after a heading", async ({ page }) => {
  const counting = campus.posts.filter((post) => post.html.includes("<ol start="));
  expect(counting).not.toEqual([]);
  for (const { id } of counting) {
    await page.goto(`/blog/${id}`);
    const numbers = await contentBefore(page.locator("ol[start] > li:first-child"));
    expect(numbers.length, id.toString()).toBeGreaterThan(0);
    // A custom counter would start at one; `list-item` starts at the list's `start`.
    expect(new Set(numbers), id.toString()).toEqual(new Set(["counter(list-item)"]));
  }
});

test("fits tables with labeled cells on a phone 320 px wide", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const { id } of campus.posts.filter((post) => post.html.includes("<table"))) {
    await page.goto(`/blog/${id}`);
    const frames = page.getByRole("region").filter({ has: page.getByRole("table") });
    expect(await frames.count()).toBeGreaterThan(0);
    expect(await page.evaluate(probes.brokenWords, "td, th")).toEqual([]);
    for (const frame of await frames.all()) {
      const hidden = await frame.evaluate((element) => element.scrollWidth - element.clientWidth);
      expect(hidden).toBe(0);
      const head = await frame.getByRole("columnheader").allTextContents();
      if ((await frame.getByRole("rowheader").count()) === 0) continue;
      const labels = await contentBefore(frame.getByRole("row").nth(1).getByRole("cell"));
      expect(labels).toHaveLength(head.length - 1);
      for (const [place, label] of labels.entries()) expect(label).toContain(head[place + 1]);
    }
  }
});
