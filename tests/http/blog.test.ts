import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { pageSize } from "../../app/pages/blog/post-lists.ts";
import { campus, hasSection, say } from "../harness/campus.ts";
import {
  elementsOf,
  idsOf,
  linkIn,
  linksOf,
  mainOf,
  metaOf,
  plain,
  textOf,
  titleOf,
} from "../harness/html.ts";
import { buildWithPosts, makePosts } from "../harness/many-posts.ts";
import { openTestSite, type TestSite } from "../harness/test-site.ts";

const listed = campus.posts.filter((post) => post.listed);
const unlisted = campus.posts.filter((post) => !post.listed);
const { categories, defaultCategory } = campus.settings;
const words = campus.interface.blog;

const site = await openTestSite();
afterAll(() => site[Symbol.asyncDispose]());

beforeEach(({ skip }) => skip(!hasSection("blog"), "The campus has no blog."));

/** Lists the ids of the posts on a page's cards, in order. */
function cardsOn(html: string): number[] {
  const ids = linksOf(mainOf(html)).flatMap(({ href, text }) => {
    const id = /^\/blog\/(\d+)(#all)?$/.exec(href ?? "")?.[1];
    return id && text.includes(words.readMore) ? [Number(id)] : [];
  });
  return [...new Set(ids)];
}

const chipsOn = (html: string) =>
  linksOf(mainOf(html)).filter(({ href }) => href?.startsWith("/blog?category="));

test.each([
  ["/blog", defaultCategory],
  ["/blog?category=All", "All"],
  ...categories.map((category) => [`/blog?${new URLSearchParams({ category })}`, category]),
])("%s shows exactly the posts in category %s", async (path, category) => {
  const html = await site.read(path);
  const expected = listed.filter((post) => category === "All" || post.category === category);
  expect(expected.length).toBeGreaterThan(0);
  expect(cardsOn(html)).toEqual(expected.map((post) => post.id));
  const chips = chipsOn(html);
  const names = categories.map((name) => words.categories[name]);
  expect(chips.map((chip) => chip.text)).toEqual([words.all, ...names]);
  const chosen = chips.filter((chip) => chip.attributes["aria-current"]);
  expect(chosen.map((chip) => chip.text)).toEqual([words.categories[category] ?? words.all]);
});

test("shows each post's date, reading time, title and excerpt on a card", async () => {
  const html = mainOf(await site.read("/blog?category=All"));
  const text = textOf(html);
  expect(elementsOf(html, "img").length).toBeGreaterThanOrEqual(listed.length);
  for (const post of listed) {
    expect(text).toContain(plain(post.title));
    expect(text).toContain(post.date);
    expect(text).toContain(say(words.minutes, { minutes: String(post.readMinutes) }));
    expect(text).toContain(plain(post.excerpt));
  }
});

describe("a category without posts", () => {
  test("escapes markup in the category's name", async () => {
    const category = '<img src=x onerror="alert(1)">';
    const html = await site.read(`/blog?${new URLSearchParams({ category })}`);
    expect(html).not.toContain("<img src=x");
    expect(textOf(html)).toContain(words.emptyTitle);
    expect(textOf(html)).toContain(say(words.emptyText, { category }));
    expect(cardsOn(html)).toEqual([]);
    expect(chipsOn(html)).toHaveLength(categories.length + 1);
  });

  test("truncates the category's name to 40 characters without splitting an emoji", async () => {
    const long = await site.read(`/blog?category=${"a".repeat(400)}`);
    expect(long).toContain("a".repeat(40));
    expect(long).not.toContain("a".repeat(41));
    const emoji = await site.read(`/blog?category=${encodeURIComponent("🛺".repeat(60))}`);
    expect(emoji).not.toContain("\ufffd");
    expect(emoji).not.toContain("🛺".repeat(41));
  });
});

test.each(campus.posts.map((post) => [post.id, post] as const))(
  "shows post %i in full and links only to listed posts",
  async (id, post) => {
    const html = await site.read(`/blog/${id}`);
    const main = mainOf(html);
    const text = textOf(main);
    const headings = elementsOf(main, "h1").map((heading) => textOf(heading.html));
    expect(headings).toEqual([plain(post.title)]);
    expect(text).toContain(words.categories[post.category]);
    expect(text).toContain(say(words.by, { author: post.author }));
    expect(elementsOf(main, "img").length).toBeGreaterThan(0);
    expect(text).toContain(post.date);
    expect(text).toContain(say(words.minutes, { minutes: String(post.readMinutes) }));
    expect(text).toContain(textOf(post.html).slice(0, 200));
    expect(text).toContain(textOf(post.html).slice(-200));
    expect(metaOf(html, "author")).toBe(post.author);

    const links = linksOf(main);
    const back = links.filter((link) => link.text === words.backToBlog);
    expect(back.length).toBe(2);
    for (const { href = "" } of back) {
      const [path = "", anchor] = href.split("#");
      const list = await site.read(path);
      if (post.listed) {
        expect(anchor).toBe(`post-${id}`);
        expect(idsOf(list)).toContain(anchor);
        expect(cardsOn(list)).toContain(id);
      } else expect(anchor).toBeUndefined();
    }
    expect(back[0]?.href).toMatch(/^\/blog\?category=All/);
    const postIds = links.map(({ href }) => /^\/blog\/(\d+)(?:#all)?$/.exec(href ?? "")?.[1]);
    const known = postIds.filter((other) => other !== undefined);
    expect(known.length).toBeGreaterThanOrEqual(Math.min(3, listed.length - 1));
    for (const { id: hidden } of unlisted) expect(known).not.toContain(String(hidden));
  },
);

describe.runIf(hasSection("blog"))("a blog of 400 posts", () => {
  const posts = hasSection("blog") ? makePosts(400) : [];
  let built: ReturnType<typeof buildWithPosts>;
  let large: TestSite;
  beforeAll(async () => {
    built = buildWithPosts(posts);
    large = await openTestSite({ buildDir: built.buildDir });
  });
  afterAll(async () => {
    await large[Symbol.asyncDispose]();
    built[Symbol.dispose]();
  });

  test.each([defaultCategory, "All"])(
    "lists every post in %s on consecutive pages of at most 14 KB",
    async (category) => {
      const expected = posts
        .filter((post) => category === "All" || post.category === category)
        .map((post) => post.id);
      const found: number[] = [];
      let path: string | undefined = `/blog?category=${category}`;
      let pages = 0;
      while (path) {
        const html: string = await large.read(path);
        pages += 1;
        found.push(...cardsOn(html));
        expect(brotliCompressSync(html).byteLength, path).toBeLessThanOrEqual(14 * 1024);
        const next = linkIn(html, "next");
        const links = linksOf(mainOf(html)).filter((link) => link.attributes.rel === "next");
        expect(links.map((link) => large.publicUrl + link.href)).toEqual(next ? [next] : []);
        path = next?.slice(large.publicUrl.length);
      }
      expect(found).toEqual(expected);
      expect(pages).toBe(Math.ceil(expected.length / pageSize));
    },
  );

  test("marks the current page and links to the previous page", async () => {
    const html = await large.read("/blog?category=All&page=3");
    const { publicUrl } = large;
    expect(linkIn(html, "canonical")).toBe(`${publicUrl}/blog?category=All&page=3`);
    expect(linkIn(html, "prev")).toBe(`${publicUrl}/blog?category=All&page=2`);
    expect(titleOf(html)).toContain(`${words.all}, ${say(words.metaTitlePage, { page: "3" })}`);
    const [current] = elementsOf(mainOf(html), "a", { "aria-current": "page" });
    expect(current?.attributes["aria-label"]).toBe(say(words.page, { page: "3", pages: "12" }));
    expect(metaOf(html, "robots")).toBeUndefined();
  });

  test("gives ?page=1 the same canonical URL as the first page", async () => {
    const { publicUrl } = large;
    for (const path of ["/blog", "/blog?page=1", `/blog?category=${defaultCategory}&page=1`]) {
      expect(linkIn(await large.read(path), "canonical"), path).toBe(`${publicUrl}/blog`);
    }
    expect(linkIn(await large.read("/blog?page=2"), "prev")).toBe(`${publicUrl}/blog`);
  });

  test.each(["13", "02"])("returns 404 for ?page=%s and links to the first page", async (page) => {
    const html = await large.read(`/blog?category=All&page=${page}`, 404);
    expect(textOf(html)).toContain(words.emptyTitle);
    expect(textOf(html)).toContain(say(words.noPageText, { pages: "12" }));
    expect(metaOf(html, "robots")).toBe("noindex");
    expect(linksOf(mainOf(html))).toContainEqual(
      expect.objectContaining({ href: "/blog?category=All", text: words.noPageButton }),
    );
  });

  test("lists every post and every list page in the sitemap", async () => {
    const sitemap = await large.read("/sitemap.xml");
    const { publicUrl } = large;
    expect(sitemap).toContain(`<loc>${publicUrl}/blog?page=2</loc>`);
    expect(sitemap).toContain(`<loc>${publicUrl}/blog?category=All&amp;page=12</loc>`);
    expect(sitemap).not.toContain("page=13<");
    expect(sitemap).not.toContain("page=1<");
    for (const { id } of posts) expect(sitemap).toContain(`<loc>${publicUrl}/blog/${id}</loc>`);
  });

  test("lists the newest thirty posts in the feed", async () => {
    const feed = await large.read("/feed.xml");
    const ids = [...feed.matchAll(/<id>[^<]*\/blog\/(\d+)<\/id>/g)].map((match) =>
      Number(match[1]),
    );
    expect(ids).toEqual(posts.slice(0, 30).map((post) => post.id));
    expect(Buffer.byteLength(feed)).toBeLessThan(500_000);
  });
});
