/** The pages that everybody may open, in the order of the sitemap. */
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
  /** How to check a receipt, with every key that ever signed one. It and theirs never move: receipts name them. */
  receiptKeys: "/deletion-receipt-keys",
} as const;

/** Where other programs call. They prove by themselves who they are, so the rule of the own origin is not for them. */
export const hookPaths = { accountSystem: "/hooks/account-system" } as const;

/**
 * The one place that writes the site's addresses out: routes answer them, pages and mails link to them. None ends in a
 * slash.
 */
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
  /** Where the form's island posts. */
  deletionRequests: "/deletion-requests",
  deletionReceipt: "/deletion-receipt",
  receiptKey: (version: number) => `${filePaths.receiptKeys}/${version}`,
  /** Where operators work. Nothing of it is there until somebody is invited. */
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
