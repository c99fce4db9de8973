import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";
import { filePaths, paths } from "../server/platform/http/paths.ts";

/** Creates a case-sensitive route, so `/FAQ` responds with 404. */
function page(path: string, file: string, id?: string) {
  return route(path.slice(1), file, { caseSensitive: true, ...(id && { id }) });
}

/** All routes of the site: pages first, then files for programs such as feed readers. */
export default [
  index("pages/landing/landing-page.tsx"),
  page(paths.blog, "pages/blog/blog-list-page.tsx"),
  page(`${paths.blog}/:id`, "pages/blog/blog-post-page.tsx"),
  page(paths.faq, "pages/faq/faq-page.tsx"),
  page(paths.privacyPolicy, "pages/legal/legal-page.tsx", "privacy-policy"),
  page(paths.terms, "pages/legal/legal-page.tsx", "terms-conditions"),
  page(paths.deletion, "pages/delete-account/delete-account-page.tsx"),
  page("/:name", "pages/own-page/own-page.tsx"),

  // Operator pages that require sign-in. The sign-in and enrollment pages are outside this layout.
  layout("pages/operator/desk-layout.tsx", [
    page(paths.operator, "pages/operator/today-page.tsx"),
    page(paths.operatorNewRequest, "pages/operator/new-request-page.tsx"),
    page(paths.operatorRequest(":id"), "pages/operator/request-page.tsx"),
    page(paths.operatorDraft(":id"), "pages/operator/draft.ts"),
    page(paths.operatorHealth, "pages/operator/health-page.tsx"),
    page(paths.operatorFigures, "pages/operator/figures-page.tsx"),
    page(paths.operatorFiguresFile, "pages/operator/figures-file.ts"),
    page(paths.operatorSubject, "pages/operator/subject-page.tsx"),
    page(paths.operatorSubjectFile, "pages/operator/subject-file.ts"),
    page(paths.operatorPeople, "pages/operator/people-page.tsx"),
    page(paths.operatorHistory, "pages/operator/history-page.tsx"),
    page(paths.operatorHandOver, "pages/operator/hand-over-page.tsx"),
    page(paths.operatorMe, "pages/operator/me-page.tsx"),
  ]),
  layout("pages/operator/sign-in-layout.tsx", [
    page(paths.operatorSignIn, "pages/operator/sign-in-page.tsx"),
    page(paths.operatorEnrol, "pages/operator/enrol-page.tsx"),
  ]),

  page(paths.deletionRequests, "pages/delete-account/submit-request.ts"),
  page(paths.deletionReceipt, "pages/delete-account/receipt.ts"),
  page(`${paths.receiptKeys}/:id`, "files/receipt-key.ts"),
  ...Object.values(filePaths).map((path) => page(path, "files/files.ts", path)),
] satisfies RouteConfig;
