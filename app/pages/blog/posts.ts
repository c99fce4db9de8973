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

/** The blog in the campus's first language: in all of them it has the same posts in the same places. */
export const postLists = listsOf(campus);

export function listsOf({ settings }: Pick<Words, "settings">) {
  const lists = listsIn.get(settings.language);
  if (!lists) throw new Error(`There are no posts in the language ${settings.language}`);
  return lists;
}

/** The address of a page of a list. The default category and the first page go without saying. */
export function listPath(category: string, page = 1): string {
  const query = [
    ...(category === defaultCategory ? [] : [`category=${encodeURIComponent(category)}`]),
    ...(page === 1 ? [] : [`page=${page}`]),
  ];
  return query.length > 0 ? `${paths.blog}?${query.join("&")}` : paths.blog;
}

/** The fragment that a link from the list of all posts adds to the address of a post. */
export const fromAll = "all";

/** The address of a post, for a link in one of the lists. */
export function postPath(post: PostListing, list: string): string {
  return paths.post(post.id) + (list === allCategories ? `#${fromAll}` : "");
}

/** The place of a post in one of the two lists it stands in. */
export function placeInList(post: PostListing, list: string): string {
  const path = listPath(list, postLists.pageWith(post, list));
  return post.listed ? `${path}#${cardId(post)}` : path;
}

export function cardId(post: PostListing): string {
  return `post-${post.id}`;
}

/** As many as a feed reader that comes once a month may have missed, or a program with little room should be given. */
export function newestPosts(words: Words): readonly PostListing[] {
  return listsOf(words).listed.slice(0, 30);
}
