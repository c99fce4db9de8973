/** What a route may ask of the document, as its `handle` export. */
export type PageHandle = {
  /** Scripts written into the page after its content, in order. Each is allowed by its hash. */
  inlineScripts?: string[];
  /** True where the page loads an island: same-origin scripts and requests are allowed. */
  island?: boolean;
};
