import { index, type RouteConfig, route } from "@react-router/dev/routes";

/** Addresses are written in one way only: `/FAQ` is no page. */
function page(path: string, file: string) {
  return route(path, file, { caseSensitive: true });
}

/** Every address of the site. Pages first, then files for programs. */
export default [
  index("pages/landing/landing-page.tsx"),
  page("blog", "pages/blog/blog-list-page.tsx"),
  page("blog/:id", "pages/blog/blog-post-page.tsx"),
  page("faq", "pages/faq/faq-page.tsx"),
  page("privacy-policy", "pages/legal/privacy-policy-page.tsx"),
  page("terms-conditions", "pages/legal/terms-conditions-page.tsx"),
  page("delete-my-account", "pages/delete-account/delete-account-page.tsx"),

  page("deletion-requests", "pages/delete-account/submit-request.ts"),
  page("deletion-receipt", "pages/delete-account/receipt.ts"),
  page("feed.xml", "files/feed.ts"),
  page("sitemap.xml", "files/sitemap.ts"),
  page("robots.txt", "files/robots.ts"),
  page("manifest.webmanifest", "files/manifest.ts"),

  // The shared pieces in all their states: on the development server only.
  ...(process.env.NODE_ENV === "development"
    ? [page("pieces", "pages/pieces/pieces-page.tsx")]
    : []),
] satisfies RouteConfig;
