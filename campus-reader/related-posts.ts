/** What is looked at to find the posts that go with a post. */
export type Subject = {
  id: number;
  title: string;
  excerpt: string;
  category: string;
  /** The post's text as HTML; its links to other posts count too. */
  html: string;
};

/** Words that say most about a post; more of them change nothing and cost time. */
const wordsOfPost = 24;
/** Posts that are asked about one word; of a word that more of them share, these use it most. */
const postsOfWord = 100;

/**
 * Finds for each post the others that tell of the same things: those that share its rarer words, above all those that
 * one of the two links to. Posts of the same category go first among equals, then the newer ones.
 * The time grows with the number of posts, not with its square.
 * @param posts newest first
 * @param count how many to find for each
 * @returns ids, the closest first; fewer than `count` only where there are no others
 */
export function findRelatedPosts(posts: readonly Subject[], count: number): Map<number, number[]> {
  const terms = posts.map(countTerms);
  const spread = new Map<string, number>();
  for (const one of terms) {
    for (const term of one.keys()) spread.set(term, (spread.get(term) ?? 0) + 1);
  }

  const vectors = terms.map((one) => {
    const weighted = [...one]
      .filter(([term]) => (spread.get(term) ?? 0) > 1)
      .map(([term, times]): [string, number] => [
        term,
        Math.log(1 + times) * Math.log(posts.length / (spread.get(term) ?? 1)),
      ])
      .sort((a, b) => b[1] - a[1])
      .slice(0, wordsOfPost);
    const length = Math.hypot(...weighted.map(([, weight]) => weight)) || 1;
    return weighted.map(([term, weight]): [string, number] => [term, weight / length]);
  });

  const users = new Map<string, { place: number; weight: number }[]>();
  for (const [place, vector] of vectors.entries()) {
    for (const [term, weight] of vector) {
      const list = users.get(term);
      if (list) list.push({ place, weight });
      else users.set(term, [{ place, weight }]);
    }
  }
  for (const [term, list] of users) {
    list.sort((a, b) => b.weight - a.weight);
    users.set(term, list.slice(0, postsOfWord));
  }

  const places = new Map(posts.map((post, place) => [post.id, place]));
  const links = posts.map((post) =>
    [...post.html.matchAll(/href="\/blog\/(\d+)[#"]/g)].flatMap(
      (match) => places.get(Number(match[1])) ?? [],
    ),
  );
  const linkedFrom: number[][] = posts.map(() => []);
  for (const [place, targets] of links.entries()) {
    for (const target of targets) linkedFrom[target]?.push(place);
  }
  const newest = posts.slice(0, count + 1).map((_, place) => place);
  const newestOf = new Map<string, number[]>();
  for (const [place, { category }] of posts.entries()) {
    const list = newestOf.get(category) ?? [];
    if (list.length <= count) newestOf.set(category, [...list, place]);
  }

  return new Map(
    posts.map((post, place) => {
      const scores = new Map<number, number>();
      const add = (other: number, score: number) =>
        scores.set(other, (scores.get(other) ?? 0) + score);
      for (const [term, weight] of vectors[place] ?? []) {
        for (const user of users.get(term) ?? []) add(user.place, weight * user.weight);
      }
      for (const other of links[place] ?? []) add(other, 0.5);
      for (const other of (linkedFrom[place] ?? []).slice(0, postsOfWord)) add(other, 0.25);
      for (const other of [...newest, ...(newestOf.get(post.category) ?? [])]) add(other, 0);
      for (const other of scores.keys()) {
        if (posts[other]?.category === post.category) add(other, 0.1);
      }
      scores.delete(place);
      const best = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, count);
      return [post.id, best.flatMap(([other]) => posts[other]?.id ?? [])];
    }),
  );
}

/** How often a post uses each word of four letters or more; those of its title and excerpt count more. */
function countTerms({ title, excerpt, html }: Subject): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [text, times] of [
    [title, 4],
    [excerpt, 2],
    [html.replace(/<[^>]+>/g, " "), 1],
  ] as const) {
    for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{M}]{4,}/gu)) {
      const term = word.replace(/(?:ing|ed|es|s)$/, "");
      counts.set(term, (counts.get(term) ?? 0) + times);
    }
  }
  return counts;
}
