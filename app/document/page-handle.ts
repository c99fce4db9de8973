import pageScript from "../components/page-script.js?script";

/** Document settings that a route exports as `handle`. */
export type PageHandle = {
  /**
   * Scripts to inline after the page's content, in this order. The Content-Security-Policy allows
   * them by their hashes.
   */
  inlineScripts?: string[];
  /** Whether a path has a page, for a route whose pattern also matches paths without a page. */
  isThere?: (path: string) => boolean;
  /**
   * Whether the page loads an island. If so, the Content-Security-Policy allows script files from
   * this site.
   */
  island?: boolean;
  /**
   * Whether the page is in the operators' area. Such a page loads the operators' script, and is
   * neither cached nor indexed.
   */
  operators?: boolean;
  /**
   * Returns the cache key: the URL path and query string at which everyone gets the same page. The
   * server adds the language, which neither `url` nor the key contains. If this function is missing
   * or returns undefined, the page is rendered for each visitor and never cached. A cached page is
   * rendered from the key alone, so the key must contain everything that the page depends on. The
   * campus's content must limit the number of keys.
   */
  keptAs?: (url: URL) => string | undefined;
  /** Query parameters on which a cached page depends. All others are redirected away. */
  query?: readonly string[];
};

/** Merges the handles of a page's routes. */
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
