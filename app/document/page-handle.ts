import pageScript from "../components/page-script.js?script";

/** Document settings that a route exports as `handle`. */
export type PageHandle = {
  /**
   * Scripts to write into the page after its content, in this order. The policy allows them by
   * their hashes.
   */
  inlineScripts?: string[];
  /** Returns whether there is a page at this path, for routes that match more. */
  isThere?: (path: string) => boolean;
  /** True if the page loads an island: allows same-origin scripts and requests. */
  island?: boolean;
  /**
   * Whether the page is in the operators' area: requires sign-in, loads the operators' script, and
   * is neither cached nor indexed.
   */
  operators?: boolean;
  /**
   * Returns the cache key: the URL path and query string at which everyone gets the same page.
   * Neither `url` nor the key contains a language; the server adds it. Without this function, or if
   * it returns undefined, the page is rendered for each visitor and never cached. A cached page is
   * rendered from the key alone, so the key must contain everything that the page depends on. The
   * campus's content must bound the number of keys.
   */
  keptAs?: (url: URL) => string | undefined;
};

/** Merges the handles of a page's routes, and reads the source of its inline scripts. */
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
