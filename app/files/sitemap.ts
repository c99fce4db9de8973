import { campus } from "virtual:campus";
import { pagePaths, paths } from "../../server/platform/http/paths.ts";
import { listPath, postLists } from "../pages/blog/posts.ts";
import { hasSection, isOffered } from "../sections.ts";
import { alternatesOf, languages } from "../words.ts";

/** Returns whether a blog list has any posts. The sitemap omits empty lists. */
const isFilled = (name: string) => postLists.postsOn(name, 1).length > 0;

/** Returns the sitemap of all pages in all languages. Every language serves the same sitemap. */
export function writeSitemap({ publicUrl }: { publicUrl: string }): string {
  const escaped = (path: string) => (publicUrl + path).replaceAll("&", "&amp;");
  /** Returns a page's entries, one per language. Each entry links to the page's other languages. */
  const entriesOf = (path: string, lastChange = "") => {
    const alternates =
      languages.length === 1
        ? ""
        : alternatesOf(path)
            .map(
              ({ language, address }) =>
                `<xhtml:link rel="alternate" hreflang="${language}" href="${escaped(address)}"/>`,
            )
            .join("");
    return languages.map(
      ({ to }) => `<url><loc>${escaped(to(path))}</loc>${lastChange}${alternates}</url>`,
    );
  };
  const lists = hasSection("blog")
    ? postLists.names
        .filter(isFilled)
        .flatMap((name) =>
          Array.from({ length: postLists.pagesOf(name) }, (_, index) => listPath(name, index + 1)),
        )
    : [];
  const pages = [
    ...Object.values(pagePaths).filter(isOffered),
    ...campus.pages.map(({ name }) => `/${name}`),
  ];
  const entries = [
    ...[...new Set([...pages, ...lists])].flatMap((path) => entriesOf(path)),
    ...postLists.listed.flatMap((post) =>
      entriesOf(paths.post(post.id), `<lastmod>${post.isoDate}</lastmod>`),
    ),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"${languages.length > 1 ? ' xmlns:xhtml="http://www.w3.org/1999/xhtml"' : ""}>\n${entries.join("\n")}\n</urlset>\n`;
}
