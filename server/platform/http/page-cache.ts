import { createHash } from "node:crypto";
import { compress, type Encoding, pickEncoding } from "./encoding.ts";
import { yieldToOthers } from "./fair-queue.ts";

/** A complete response: alternating header names and values, and the bytes of the body. */
export type ReadyAnswer = { status: number; headers: string[]; body: Buffer | null };

type CachedPage = {
  /**
   * Entity tag with its quotes but without `W/`, because `If-None-Match` compares weakly (RFC 9110,
   * section 13.1.2).
   */
  opaqueTag: string;
  /** HTTP date of the rendering that last changed the page. */
  lastModified: string;
  keptAtMs: number;
  /**
   * Time from which the page must be rendered again, because its content changes without a new
   * build.
   */
  changesAtMs: number;
  bytes: number;
  answers: Record<Encoding, ReadyAnswer>;
  unchanged: ReadyAnswer;
};

/** Request headers that determine whether to send a 304 or the page, and in which encoding. */
type Suiting = {
  acceptEncoding?: string | undefined;
  ifNoneMatch?: string | undefined;
  ifModifiedSince?: string | undefined;
};

export type PageCache = ReturnType<typeof createPageCache>;

/** Age from which a request still gets the cached page, but triggers its renewal. */
const freshMs = 5 * 60_000;
/**
 * Age from which a page is no longer served. At New Year, the year in the footer is therefore right
 * within ten minutes.
 */
const staleMs = 10 * 60_000;
/**
 * Maximum size of all cached pages in all encodings. The cache evicts the oldest pages beyond it.
 */
const capacityBytes = 48 * 1024 * 1024;
/**
 * Browsers revalidate every time and mostly get a 304. A shared cache may serve a page for one
 * minute, and for five more minutes while it revalidates the page. `no-transform` (RFC 9111,
 * section 5.2.2.6) keeps proxies such as Cloudflare from rewriting email addresses in pages.
 */
const cacheControl = "public, max-age=0, s-maxage=60, stale-while-revalidate=300, no-transform";
/** How long a shared cache may serve a page, in milliseconds. */
const sharedMs = (60 + 300) * 1000;
/** For a not-found page, because the URL may exist after the next build. */
const sharedForAMinute = "public, max-age=0, s-maxage=60, no-transform";
/** For a page whose content changes soon. Shared caches must revalidate the page every time. */
const changingSoon = "public, no-cache, no-transform";

/**
 * Creates a cache of rendered and compressed public pages, keyed by URL. It contains only pages
 * that their routes declare cacheable. Rendering depends only on the URL, so one visitor's data can
 * never reach another visitor.
 */
export function createPageCache(options: {
  nowMs: () => number;
  /** Returns the next time at which pages' content changes without a new build. */
  changesAfter?: (nowMs: number) => number;
  make: (address: string) => Promise<Response>;
  onFault: (error: unknown, address: string) => void;
}) {
  const { nowMs, changesAfter = () => Number.POSITIVE_INFINITY } = options;
  const pages = new Map<string, CachedPage>();
  const inProgress = new Map<string, Promise<CachedPage | Response>>();
  const waiting: (() => void)[] = [];
  let isMaking = false;
  let bytes = 0;

  /**
   * Renders a page once for concurrent requests. Renders only one page at a time, because
   * compressing two on a single core would leave the serving thread only a third of the core.
   */
  function renew(address: string): Promise<CachedPage | Response> {
    return inProgress.getOrInsertComputed(address, () =>
      makeInTurn(address).finally(() => inProgress.delete(address)),
    );
  }

  async function makeInTurn(address: string): Promise<CachedPage | Response> {
    if (isMaking) await new Promise<void>((start) => waiting.push(start));
    isMaking = true;
    try {
      return await makeAndKeep(address);
    } finally {
      const next = waiting.shift();
      if (next) void yieldToOthers().then(next);
      else isMaking = false;
    }
  }

  async function makeAndKeep(address: string): Promise<CachedPage | Response> {
    const startedAtMs = nowMs();
    const changesAtMs = changesAfter(startedAtMs);
    const response = await options.make(address);
    if (!mayBeKept(response)) return response;
    const times = { keptAtMs: nowMs(), changesAtMs };
    const page = await finish(response, times, pages.get(address));
    drop(address);
    pages.set(address, page);
    bytes += page.bytes;
    for (const oldest of pages.keys()) {
      if (bytes <= capacityBytes || oldest === address) break;
      drop(oldest);
    }
    return page;
  }

  function drop(address: string): void {
    bytes -= pages.get(address)?.bytes ?? 0;
    pages.delete(address);
  }

  return {
    /** Returns the cached response to a request, and renews an aging page in the background. */
    find(address: string, suiting: Suiting = {}): ReadyAnswer | undefined {
      const page = pages.get(address);
      if (!page) return undefined;
      const now = nowMs();
      if (now >= page.changesAtMs) return undefined;
      const age = now - page.keptAtMs;
      // A negative age means that the clock was set back. The page then counts as stale.
      if (age >= freshMs || age < 0) {
        if (age >= staleMs || age < 0) return undefined;
        if (!inProgress.has(address)) {
          renew(address).catch((error: unknown) => options.onFault(error, address));
        }
      }
      return answerFrom(page, suiting);
    },

    /**
     * Renders a page and caches the response. If the response can't be cached, for example because
     * it is an error, only returns the response.
     */
    async make(address: string, suiting: Suiting = {}): Promise<ReadyAnswer | Response> {
      const made = await renew(address);
      return made instanceof Response ? made.clone() : answerFrom(made, suiting);
    },
  };
}

