import { allCategories } from "../../../campus-reader/choices.ts";
import type { PostListing } from "../../../campus-reader/posts.ts";

/** Posts per page: five complete groups of seven, the most that fit into the page's first 14 KB. */
export const pageSize = 35;

/**
 * Builds the blog's lists once from all posts so that rendering a page takes equally long with ten
 * posts or ten thousand.
 * @param posts all posts, newest first, including unlisted ones
 */
export function createPostLists(posts: readonly PostListing[], categories: readonly string[]) {
  const byId = new Map(posts.map((post) => [post.id, post]));
  const listed = posts.filter((post) => post.listed);
  const inCategory = Map.groupBy(listed, ({ category }) => category);
  const lists = new Map([
    [allCategories, listed],
    ...categories.map((category) => [category, inCategory.get(category) ?? []] as const),
  ]);
  /** Each post's index in each list, keyed by list name and then post id. */
  const places = new Map(
    [...lists].map(([name, list]) => [name, new Map(list.map(({ id }, place) => [id, place]))]),
  );
  const pagesOf = (category: string) =>
    Math.max(1, Math.ceil((lists.get(category)?.length ?? 0) / pageSize));

  return {
    /** The listed posts, newest first. Unlisted posts are reachable only by URL. */
    listed,
    /** Names of all lists, starting with the list of all posts. */
    names: [...lists.keys()],
    /** Returns the number of pages of a list: at least one, even for an unknown category. */
    pagesOf,

    postsOn(category: string, page: number): readonly PostListing[] {
      return (lists.get(category) ?? []).slice((page - 1) * pageSize, page * pageSize);
    },

    /**
     * Finds the post at `/blog/<id>`, even if it is unlisted. Rejects ids with leading zeros or
     * anything but digits so that each post has one URL.
     */
    findPost(id: string): PostListing | undefined {
      return /^[1-9]\d{0,4}$/.test(id) ? byId.get(Number(id)) : undefined;
    },

    /**
     * Returns the number of the list page that contains the post. A post is in at most two lists:
     * all posts and its category.
     */
    pageWith: ({ id }: PostListing, category: string) =>
      Math.floor((places.get(category)?.get(id) ?? 0) / pageSize) + 1,

    /** Returns the adjacent listed posts. An unlisted post has none. */
    neighbours({ id }: PostListing): { previous?: PostListing; next?: PostListing } {
      const place = places.get(allCategories)?.get(id);
      if (place === undefined) return {};
      return { previous: listed[place - 1], next: listed[place + 1] };
    },

    /** Returns the related posts, most similar first. */
    related(post: PostListing): PostListing[] {
      return post.related.flatMap((id) => byId.get(id) ?? []);
    },
  };
}

/** Parses the `page` query parameter. Returns 1 if it is missing and undefined if it is invalid. */
export function readPageNumber(text: string | null): number | undefined {
  if (text === null) return 1;
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}
