import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PostListing } from "../../campus-reader/posts.ts";
import { buildDir, campus, root } from "./campus.ts";

/**
 * Makes a build with these posts by copying the server bundle and replacing the post data.
 * @returns the folder for `openSiteBundle`, inside the project so that the bundle finds its
 * packages
 */
export function buildWithPosts(posts: readonly PostListing[]) {
  const folder = mkdtempSync(join(root, "node_modules/.many-posts-"));
  symlinkSync(join(buildDir, "client"), join(folder, "client"));
  cpSync(join(buildDir, "server"), join(folder, "server"), { recursive: true });
  const texts = join(folder, "server/posts", campus.settings.language);
  writeFileSync(join(texts, "index.json"), JSON.stringify(posts));
  for (const { id, title } of posts) {
    writeFileSync(join(texts, `${id}.json`), JSON.stringify([`<p>All about ${title}.</p>`]));
  }
  return {
    buildDir: folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Creates blog posts, newest first, with the campus's images. Titles and excerpts mix words from
 * real posts, so they compress about as well as real text.
 */
export function makePosts(count: number): PostListing[] {
  const words = campus.posts.flatMap((post) => post.html.replace(/<[^>]+>/g, " ").split(/\s+/));
  let place = 0;
  const sentence = (length: number) => {
    let text = "";
    while (text.length <= length) {
      place = (place + 7_919) % words.length;
      text += `${words[place]} `;
    }
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
      title: sentence(45 + (index % 20)),
      excerpt: sentence(120 + (index % 80)),
      imageAlt: sentence(60),
      isoDate: isoDate.toString(),
      date: isoDate.toLocaleString(campus.settings.language, { dateStyle: "medium" }),
      related: [1, 2, 3].map((step) => 99_999 - ((index + step * 7) % count)),
    };
  });
}
