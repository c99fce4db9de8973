import { index, type RouteConfig, route } from "@react-router/dev/routes";

/** Every address of the site. Pages first, then files for programs. */
export default [
  index("pages/landing/landing-page.tsx"),
  route("blog", "pages/blog/blog-list-page.tsx"),
  route("blog/:id", "pages/blog/blog-post-page.tsx"),
  route("faq", "pages/faq/faq-page.tsx"),
  route("privacy-policy", "pages/legal/privacy-policy-page.tsx"),
  route("terms-conditions", "pages/legal/terms-conditions-page.tsx"),
  route("delete-my-account", "pages/delete-account/delete-account-page.tsx"),

  route("deletion-requests", "pages/delete-account/submit-request.ts"),
  route("deletion-receipt", "pages/delete-account/receipt.ts"),
  route("feed.xml", "files/feed.ts"),
  route("sitemap.xml", "files/sitemap.ts"),
  route("robots.txt", "files/robots.ts"),
  route("manifest.webmanifest", "files/manifest.ts"),

  // The shared pieces in all their states: on the development server only.
  ...(process.env.NODE_ENV === "development"
    ? [route("pieces", "pages/pieces/pieces-page.tsx")]
    : []),
] satisfies RouteConfig;
