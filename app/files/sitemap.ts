import { pagePaths, paths } from "../../server/http/paths.ts";
import type { PageHandle } from "../document/page-handle.ts";
import { listPath, postLists } from "../pages/blog/posts.ts";
import { getServices } from "../services-context.ts";
import type { Route } from "./+types/sitemap";

export const handle: PageHandle = { keptAs: () => paths.sitemap };

/** Every page of every list of posts. */
function listPages(): string[] {
  return postLists.names.flatMap((name) =>
    Array.from({ length: postLists.pagesOf(name) }, (_, index) => listPath(name, index + 1)),
  );
}

export function loader({ context }: Route.LoaderArgs) {
  const { publicUrl } = getServices(context);
  const entries = [
    ...[...new Set([...Object.values(pagePaths), ...listPages()])].map(
      (path) => `<url><loc>${publicUrl}${path.replaceAll("&", "&amp;")}</loc></url>`,
    ),
    ...postLists.listed.map(
      (post) =>
        `<url><loc>${publicUrl}${paths.post(post.id)}</loc><lastmod>${post.isoDate}</lastmod></url>`,
    ),
  ];
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("\n")}\n</urlset>\n`;
  return new Response(body, { headers: { "Content-Type": "application/xml; charset=utf-8" } });
}
