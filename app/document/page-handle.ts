import pageScript from "../ui/page-script.js?script";

/** What a route may ask of the document, as its `handle` export. */
export type PageHandle = {
  /** Scripts written into the page after its content, in order. Each is allowed by its hash. */
  inlineScripts?: string[];
  /** True where the page loads an island: same-origin scripts and requests are allowed. */
  island?: boolean;
  /** True in the operators' area: signed-in people only, with the operators' script, kept and found by nobody. */
  operators?: boolean;
  /**
   * The address under which everybody gets the same page. Without it, or where it is undefined, the page is made for
   * each visitor and kept by nobody. The page is made from this address alone, so it holds everything that the page may
   * depend on, and there are only as many as the campus has content.
   */
  keptAs?: (url: URL) => string | undefined;
};

/** What the routes of a page ask of it together, and the texts of the scripts that are written into it. */
export function readHandles(matches: readonly { handle?: unknown }[]) {
  const handles = matches.map(({ handle }) => (handle ?? {}) as PageHandle);
  const isOperators = handles.some((handle) => handle.operators);
  const own = handles.flatMap((handle) => handle.inlineScripts ?? []);
  return {
    isOperators,
    hasIsland: handles.some((handle) => handle.island),
    scripts: isOperators ? [] : [pageScript, ...own],
  };
}
