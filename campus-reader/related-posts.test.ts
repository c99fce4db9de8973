import { expect, test } from "vitest";
import { findRelatedPosts, type Subject } from "./related-posts.ts";

function post(id: number, title: string, text: string, category = "north"): Subject {
  return { id, title, excerpt: text, category, html: `<p>${text}</p>` };
}

test("posts that tell of the same things go together, whatever their category", () => {
  const related = findRelatedPosts(
    [
      post(1, "Rain on the road", "Puddles, raincoats and thunder in the monsoon", "south"),
      post(2, "A budget", "Coins, notebook, allowance and fares of a month", "south"),
      post(3, "Thunder and puddles", "Monsoon mornings, wet raincoats", "north"),
      post(4, "Cheap hours", "Fares and coins at noon, an allowance that lasts", "north"),
      post(5, "Lamps", "Bulbs, batteries, switches", "north"),
    ],
    1,
  );
  expect(related.get(1)).toEqual([3]);
  expect(related.get(3)).toEqual([1]);
  expect(related.get(2)).toEqual([4]);
  expect(related.get(4)).toEqual([2]);
});

test("a post goes with the one it links to, and that one with it", () => {
  const posts = [
    post(1, "Helmets", "Straps and buckles"),
    post(2, "Batteries", "Cables and sockets", "east"),
    post(3, "Manners", "Seats and words"),
    { ...post(4, "Crashes", "Stop and call"), html: '<a href="/blog/2">Batteries</a>' },
  ];
  expect(findRelatedPosts(posts, 1).get(4)).toEqual([2]);
  expect(findRelatedPosts(posts, 1).get(2)).toEqual([4]);
});

test("without anything in common, the newest of the same category come first", () => {
  const posts = [
    post(1, "Alpha", "gamma", "west"),
    post(2, "Delta", "theta"),
    post(3, "Omega", "kappa"),
    post(4, "Sigma", "lambda"),
  ];
  expect(findRelatedPosts(posts, 3).get(4)).toEqual([2, 3, 1]);
  expect(findRelatedPosts(posts.slice(0, 1), 3).get(1)).toEqual([]);
});

test("a post is never its own relative, and each is found once", () => {
  const posts = Array.from({ length: 300 }, (_, index) =>
    post(index + 1, "The same title", "Always the same words about riding"),
  );
  for (const [id, found] of findRelatedPosts(posts, 3)) {
    expect(found).toHaveLength(3);
    expect(new Set([id, ...found]).size).toBe(4);
  }
});
