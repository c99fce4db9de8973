import pageScript from "../ui/page-script.js?script";

/** Settings of the document that a route exports as `handle`. */
export type PageHandle = {
  /** Scripts written into the page after its content, in order. Each is allowed by its hash. */
  inlineScripts?: string[];
  /** True if the page loads an island: allows same-origin scripts and requests. */
  island?: boolean;
  /**
   * True in the operators' area: signed-in operators only, with the operators' script, neither
   * cached nor indexed.
   */
  operators?: boolean;
  /**
   * Returns the cache key: the address under which everyone gets the same page. Without it, or if
   * it returns undefined, each visitor gets a page of their own that no cache keeps. The page is
   * rendered from this address alone, so the key holds everything the page depends on, and there
   * are only as many as the campus has content.
   */
  keptAs?: (url: URL) => string | undefined;
};

/** Merges the handles of a page's routes, and reads the texts of its inline scripts. */
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
