import pageScript from "../components/page-script.js?script";

/** Document settings that a route exports as `handle`. */
export type PageHandle = {
  /**
   * Scripts to inline after the page's content, in this order. The Content-Security-Policy allows
   * each by its hash.
   */
  inlineScripts?: string[];
  /** Returns whether a page exists at this path, for routes with broad patterns. */
  isThere?: (path: string) => boolean;
  /** Whether the page loads an island. Islands need script files from this site. */
  island?: boolean;
  /**
   * Whether this is an operator page. Operator pages load the operators' script and are neither
   * cached nor indexed.
   */
  operators?: boolean;
  /**
   * Returns the cache key: a URL path and query string. URLs with the same key show everyone the
   * same page. Pages without a key are rendered for each visitor and never cached. The server adds
   * the language, so neither `url` nor the key contains it. A cached page is rendered from its key
   * alone, so the key must contain everything that the page depends on. Only the campus's content
   * may determine how many keys there are; otherwise, visitors could fill the cache.
   */
  keptAs?: (url: URL) => string | undefined;
  /**
   * Query parameters that a cached page depends on. Other parameters are removed with a redirect.
   */
  query?: readonly string[];
};

/** Merges the handles of a page's nested routes. */
export function readHandles(matches: readonly { handle?: unknown }[]) {
  const handles = matches.map(({ handle }) => (handle ?? {}) as PageHandle);
  const isOperators = handles.some((handle) => handle.operators);
  const scripts = handles.flatMap((handle) => handle.inlineScripts ?? []);
  return {
    isOperators,
    hasIsland: handles.some((handle) => handle.island),
    scripts: isOperators ? [] : [pageScript, ...scripts],
  };
}
