import { campus } from "virtual:campus";
import type { Post } from "../../../campus/load.ts";

/** The posts that lists show, newest first. */
export const listedPosts: readonly Post[] = campus.posts.filter((post) => post.listed);

/** The post at the address `/blog/<id>`, unlisted ones included. Only the plain number is an address of it. */
export function findPost(id: string): Post | undefined {
  if (!/^[1-9]\d{0,4}$/.test(id)) return undefined;
  return campus.posts.find((post) => post.id === Number(id));
}

/** Three other listed posts: those of the same category first, then the newest. */
export function relatedPosts(post: Post): Post[] {
  const others = listedPosts.filter((other) => other.id !== post.id);
  const same = others.filter((other) => other.category === post.category);
  return [...same, ...others.filter((other) => other.category !== post.category)].slice(0, 3);
}

/** The listed posts before and after this one; an unlisted post has none. */
export function neighbours(post: Post): { previous?: Post | undefined; next?: Post | undefined } {
  const index = listedPosts.findIndex((other) => other.id === post.id);
  if (index < 0) return {};
  return { previous: listedPosts[index - 1], next: listedPosts[index + 1] };
}
