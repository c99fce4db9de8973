import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PostListing } from "../../campus-reader/posts.ts";
import { buildDir, campus, root } from "./campus.ts";

/**
 * The built site with posts of its own: a copy of the server's bundle beside other files of posts.
 * @returns the folder to hand to `openSiteBundle`, inside the project, so that the copy finds its packages
 */
export function buildWithPosts(posts: readonly PostListing[]): {
  buildDir: string;
  [Symbol.dispose](): void;
} {
  const folder = mkdtempSync(join(root, "node_modules/.many-posts-"));
  symlinkSync(join(buildDir, "client"), join(folder, "client"));
  cpSync(join(buildDir, "server"), join(folder, "server"), { recursive: true });
  const texts = join(folder, "server/posts", campus.settings.language);
  writeFileSync(join(texts, "index.json"), JSON.stringify(posts));
  for (const { id, title } of posts) {
    writeFileSync(join(texts, `${id}.html`), `<p>All about ${title}.</p>`);
  }
  return {
    buildDir: folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Posts for a blog of any size, newest first, with the pictures of the campus's own. Titles and excerpts are words of
 * these drawn by chance (always the same), with the lengths that real ones have: they compress about as badly.
 */
export function makePosts(count: number): PostListing[] {
  const random = createRandom(7);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const words = campus.posts.flatMap((post) => post.html.replace(/<[^>]+>/g, " ").split(/\s+/));
  const sentence = (length: number) => {
    let text = pick(words);
    while (text.length < length) text += ` ${pick(words)}`;
    return text.slice(0, length).trim();
  };
  const day = Temporal.PlainDate.from("2026-11-20");
  return Array.from({ length: count }, (_, index) => {
    const like = campus.posts[index % campus.posts.length] as (typeof campus.posts)[number];
    const { html: _html, file: _file, ...listing } = like;
    const isoDate = day.subtract({ days: index });
    return {
      ...listing,
      id: 99_999 - index,
      listed: true,
      category: campus.settings.categories[index % campus.settings.categories.length] ?? "",
      title: sentence(45 + Math.floor(random() * 20)),
      excerpt: sentence(120 + Math.floor(random() * 80)),
      imageAlt: sentence(60),
      isoDate: isoDate.toString(),
      date: isoDate.toLocaleString(campus.settings.language, { dateStyle: "medium" }),
      related: [1, 2, 3].map((step) => 99_999 - ((index + step * 7) % count)),
    };
  });
}

/** Numbers from 0 to 1, the same ones for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
