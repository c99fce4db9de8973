import { readPostText } from "virtual:posts";
import { Feed } from "feed";
import { withoutOrnaments } from "../../campus-reader/ornaments.ts";
import { paths } from "../../server/platform/http/paths.ts";
import { formerAddress } from "../../server/platform/i18n/language-paths.ts";
import { shareImageOf } from "../document/page-meta.ts";
import { newestPosts } from "../pages/blog/posts.ts";
import type { PageWords } from "../words.ts";

/** Returns an Atom feed of the newest blog posts with their full text. */
export function writeFeed({ publicUrl }: { publicUrl: string }, words: PageWords): string {
  const { settings, interface: labels, to, translated } = words;
  // A post's id must survive URL changes (RFC 4287, 4.2.6); otherwise, feed readers would show
  // every post again.
  const idOf = (path: string) =>
    publicUrl + (translated ? formerAddress(path, settings.language) : path);
  const posts = newestPosts(words);
  const feed = new Feed({
    id: idOf(paths.blog),
    link: publicUrl + to(paths.blog),
    title: `${settings.product}: ${labels.blog.title}`,
    description: labels.blog.metaDescription,
    language: settings.language,
    copyright: settings.developer,
    updated: new Date(posts[0]?.isoDate ?? 0),
    feedLinks: { atom: publicUrl + to(paths.feed) },
    author: { name: settings.developer },
  });
  for (const post of posts) {
    const url = publicUrl + to(paths.post(post.id));
    feed.addItem({
      id: idOf(paths.post(post.id)),
      link: url,
      title: post.title,
      date: new Date(post.isoDate),
      description: post.excerpt,
      content: withoutOrnaments(readPostText(post.id, settings.language, publicUrl)),
      author: [{ name: post.author }],
      category: [labels.blog.categories[post.category] ?? []].flat().map((name) => ({ name })),
      image: publicUrl + shareImageOf(words, `post-${post.id}`),
    });
  }
  // The library sets a feed's language only for RSS.
  return feed.atom1().replace("<feed ", `<feed xml:lang="${settings.language}" `);
}
