import { index, type RouteConfig, route } from "@react-router/dev/routes";
import { paths } from "../server/http/paths.ts";

/** Addresses are written in one way only: `/FAQ` is no page. */
function page(path: string, file: string) {
  return route(path.slice(1), file, { caseSensitive: true });
}

/** Every address of the site. Pages first, then files for programs. */
export default [
  index("pages/landing/landing-page.tsx"),
  page(paths.blog, "pages/blog/blog-list-page.tsx"),
  page(`${paths.blog}/:id`, "pages/blog/blog-post-page.tsx"),
  page(paths.faq, "pages/faq/faq-page.tsx"),
  page(paths.privacyPolicy, "pages/legal/privacy-policy-page.tsx"),
  page(paths.terms, "pages/legal/terms-conditions-page.tsx"),
  page(paths.deletion, "pages/delete-account/delete-account-page.tsx"),

  page(paths.deletionRequests, "pages/delete-account/submit-request.ts"),
  page(paths.deletionReceipt, "pages/delete-account/receipt.ts"),
  page(paths.receiptKeys, "files/receipt-keys.ts"),
  page(`${paths.receiptKeys}/:id`, "files/receipt-key.ts"),
  page(paths.feed, "files/feed.ts"),
  page(paths.sitemap, "files/sitemap.ts"),
  page(paths.robots, "files/robots.ts"),
  page(paths.llms, "files/llms.ts"),
  page(paths.manifest, "files/manifest.ts"),
  page(paths.securityTxt, "files/security-txt.ts"),

  // The shared pieces in all their states: on the development server only.
  ...(process.env.NODE_ENV === "development"
    ? [page("/pieces", "pages/pieces/pieces-page.tsx")]
    : []),
] satisfies RouteConfig;
