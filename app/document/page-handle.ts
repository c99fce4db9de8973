import pageScript from "../components/page-script.js?script";

/** Settings of the document, exported by a route as `handle`. */
export type PageHandle = {
  /** Scripts written into the page after its content, in order. Their hashes are in the policy. */
  inlineScripts?: string[];
  /** Returns whether there is a page at this path, for routes that match more. */
  isThere?: (path: string) => boolean;
  /** True if the page loads an island: allows same-origin scripts and requests. */
  island?: boolean;
  /**
   * True in the operators' area: requires sign-in, loads the operators' script, and is neither
   * cached nor indexed.
   */
  operators?: boolean;
  /**
   * Returns the cache key: the address at which everyone gets the same page. The address and the
   * key have no language; the server adds it. Without this function, or if it returns undefined,
   * the page is rendered for each visitor and never cached. A cached page is rendered from the key
   * alone, so the key must contain everything that the page depends on. The number of keys must be
   * bounded by the campus's content.
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
