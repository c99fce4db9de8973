/** Public pages, in sitemap order. */
export const pagePaths = {
  landing: "/",
  blog: "/blog",
  faq: "/faq",
  privacyPolicy: "/privacy-policy",
  terms: "/terms-conditions",
  deletion: "/delete-my-account",
} as const;

/** Files for programs such as crawlers and feed readers. */
export const filePaths = {
  feed: "/feed.xml",
  sitemap: "/sitemap.xml",
  robots: "/robots.txt",
  llms: "/llms.txt",
  manifest: "/manifest.webmanifest",
  securityTxt: "/.well-known/security.txt",
  /**
   * Page that explains how to check a receipt and lists all signing keys. Receipts contain this
   * path, so never change it.
   */
  receiptKeys: "/deletion-receipt-keys",
} as const;

/** Webhooks. They authenticate their callers, so the origin check doesn't apply. */
export const hookPaths = { accountSystem: "/hooks/account-system" } as const;

/** Monitoring endpoints: `health` reports on the entire service, `alive` only on this process. */
export const monitorPaths = { health: "/healthz", alive: "/livez" } as const;

export const isForMonitors = (path: string) =>
  path === monitorPaths.health || path === monitorPaths.alive;

/**
 * Paths of all pages, their sections, files and form endpoints, for routes, pages and emails. No
 * path except `/` ends with a slash.
 */
export const paths = {
  ...pagePaths,
  ...filePaths,
  about: "/#about",
  careers: "/#careers",
  contact: "/#contact",
  cookies: "/#cookies",
  safety: "/#safety",
  refund: "/#refund",
  registration: "/#Registration",
  post: (id: number) => `${pagePaths.blog}/${id}`,
  /** Endpoint for the script of the deletion form. */
  deletionRequests: "/deletion-requests",
  deletionReceipt: "/deletion-receipt",
  receiptKey: (version: number) => `${filePaths.receiptKeys}/${version}`,
  /** The deletion desk, which responds with 404 until the first operator is invited. */
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
