import { paths } from "../../server/platform/http/paths.ts";
import { newestPosts } from "../pages/blog/posts.ts";
import { isOffered } from "../sections.ts";
import type { PageWords } from "../words.ts";

/** Returns llms.txt (https://llmstxt.org): the site's summary and page list for language models. */
export function writeForMachines({ publicUrl }: { publicUrl: string }, words: PageWords): string {
  const { settings, landing, deletion, pages, to } = words;
  const { privacy, terms } = words.legal;
  const labels = words.interface;
  const entry = (title: string, path: string, description: string) =>
    `- [${title}](${publicUrl}${to(path)}): ${description}`;
  const section = (title: string, ...entries: string[]) => `## ${title}\n\n${entries.join("\n")}`;
  const faq = entry(labels.faq.metaTitle, paths.faq, labels.faq.metaDescription);
  const parts = [
    `# ${settings.product}`,
    `> ${landing.meta.description}`,
    `${labels.footer.contact}: ${settings.email}`,
    section(
      labels.footer.companyTitle,
      entry(labels.nav.home, paths.landing, landing.meta.description),
      ...(isOffered(paths.faq) ? [faq] : []),
      entry(deletion.title, paths.deletion, deletion.meta.description),
      ...pages.map(({ name, title, description }) => entry(title, `/${name}`, description)),
    ),
    section(
      labels.footer.legalTitle,
      entry(privacy.title, paths.privacyPolicy, privacy.description),
      entry(terms.title, paths.terms, terms.description),
    ),
    ...(isOffered(paths.blog)
      ? [
          section(
            labels.blog.title,
            entry(labels.blog.title, paths.blog, labels.blog.metaDescription),
            ...newestPosts(words).map((post) =>
              entry(post.title, paths.post(post.id), post.excerpt),
            ),
          ),
        ]
      : []),
  ];
  return `${parts.join("\n\n")}\n`;
}
