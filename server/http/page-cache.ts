import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { paths } from "./paths.ts";

const brotli = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

type Encoding = "br" | "gzip" | "identity";
type Page = {
  headers: [string, string][];
  etag: string;
  expiresAt: number;
  bodies: Record<Encoding, Uint8Array<ArrayBuffer>>;
};

/** How long a rendered page serves everybody; the footer's year and a campus edit show after this at the latest. */
const lifetimeMs = 5 * 60_000;
/** Pages kept at once. The site has about thirty; the rest is for categories that people make up. */
const capacity = 128;

/**
 * Keeps finished content pages in memory, compressed once, and answers revisits with 304. Only pages that answer
 * 200 and do not say `no-store` are kept.
 */
export function createPageCache(nowMs: () => number) {
  const pages = new Map<string, Page>();
  return {
    async respond(request: Request, render: () => Promise<Response>): Promise<Response> {
      const key = cacheKey(new URL(request.url));
      let page = pages.get(key);
      if (!page || page.expiresAt <= nowMs()) {
        const response = await render();
        if (!isCacheable(response)) return compressed(request, response);
        page = await finish(response, nowMs() + lifetimeMs);
        pages.delete(key);
        pages.set(key, page);
        const oldest = pages.keys().next().value;
        if (pages.size > capacity && oldest !== undefined) pages.delete(oldest);
      }
      const headers = new Headers(page.headers);
      headers.set("ETag", page.etag);
      headers.set("Cache-Control", "no-cache");
      headers.set("Vary", "Accept-Encoding");
      if (request.headers.get("if-none-match")?.includes(page.etag)) {
        return new Response(null, { status: 304, headers });
      }
      return encodedResponse(request, page.bodies, 200, headers);
    },
  };
}

/** Only the blog's category belongs to a page's address; any other query gets the same page. */
function cacheKey(url: URL): string {
  const category = url.pathname === paths.blog ? url.searchParams.get("category") : null;
  return category === null ? url.pathname : `${url.pathname}?${category.slice(0, 64)}`;
}

function isCacheable(response: Response): boolean {
  return response.status === 200 && !response.headers.get("cache-control")?.includes("no-store");
}

async function finish(response: Response, expiresAt: number): Promise<Page> {
  const identity = new Uint8Array(await response.arrayBuffer());
  const [br, gzipped] = await Promise.all([
    brotli(identity, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: identity.byteLength } }),
    gzipAsync(identity),
  ]);
  const digest = createHash("sha256").update(identity).digest("base64url").slice(0, 22);
  return {
    headers: [...response.headers],
    etag: `W/"${digest}"`,
    expiresAt,
    bodies: { br: new Uint8Array(br), gzip: new Uint8Array(gzipped), identity },
  };
}

/** A page that is not kept: compressed lightly, since every visitor waits for it. */
async function compressed(request: Request, response: Response): Promise<Response> {
  const type = response.headers.get("content-type") ?? "";
  if (!response.body || !/^(text\/|application\/(json|xml|manifest|atom))/.test(type))
    return response;
  const identity = new Uint8Array(await response.arrayBuffer());
  const headers = new Headers(response.headers);
  headers.set("Vary", "Accept-Encoding");
  const encoding = pickEncoding(request);
  const bodies = { br: identity, gzip: identity, identity };
  if (encoding === "br") {
    bodies.br = new Uint8Array(
      await brotli(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
    );
  }
  if (encoding === "gzip") bodies.gzip = new Uint8Array(await gzipAsync(identity));
  return encodedResponse(request, bodies, response.status, headers);
}

function encodedResponse(
  request: Request,
  bodies: Page["bodies"],
  status: number,
  headers: Headers,
): Response {
  const encoding = pickEncoding(request);
  const body = bodies[encoding];
  if (encoding !== "identity") headers.set("Content-Encoding", encoding);
  headers.set("Content-Length", String(body.byteLength));
  return new Response(body, { status, headers });
}

function pickEncoding(request: Request): Encoding {
  const accepted = request.headers.get("accept-encoding") ?? "";
  const accepts = (name: string) =>
    new RegExp(`(^|,)\\s*${name}\\s*(?!;\\s*q=0(\\.0*)?\\s*(,|$))(;|,|$)`).test(accepted);
  if (accepts("br")) return "br";
  return accepts("gzip") ? "gzip" : "identity";
}
