import type { PostListing } from "../../../campus-reader/posts.ts";

/** Posts on one page of a list: whole groups of seven, as many as its first 14 KB can hold. */
export const pageSize = 35;

/** Stands for every category, in the address. */
export const allCategories = "All";

/**
 * The blog's lists, made once from all posts, so that a page costs the same whether there are ten or ten thousand.
 * @param posts newest first, unlisted ones included
 * @param categories the campus's own
 */
export function createPostLists(posts: readonly PostListing[], categories: readonly string[]) {
  const byId = new Map(posts.map((post) => [post.id, post]));
  const listed = posts.filter((post) => post.listed);
  const inCategory = Map.groupBy(listed, ({ category }) => category);
  const lists = new Map([
    [allCategories, listed],
    ...categories.map((category) => [category, inCategory.get(category) ?? []] as const),
  ]);
  /** Of each list the place in it by a post's id. */
  const places = new Map(
    [...lists].map(([name, list]) => [name, new Map(list.map(({ id }, place) => [id, place]))]),
  );
  const pagesOf = (category: string) =>
    Math.max(1, Math.ceil((lists.get(category)?.length ?? 0) / pageSize));

  return {
    /** The posts that lists show, newest first. */
    listed,
    /** Every list, the one of all posts first. */
    names: [...lists.keys()],
    /** How many pages a list has: one at least, also where nobody knows the category. */
    pagesOf,

    postsOn(category: string, page: number): readonly PostListing[] {
      return (lists.get(category) ?? []).slice((page - 1) * pageSize, page * pageSize);
    },

    /** The post at `/blog/<id>`, unlisted ones included. Only the plain number is an address of it. */
    findPost(id: string): PostListing | undefined {
      return /^[1-9]\d{0,4}$/.test(id) ? byId.get(Number(id)) : undefined;
    },

    /** The page of a list on which a post stands. A post stands in two lists at most: of all, and of its category. */
    pageWith: ({ id }: PostListing, category: string) =>
      Math.floor((places.get(category)?.get(id) ?? 0) / pageSize) + 1,

    /** The listed posts before and after this one; an unlisted post has none. */
    neighbours({ id }: PostListing): { previous?: PostListing; next?: PostListing } {
      const place = places.get(allCategories)?.get(id);
      if (place === undefined) return {};
      return { previous: listed[place - 1], next: listed[place + 1] };
    },

    /** The posts that go with this one, the closest first. */
    related(post: PostListing): PostListing[] {
      return post.related.flatMap((id) => byId.get(id) ?? []);
    },
  };
}

/** The number in `?page=`: 1 where there is none, undefined where it is no number of a page. */
export function readPageNumber(text: string | null): number | undefined {
  if (text === null) return 1;
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}
