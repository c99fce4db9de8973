import { campus } from "virtual:campus";
import { postsIn } from "virtual:posts";
import type { PostListing } from "../../../campus-reader/posts.ts";
import { paths } from "../../../server/http/paths.ts";
import type { Words } from "../../words.ts";
import { allCategories, createPostLists } from "./post-lists.ts";

const { categories, defaultCategory } = campus.settings;

const listsIn = new Map(
  Object.entries(postsIn).map(([language, posts]) => [
    language,
    createPostLists(posts, categories),
  ]),
);

/** Lists of the first language; in all languages the blog has the same posts in the same places. */
export const postLists = listsOf(campus);

export function listsOf({ settings }: Pick<Words, "settings">) {
  const lists = listsIn.get(settings.language);
  if (!lists) throw new Error(`There are no posts in the language ${settings.language}`);
  return lists;
}

/**
 * Returns the address of a page of a list, without parameters for the default category and the
 * first page.
 */
export function listPath(category: string, page = 1): string {
  const query = [
    ...(category === defaultCategory ? [] : [`category=${encodeURIComponent(category)}`]),
    ...(page === 1 ? [] : [`page=${page}`]),
  ];
  return query.length > 0 ? `${paths.blog}?${query.join("&")}` : paths.blog;
}

/** Fragment that a link from the list of all posts adds to the address of a post. */
export const fromAll = "all";

/** Returns the address of a post, for a link in one of the lists. */
export function postPath(post: PostListing, list: string): string {
  return paths.post(post.id) + (list === allCategories ? `#${fromAll}` : "");
}

/** Returns the address of a post's card in one of its two lists. */
export function placeInList(post: PostListing, list: string): string {
  const path = listPath(list, postLists.pageWith(post, list));
  return post.listed ? `${path}#${cardId(post)}` : path;
}

export function cardId(post: PostListing): string {
  return `post-${post.id}`;
}

/**
 * Returns the newest posts: as many as a feed reader can miss in a month, and as fit programs with
 * little room.
 */
export function newestPosts(words: Words): readonly PostListing[] {
  return listsOf(words).listed.slice(0, 30);
}
