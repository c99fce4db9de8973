/** Public pages, in sitemap order. */
export const pagePaths = {
  landing: "/",
  blog: "/blog",
  faq: "/faq",
  privacyPolicy: "/privacy-policy",
  terms: "/terms-conditions",
  deletion: "/delete-my-account",
} as const;

/** Files for programs. */
export const filePaths = {
  feed: "/feed.xml",
  sitemap: "/sitemap.xml",
  robots: "/robots.txt",
  llms: "/llms.txt",
  manifest: "/manifest.webmanifest",
  securityTxt: "/.well-known/security.txt",
  /**
   * Instructions for checking a receipt, and all signing keys. Receipts name this path, so never
   * change it.
   */
  receiptKeys: "/deletion-receipt-keys",
} as const;

/** Webhooks. Callers authenticate themselves, so the origin check doesn't apply. */
export const hookPaths = { accountSystem: "/hooks/account-system" } as const;

/** All paths of the site, for routes, pages and emails. None ends with a slash. */
export const paths = {
  ...pagePaths,
  ...filePaths,
  about: "/#about",
  careers: "/#careers",
  contact: "/#contact",
  cookies: "/#cookies",
  refund: "/#refund",
  registration: "/#Registration",
  post: (id: number) => `${pagePaths.blog}/${id}`,
  /** Target of the form's script. */
  deletionRequests: "/deletion-requests",
  deletionReceipt: "/deletion-receipt",
  receiptKey: (version: number) => `${filePaths.receiptKeys}/${version}`,
  /** The deletion desk; returns 404 until the first invitation. */
  operator: "/operator",
  operatorRequest: (id: number | string) => `/operator/requests/${id}`,
  operatorDraft: (id: number | string) => `/operator/requests/${id}/draft`,
  operatorNewRequest: "/operator/requests/new",
  operatorHealth: "/operator/health",
  operatorFigures: "/operator/figures",
  operatorFiguresFile: "/operator/figures.csv",
  operatorSubject: "/operator/subject",
  operatorSubjectFile: "/operator/subject/file",
  operatorPeople: "/operator/people",
  operatorHistory: "/operator/history",
  operatorHandOver: "/operator/hand-over",
  operatorMe: "/operator/me",
  operatorSignIn: "/operator/sign-in",
  operatorEnrol: "/operator/enrol",
} as const;
