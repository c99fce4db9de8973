import { campus } from "virtual:campus";
import { pagePaths, paths } from "../../server/http/paths.ts";
import type { PageHandle } from "../document/page-handle.ts";
import { getServices } from "../services-context.ts";
import type { Route } from "./+types/sitemap";

export const handle: PageHandle = { keptAs: () => paths.sitemap };

export function loader({ context }: Route.LoaderArgs) {
  const { publicUrl } = getServices(context);
  const posts = campus.posts.filter((post) => post.listed);
  const entries = [
    ...Object.values(pagePaths).map((path) => `<url><loc>${publicUrl}${path}</loc></url>`),
    ...posts.map(
      (post) =>
        `<url><loc>${publicUrl}${paths.post(post.id)}</loc><lastmod>${post.isoDate}</lastmod></url>`,
    ),
  ];
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("\n")}\n</urlset>\n`;
  return new Response(body, { headers: { "Content-Type": "application/xml; charset=utf-8" } });
}
