import { expect, test } from "vitest";
import { campus } from "../harness/campus.ts";
import { linksOf, textOf } from "../harness/html.ts";

const phraseLength = 5;

/** Splits a post into lowercase words without punctuation. An email address is one word. */
function wordsOf(html: string): string[] {
  return (
    textOf(html)
      .toLowerCase()
      .match(/\S+@\S+\w|[\p{L}\p{M}\p{N}'’]+/gu) ?? []
  );
}

test("no five-word phrase occurs in more than two posts", () => {
  const posts = new Map<string, Set<number>>();
  for (const { id, html } of campus.posts) {
    const words = wordsOf(html);
    for (let place = 0; place + phraseLength <= words.length; place++) {
      const phrase = words.slice(place, place + phraseLength).join(" ");
      posts.set(phrase, (posts.get(phrase) ?? new Set()).add(id));
    }
  }
  const shared = [...posts].filter(([, ids]) => ids.size > 2);
  expect(shared.map(([phrase, ids]) => `"${phrase}" in ${[...ids].join(", ")}`)).toEqual([]);
});

test('a post links to a later post only with the word "later"', () => {
  const dates = new Map(campus.posts.map(({ id, isoDate }) => [id, isoDate]));
  const early = campus.posts.flatMap(({ id, isoDate, html }) =>
    html.split(/<\/(?:p|li|td|th)>/).flatMap((block) =>
      linksOf(block)
        .map(({ href }) => Number(/^\/blog\/(\d+)/.exec(href ?? "")?.[1]))
        .filter((target) => (dates.get(target) ?? "") > isoDate && !/\blater\b/.test(textOf(block)))
        .map((target) => `${id} (${isoDate}) links to ${target} (${dates.get(target)})`),
    ),
  );
  expect(early).toEqual([]);
});
