import { campus } from "virtual:campus";
import { postsIn } from "virtual:posts";
import { allCategories } from "../../../campus-reader/choices.ts";
import type { PostListing } from "../../../campus-reader/posts.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import type { PageWords } from "../../words.ts";
import { createPostLists } from "./post-lists.ts";

const { categories, defaultCategory } = campus.settings;

const listsIn = new Map(
  Object.entries(postsIn).map(([language, posts]) => [
    language,
    createPostLists(posts, categories),
  ]),
);

/**
 * The blog's lists in the campus's default language. All languages have the same posts in the same
 * order.
 */
export const postLists = listsOf(campus);

export function listsOf({ settings }: Pick<PageWords, "settings">) {
  const lists = listsIn.get(settings.language);
  if (!lists) throw new Error(`There are no posts in the language ${settings.language}`);
  return lists;
}

/**
 * Returns the URL path of a list's page. Omits the parameters of the default category and the first
 * page.
 */
export function listPath(category: string, page = 1): string {
  const query = [
    ...(category === defaultCategory ? [] : [`category=${encodeURIComponent(category)}`]),
    ...(page === 1 ? [] : [`page=${page}`]),
  ];
  return query.length > 0 ? `${paths.blog}?${query.join("&")}` : paths.blog;
}

/** URL fragment of links to a post from the list of all posts. */
export const fromAll = "all";

/** Returns the URL path that one of the blog's lists uses to link to a post. */
export function postPath(post: PostListing, list: string): string {
  return paths.post(post.id) + (list === allCategories ? `#${fromAll}` : "");
}

/** Returns the URL path of a post's card in a list. */
export function placeInList(post: PostListing, list: string): string {
  const path = listPath(list, postLists.pageWith(post, list));
  return post.listed ? `${path}#${cardId(post)}` : path;
}

export function cardId(post: PostListing): string {
  return `post-${post.id}`;
}

/**
 * Returns the newest posts for feeds: enough that a feed reader that polls monthly misses none, yet
 * few enough for devices with little memory.
 */
export function newestPosts(words: PageWords): readonly PostListing[] {
  return listsOf(words).listed.slice(0, 30);
}
