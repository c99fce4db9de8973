import { expect, test } from "vitest";
import { campus } from "../harness/campus.ts";
import { textOf } from "../harness/html.ts";

const { interface: words, settings } = campus;

test("the blog has fifteen posts, and lists fourteen of them", () => {
  expect(campus.posts.map((post) => post.id).toSorted((a, b) => a - b)).toEqual(
    [12, 34, 57, 8, 23, 90, 14, 67, 29, 52, 36, 74, 88, 19, 53].toSorted((a, b) => a - b),
  );
  expect(campus.posts.filter((post) => post.listed)).toHaveLength(14);
});

test("the blog opens on Safety, with its spec's words", () => {
  expect(settings.defaultCategory).toBe("Safety");
  expect(settings.categories.map((category) => words.blog.categories[category])).toEqual([
    "Safety",
    "Money Saving",
    "Community",
    "Technology",
    "Lifestyle",
  ]);
  expect(words.blog).toMatchObject({
    title: "Blog & Safety Tips",
    all: "All",
    readMore: "Read More",
    minutes: "{minutes} min read",
    backToBlog: "← Back to Blog",
    emptyTitle: "No posts found",
    emptyText: 'No blog posts available for "{category}" category at the moment.',
    notFoundTitle: "Blog not found",
    notFoundButton: "Back to Blog",
  });
  for (const { date } of campus.posts) expect(date).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/);
});

test("the frame has its spec's words", () => {
  expect(words.nav).toMatchObject({
    home: "Home",
    blog: "Blog",
    faq: "FAQ",
    registration: "Registration",
  });
  expect(words.footer).toMatchObject({
    home: "Home",
    about: "About Us",
    blog: "Blog",
    contact: "Contact",
    careers: "Careers",
    privacy: "Privacy Policy",
    terms: "Terms & Condition",
    cookies: "Cookie Policy",
    refund: "Refund Policy",
    notYet: "coming soon",
  });
  expect(settings.social).toEqual([
    { name: "Facebook", url: expect.stringMatching(/^https:/) },
    { name: "LinkedIn", url: "" },
  ]);
  expect(words.skipLink).toBe("Skip to content");
  expect(words.error.title).toBe("Unexpected Application Error!");
});

test("the off-peak hours stand in the post about them", () => {
  const post = campus.posts.find((candidate) => candidate.id === 34);
  expect(post?.category).toBe("Money Saving");
  expect(textOf(post?.html ?? "")).toContain("between 11 AM and 4 PM");
});
