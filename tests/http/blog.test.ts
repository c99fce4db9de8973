import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { campus } from "../harness/campus.ts";
import { elementsOf, linksOf, mainOf, metaOf, plain, textOf } from "../harness/html.ts";
import { openTestSite, type TestSite } from "../harness/test-site.ts";

const listed = campus.posts.filter((post) => post.listed);
const unlisted = campus.posts.filter((post) => !post.listed);

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site[Symbol.asyncDispose]());

/** Numbers of the posts that a page shows as cards, in order. */
function cardsOn(html: string): number[] {
  const ids = linksOf(mainOf(html)).flatMap(({ href, text }) => {
    const id = /^\/blog\/(\d+)$/.exec(href ?? "")?.[1];
    return id && text.includes("Read More") ? [Number(id)] : [];
  });
  return [...new Set(ids)];
}

const chipsOn = (html: string) =>
  linksOf(mainOf(html)).filter(({ href }) => href?.startsWith("/blog?category="));

test("the blog has fifteen posts, and lists fourteen of them", () => {
  expect(campus.posts.map((post) => post.id).toSorted((a, b) => a - b)).toEqual(
    [12, 34, 57, 8, 23, 90, 14, 67, 29, 52, 36, 74, 88, 19, 53].toSorted((a, b) => a - b),
  );
  expect(listed).toHaveLength(14);
});

test("the blog opens on Safety", async () => {
  const html = await site.read("/blog");
  expect(textOf(html)).toContain("Blog & Safety Tips");
  expect(cardsOn(html)).toEqual(
    listed.filter((post) => post.category === "Safety").map((post) => post.id),
  );
  const chosen = chipsOn(html).filter((chip) => chip.attributes["aria-current"]);
  expect(chosen.map((chip) => chip.text)).toEqual(["Safety"]);
});

test("the chips are All and the five categories, in this order", async () => {
  expect(chipsOn(await site.read("/blog")).map((chip) => chip.text)).toEqual([
    "All",
    "Safety",
    "Money Saving",
    "Community",
    "Technology",
    "Lifestyle",
  ]);
});

test.each(["Safety", "Money Saving", "Community", "Technology", "Lifestyle"])(
  "%s shows its posts and no others",
  async (category) => {
    const html = await site.read(`/blog?${new URLSearchParams({ category })}`);
    const expected = listed.filter((post) => post.category === category).map((post) => post.id);
    expect(expected.length).toBeGreaterThan(0);
    expect(cardsOn(html)).toEqual(expected);
    const chosen = chipsOn(html).filter((chip) => chip.attributes["aria-current"]);
    expect(chosen.map((chip) => chip.text)).toEqual([category]);
  },
);

test("All shows every listed post", async () => {
  expect(cardsOn(await site.read("/blog?category=All"))).toEqual(listed.map((post) => post.id));
});

test("a card has picture, date, read time, title and excerpt", async () => {
  const html = mainOf(await site.read("/blog?category=All"));
  const text = textOf(html);
  expect(elementsOf(html, "img").length).toBeGreaterThanOrEqual(14);
  for (const post of listed) {
    expect(text).toContain(plain(post.title));
    expect(text).toContain(post.date);
    expect(text).toContain(`${post.readMinutes} min read`);
    expect(text).toContain(plain(post.excerpt));
  }
});

describe("a category that has no posts", () => {
  test("is told by its name", async () => {
    const html = await site.read("/blog?category=Cricket");
    expect(textOf(html)).toContain("No posts found");
    expect(textOf(html)).toContain('No blog posts available for "Cricket" category at the moment.');
    expect(cardsOn(html)).toEqual([]);
    expect(chipsOn(html)).toHaveLength(6);
  });

  test("cannot put anything into the page", async () => {
    const category = '<img src=x onerror="alert(1)">';
    const html = await site.read(`/blog?${new URLSearchParams({ category })}`);
    expect(html).not.toContain("<img src=x");
    expect(textOf(mainOf(html))).toContain(`"${category}"`);
  });

  test("is cut to forty characters, and no character in half", async () => {
    const long = await site.read(`/blog?category=${"a".repeat(400)}`);
    expect(long).toContain("a".repeat(40));
    expect(long).not.toContain("a".repeat(41));
    const emoji = await site.read(`/blog?category=${encodeURIComponent("🛺".repeat(60))}`);
    expect(emoji).not.toContain("\ufffd");
    expect(emoji).not.toContain("🛺".repeat(41));
  });

  test("is not offered to search engines", async () => {
    expect(metaOf(await site.read("/blog?category=Cricket"), "robots")).toBe("noindex");
    expect(metaOf(await site.read("/blog?category=Safety"), "robots")).toBeUndefined();
  });
});

describe.each(campus.posts.map((post) => [post.id, post] as const))("post %i", (id, post) => {
  test("has everything it should", async () => {
    const html = await site.read(`/blog/${id}`);
    const main = mainOf(html);
    const text = textOf(main);
    expect(elementsOf(main, "h1").map((heading) => textOf(heading.html))).toEqual([
      plain(post.title),
    ]);
    expect(linksOf(main)).toContainEqual(
      expect.objectContaining({ href: "/blog", text: "← Back to Blog" }),
    );
    expect(elementsOf(main, "img").length).toBeGreaterThan(0);
    expect(text).toContain(post.date);
    expect(text).toContain(`${post.readMinutes} min read`);
    expect(text).toContain(textOf(post.html).slice(0, 200));
    expect(text).toContain(textOf(post.html).slice(-200));
    expect(metaOf(html, "author")).toBe(post.author);
  });

  test("is long enough to be useful and short enough to be read", () => {
    expect(post.words).toBeGreaterThanOrEqual(500);
    expect(post.words).toBeLessThanOrEqual(900);
    expect(post.readMinutes).toBe(Math.ceil(post.words / 200));
    expect(post.date).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/);
  });

  test("leads on to other posts, and never to the unlisted one", async () => {
    const others = linksOf(mainOf(await site.read(`/blog/${id}`)))
      .map((link) => /^\/blog\/(\d+)$/.exec(link.href ?? "")?.[1])
      .filter((other) => other !== undefined)
      .map(Number);
    expect(others.length).toBeGreaterThanOrEqual(3);
    for (const { id: hidden } of unlisted) expect(others).not.toContain(hidden);
  });
});

test("the unlisted post is in no list", async () => {
  for (const path of ["/", "/blog", "/blog?category=All", "/sitemap.xml", "/feed.xml"]) {
    for (const { id } of unlisted) expect(await site.read(path)).not.toMatch(`/blog/${id}\\b`);
  }
  for (const { id, category } of unlisted) {
    const html = await site.read(`/blog?${new URLSearchParams({ category })}`);
    expect(html).not.toContain(`"/blog/${id}"`);
  }
});

test("the off-peak hours stand in the post about them", async () => {
  const post = campus.posts.find((candidate) => candidate.id === 34);
  expect(post?.category).toBe("Money Saving");
  expect(textOf(await site.read("/blog/34"))).toContain("between 11 AM and 4 PM");
});
