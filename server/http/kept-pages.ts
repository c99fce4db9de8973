import { createHash } from "node:crypto";
import { compress, type Encoding, pickEncoding } from "./encoding.ts";
import { letOthersIn } from "./turns.ts";

/** An answer that can leave as it is: names and values of headers in turn, and the bytes of the body. */
export type ReadyAnswer = { status: number; headers: string[]; body: Buffer | null };

type KeptPage = {
  /** The entity tag without `W/`, quotes included: `If-None-Match` compares weakly (RFC 9110, section 13.1.2). */
  opaqueTag: string;
  keptAtMs: number;
  bytes: number;
  answers: Record<Encoding, ReadyAnswer>;
  unchanged: ReadyAnswer;
};

/** What a visitor's headers say of the answer that suits them. */
type Suiting = [acceptEncoding?: string, ifNoneMatch?: string];

export type KeptPages = ReturnType<typeof createKeptPages>;

/** A page this old is made anew by the next visitor, who still gets the old one at once. */
const freshMs = 5 * 60_000;
/** A page this old is not shown any more; so the footer's year is right after ten minutes at the latest. */
const staleMs = 10 * 60_000;
/** Room for the pages in all their encodings. Beyond it, those kept longest ago go. */
const capacityBytes = 48 * 1024 * 1024;
/**
 * Browsers ask each time and mostly hear 304. A cache on the way may answer for a minute, and for five more while it
 * asks. `no-transform` (RFC 9111, section 5.2.2.6) keeps proxies such as Cloudflare from rewriting addresses in pages.
 */
const cacheControl = "public, max-age=0, s-maxage=60, stale-while-revalidate=300, no-transform";

/**
 * Caches public pages by address, finished and compressed. A route declares that its page may be cached. The page is made
 * from its address alone, so that nothing of the first visitor reaches the next.
 */
export function createKeptPages(options: {
  nowMs: () => number;
  /** Makes the page that lives at this address. */
  make: (address: string) => Promise<Response>;
  onFault: (error: unknown, address: string) => void;
}) {
  const { nowMs } = options;
  const pages = new Map<string, KeptPage>();
  const underWay = new Map<string, Promise<KeptPage | Response>>();
  const waiting: (() => void)[] = [];
  let isMaking = false;
  let bytes = 0;

  /**
   * However many ask for a page at once, it is made once. One page is made after the other: compressing two on one core
   * would leave the thread that serves everybody a third of it.
   */
  function renew(address: string): Promise<KeptPage | Response> {
    return underWay.getOrInsertComputed(address, () =>
      makeInTurn(address).finally(() => underWay.delete(address)),
    );
  }

  async function makeInTurn(address: string): Promise<KeptPage | Response> {
    if (isMaking) await new Promise<void>((start) => waiting.push(start));
    isMaking = true;
    try {
      return await makeAndKeep(address);
    } finally {
      const next = waiting.shift();
      if (next) void letOthersIn().then(next);
      else isMaking = false;
    }
  }

  async function makeAndKeep(address: string): Promise<KeptPage | Response> {
    const response = await options.make(address);
    if (!mayBeKept(response)) return response;
    const page = await finish(response, nowMs(), pages.get(address));
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
    /** The answer for this address when it can leave at once. An ageing page is renewed behind the visitor's back. */
    find(address: string, ...suiting: Suiting): ReadyAnswer | undefined {
      const page = pages.get(address);
      if (!page) return undefined;
      const age = nowMs() - page.keptAtMs;
      // A clock that was set back makes a page of the future: it is as good as an old one.
      if (age >= freshMs || age < 0) {
        if (age >= staleMs || age < 0) return undefined;
        if (!underWay.has(address)) {
          renew(address).catch((error: unknown) => options.onFault(error, address));
        }
      }
      return answerFrom(page, ...suiting);
    },

    /** Makes the page and keeps it. A page that may not be kept, such as one that failed, comes as it is. */
    async make(address: string, ...suiting: Suiting): Promise<ReadyAnswer | Response> {
      const made = await renew(address);
      return made instanceof Response ? made.clone() : answerFrom(made, ...suiting);
    },
  };
}

/** A page that says `no-store` or sets a cookie is one person's, whatever its route declares. */
function mayBeKept(response: Response): boolean {
  return (
    (response.status === 200 || response.status === 404) &&
    !response.headers.has("set-cookie") &&
    !response.headers.get("cache-control")?.includes("no-store")
  );
}

/** @param before what was kept until now: most pages are what they were, and need not be compressed again */
async function finish(
  response: Response,
  keptAtMs: number,
  before: KeptPage | undefined,
): Promise<KeptPage> {
  const identity = Buffer.from(await response.arrayBuffer());
  const opaqueTag = `"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`;
  const own = [...response.headers].filter(
    ([name]) => name !== "content-length" && name !== "cache-control" && name !== "vary",
  );
  const shared = [
    ...own.flat(),
    "cache-control",
    response.status === 200 ? cacheControl : "no-cache, no-transform",
    "etag",
    `W/${opaqueTag}`,
    "vary",
    "Accept-Encoding",
  ];
  const unchanged: ReadyAnswer = { status: 304, headers: shared, body: null };
  if (before?.unchanged.headers.join("\n") === shared.join("\n")) return { ...before, keptAtMs };

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
    keptAtMs,
    bytes: identity.byteLength + br.byteLength + gzipped.byteLength,
    answers: {
      br: answer(br, "br"),
      gzip: answer(gzipped, "gzip"),
      identity: answer(identity),
    },
    unchanged,
  };
}

function answerFrom(page: KeptPage, ...[acceptEncoding, ifNoneMatch]: Suiting): ReadyAnswer {
  const isUnchanged = ifNoneMatch?.trim() === "*" || ifNoneMatch?.includes(page.opaqueTag);
  if (isUnchanged) return page.unchanged;
  return page.answers[pickEncoding(acceptEncoding)];
}
