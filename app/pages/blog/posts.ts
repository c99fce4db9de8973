import { campus } from "virtual:campus";
import { posts } from "virtual:posts";
import type { PostListing } from "../../../campus/load.ts";
import { paths } from "../../../server/http/paths.ts";
import { createPostLists } from "./post-lists.ts";

const { categories, defaultCategory } = campus.settings;

/** The name that stands for every category, in the list and in the address. */
export const allCategories = campus.interface.blog.all;

export const postLists = createPostLists(posts, categories, allCategories);

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

/** The id of a post's card in a list. */
export function cardId(post: PostListing): string {
  return `post-${post.id}`;
}