/**
 * Rejects responses with `no-store` or a cookie. They are for one visitor, regardless of what their
 * route declares.
 */
function mayBeKept(response: Response): boolean {
  return (
    (response.status === 200 || response.status === 404) &&
    !response.headers.has("set-cookie") &&
    !response.headers.get("cache-control")?.includes("no-store")
  );
}

/**
 * Returns a `Cache-Control` value that keeps shared caches from serving the page after its content
 * changes.
 */
function forSharedCaches({ keptAtMs, changesAtMs }: { keptAtMs: number; changesAtMs: number }) {
  return changesAtMs - keptAtMs > staleMs + sharedMs ? cacheControl : changingSoon;
}

/** @param before previous version, whose compressed bytes are reused if the page hasn't changed */
async function finish(
  response: Response,
  times: { keptAtMs: number; changesAtMs: number },
  before: CachedPage | undefined,
): Promise<CachedPage> {
  const identity = Buffer.from(await response.arrayBuffer());
  const opaqueTag = `"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`;
  const kept = [...response.headers].filter(
    ([name]) => name !== "content-length" && name !== "cache-control" && name !== "vary",
  );
  const isSame = before?.opaqueTag === opaqueTag;
  const lastModified = isSame ? before.lastModified : new Date(times.keptAtMs).toUTCString();
  const shared = [
    ...kept.flat(),
    "cache-control",
    response.status === 200 ? forSharedCaches(times) : sharedForAMinute,
    "etag",
    `W/${opaqueTag}`,
    "last-modified",
    lastModified,
    "vary",
    "Accept-Encoding",
  ];
  const unchanged: ReadyAnswer = { status: 304, headers: shared, body: null };
  if (before?.unchanged.headers.join("\n") === shared.join("\n")) return { ...before, ...times };

  const br = await compress(identity, "br", "small");
  const gzipped = await compress(identity, "gzip", "small");
  const answer = (body: Buffer, encoding?: string): ReadyAnswer => ({
    status: response.status,
    headers: [
      ...shared,
      ...(encoding ? ["content-encoding", encoding] : []),
      "content-length",
      String(body.byteLength),
    ],
    body,
  });
  return {
    opaqueTag,
    lastModified,
    ...times,
    bytes: identity.byteLength + br.byteLength + gzipped.byteLength,
    answers: {
      br: answer(br, "br"),
      gzip: answer(gzipped, "gzip"),
      identity: answer(identity),
    },
    unchanged,
  };
}

/**
 * Compares `If-Modified-Since` only for equality, because servers render the same page at different
 * times (RFC 9110, section 13.1.3, permits that). `If-None-Match` takes precedence. A not-found page
 * is sent whatever the conditions (section 13.2.1).
 */
function answerFrom(
  page: CachedPage,
  { acceptEncoding, ifNoneMatch, ifModifiedSince }: Suiting,
): ReadyAnswer {
  const answer = page.answers[pickEncoding(acceptEncoding)];
  if (answer.status !== 200) return answer;
  const isUnchanged =
    ifNoneMatch === undefined
      ? ifModifiedSince === page.lastModified
      : ifNoneMatch.trim() === "*" || ifNoneMatch.includes(page.opaqueTag);
  return isUnchanged ? page.unchanged : answer;
}
