import { expect, test } from "vitest";
import type { PostListing } from "../../../campus-reader/posts.ts";
import { createPostLists, pageSize, readPageNumber } from "./post-lists.ts";

const categories = ["north", "south"];

/**
 * Creates `count` posts with ids counting up from 1, newest first, alternating between two
 * categories.
 */
function makePosts(count: number): PostListing[] {
  return Array.from({ length: count }, (_, index) => {
    const category = categories[index % 2] ?? "";
    return {
      id: index + 1,
      category,
      listed: true,
      related: [index + 3, index + 2],
    } as PostListing;
  });
}

const listsOf = (posts: PostListing[]) => createPostLists(posts, categories);
const idsOf = (posts: readonly PostListing[]) => posts.map((post) => post.id);

// Pagination and the URL of the first page are covered by tests/http/blog.test.ts.
test("returns the list page that contains a post", () => {
  const posts = makePosts(pageSize * 2 + 1);
  const lists = listsOf(posts);
  for (const post of posts) {
    for (const name of ["All", post.category]) {
      expect(idsOf(lists.postsOn(name, lists.pageWith(post, name)))).toContain(post.id);
    }
  }
});

test("counts at least one page per list", () => {
  expect(listsOf(makePosts(pageSize)).pagesOf("All")).toBe(1);
  expect(listsOf(makePosts(pageSize + 1)).pagesOf("All")).toBe(2);
  expect(listsOf(makePosts(0)).pagesOf("north")).toBe(1);
  expect(listsOf(makePosts(4)).pagesOf("Cricket")).toBe(1);
  expect(listsOf(makePosts(4)).postsOn("Cricket", 1)).toEqual([]);
});

test("returns the adjacent posts, or undefined at the ends of the list", () => {
  const lists = listsOf(makePosts(3));
  const [first, middle, last] = lists.listed;
  expect(first && lists.neighbours(first)).toMatchObject({ previous: undefined, next: { id: 2 } });
  expect(middle && lists.neighbours(middle)).toMatchObject({
    previous: { id: 1 },
    next: { id: 3 },
  });
  expect(last && lists.neighbours(last).next).toBeUndefined();
});

test("returns the existing related posts in the order in which the post lists them", () => {
  const lists = listsOf(makePosts(3));
  const [first, second] = lists.listed;
  expect(first && idsOf(lists.related(first))).toEqual([3, 2]);
  expect(second && idsOf(lists.related(second))).toEqual([3]);
});

test.each(["0", "012", "1.5", "-1", "1e3", "abc", "", "１", "1000000"])(
  'rejects the page number "%s"',
  (text) => {
    expect(readPageNumber(text)).toBeUndefined();
  },
);
