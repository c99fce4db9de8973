import { campus } from "virtual:campus";
import { getServices } from "../services-context.ts";
import type { Route } from "./+types/sitemap";

const pages = ["/", "/blog", "/faq", "/privacy-policy", "/terms-conditions", "/delete-my-account"];

export function loader({ context }: Route.LoaderArgs) {
  const { publicUrl } = getServices(context);
  const posts = campus.posts.filter((post) => post.listed);
  const entries = [
    ...pages.map((path) => `<url><loc>${publicUrl}${path}</loc></url>`),
    ...posts.map(
      (post) =>
        `<url><loc>${publicUrl}/blog/${post.id}</loc><lastmod>${post.isoDate}</lastmod></url>`,
    ),
  ];
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("\n")}\n</urlset>\n`;
  return new Response(body, { headers: { "Content-Type": "application/xml; charset=utf-8" } });
}
