import { setImmediate } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { createPageCache, type ReadyAnswer } from "./page-cache.ts";

let now = 0;
let made: string[] = [];
let faults: unknown[] = [];
let answer: (address: string) => Response | Promise<Response>;
let pages: ReturnType<typeof createPageCache>;

const html = { "Content-Type": "text/html" };
const minutes = 60_000;

beforeEach(() => {
  now = 0;
  made = [];
  faults = [];
  answer = (address) => new Response(`<p>${address} ${made.length}</p>`, { headers: html });
  pages = createPageCache({
    nowMs: () => now,
    make: async (address) => {
      made.push(address);
      return answer(address);
    },
    onFault: (error) => faults.push(error),
  });
});

const headerOf = (ready: ReadyAnswer | undefined, name: string) => {
  const at = ready?.headers.findIndex((header, index) => index % 2 === 0 && header === name) ?? -1;
  return at < 0 ? undefined : ready?.headers[at + 1];
};
const textOf = (ready: ReadyAnswer | undefined) => ready?.body?.toString();

async function make(address: string, accept?: string, etag?: string): Promise<ReadyAnswer> {
  const ready = await pages.make(address, { acceptEncoding: accept, ifNoneMatch: etag });
  if (ready instanceof Response) throw new Error("it was not kept");
  return ready;
}

function fail(): never {
  throw new Error("broken");
}

/**
 * Waits for a failed background renewal by rendering another page. The page takes longer to render
 * than the renewal takes to fail.
 */
async function settle(): Promise<void> {
  await pages.make("/settled");
}

test("renders pages one at a time and continues after a failure", async () => {
  let running = 0;
  let most = 0;
  answer = async (address) => {
    most = Math.max(most, ++running);
    await setImmediate();
    running--;
    return address === "/1" ? fail() : new Response("done", { headers: html });
  };
  const tried = await Promise.allSettled(["/1", "/2", "/3"].map((address) => make(address)));
  expect(tried.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  expect(made).toEqual(["/1", "/2", "/3"]);
  expect(most).toBe(1);
});

test("renders a page only once for concurrent requests in different encodings", async () => {
  const [plain, gzipped] = await Promise.all([make("/faq"), make("/faq", "gzip")]);
  expect(textOf(plain)).toBe("<p>/faq 1</p>");
  expect(headerOf(gzipped, "content-encoding")).toBe("gzip");
  expect(gunzipSync(gzipped.body ?? "").toString()).toBe("<p>/faq 1</p>");
  expect(made).toEqual(["/faq"]);
});

describe("an aging page", () => {
  test("serves an aging page to all visitors while renewing it once", async () => {
    await make("/faq");
    now = 5 * minutes;
    const release = Promise.withResolvers<Response>();
    answer = () => release.promise;
    for (let visitor = 0; visitor < 300; visitor++) {
      expect(textOf(pages.find("/faq"))).toBe("<p>/faq 1</p>");
    }
    expect(made).toEqual(["/faq", "/faq"]);
    release.resolve(new Response("<p>new</p>", { headers: html }));
    await make("/faq");
    expect(textOf(pages.find("/faq"))).toBe("<p>new</p>");
    expect(made).toEqual(["/faq", "/faq"]);
  });

  test("reuses the compressed bytes if a renewal changes nothing", async () => {
    answer = () => new Response("<p>same</p>", { headers: html });
    await make("/faq");
    const find = () => pages.find("/faq", { acceptEncoding: "br" });
    const bytes = find()?.body;
    now = 5 * minutes;
    find();
    await settle();
    now = 9 * minutes;
    expect(find()?.body).toBe(bytes);
    await settle();
    expect(made.filter((address) => address === "/faq")).toHaveLength(2);
    answer = () => new Response("<p>same</p>", { headers: { ...html, "X-Robots-Tag": "noindex" } });
    now = 10 * minutes;
    find();
    await settle();
    expect(headerOf(find(), "x-robots-tag")).toBe("noindex");
  });

  test.each<[string, () => Response, number]>([
    ["throws an error", fail, 1],
    ["returns a status of 500", () => new Response("no", { status: 500 }), 0],
  ])("keeps serving an aging page if its renewal %s", async (_, renewal, faultCount) => {
    await make("/faq");
    now = 5 * minutes;
    answer = (address) => (address === "/settled" ? new Response("") : renewal());
    pages.find("/faq");
    await settle();
    expect(faults).toHaveLength(faultCount);
    answer = () => new Response("<p>mended</p>", { headers: html });
    expect(textOf(pages.find("/faq"))).toBe("<p>/faq 1</p>");
    await make("/faq");
    expect(made).toEqual(["/faq", "/faq", "/settled", "/faq"]);
    expect(textOf(pages.find("/faq"))).toBe("<p>mended</p>");
  });

  test("stops serving a page after ten minutes or if the clock was set back", async () => {
    await make("/faq");
    now = 10 * minutes - 1;
    expect(pages.find("/faq")).toBeDefined();
    await make("/faq");
    now = 21 * minutes;
    expect(pages.find("/faq")).toBeUndefined();
    now = -1;
    expect(pages.find("/faq")).toBeUndefined();
  });
});

test.each([
  ["a fault", () => new Response("no", { status: 500 })],
  ["a redirect", () => new Response(null, { status: 303 })],
  [
    "a page with no-store",
    () => new Response("mine", { headers: { "Cache-Control": "no-store" } }),
  ],
  ["a page that sets a cookie", () => new Response("mine", { headers: { "Set-Cookie": "a=b" } })],
])("returns %s without caching it", async (_, response) => {
  answer = response;
  const [first, second] = await Promise.all([pages.make("/one"), pages.make("/one")]);
  expect(first).toBeInstanceOf(Response);
  expect(second).toBeInstanceOf(Response);
  expect(pages.find("/one")).toBeUndefined();
});

test("lets shared caches store a not-found page for one minute", async () => {
  answer = () => new Response("lost", { status: 404, headers: html });
  expect(headerOf(await make("/lost"), "cache-control")).toBe(
    "public, max-age=0, s-maxage=60, no-transform",
  );
  expect(pages.find("/lost")?.status).toBe(404);
});

test.each([
  ["any ETag", () => "*"],
  ["its own ETag", (etag?: string) => etag],
])("returns 404 for a not-found page, even if If-None-Match is %s", async (_, conditionOf) => {
  answer = () => new Response("lost", { status: 404, headers: html });
  const ifNoneMatch = conditionOf(headerOf(await make("/lost"), "etag"));
  expect(pages.find("/lost", { ifNoneMatch })?.status).toBe(404);
});

test("returns 304 only if If-Modified-Since equals Last-Modified", async () => {
  now = Date.parse("2026-11-29T10:00:00Z");
  answer = () => new Response("<p>same</p>", { headers: html });
  const date = headerOf(await make("/faq"), "last-modified");
  expect(date).toBe("Sun, 29 Nov 2026 10:00:00 GMT");
  now += 9 * minutes;
  expect(headerOf(await make("/faq"), "last-modified")).toBe(date);
  const statusFor = (ifModifiedSince?: string, ifNoneMatch?: string) =>
    pages.find("/faq", { ifModifiedSince, ifNoneMatch })?.status;
  expect(statusFor(date)).toBe(304);
  // Another server may have rendered a different page at that time.
  expect(statusFor("Sun, 29 Nov 2026 10:05:00 GMT")).toBe(200);
  expect(statusFor(date, '"another"')).toBe(200);
  answer = () => new Response("<p>new</p>", { headers: html });
  expect(headerOf(await make("/faq"), "last-modified")).toBe("Sun, 29 Nov 2026 10:09:00 GMT");
});

const plainly = (body: Buffer) => body;

test.each([
  ["gzip, deflate, br", "br", brotliDecompressSync],
  ["gzip;q=1.0, *;q=0", "gzip", gunzipSync],
  ["br;q=0, gzip", "gzip", gunzipSync],
  ["*", "br", brotliDecompressSync],
  [undefined, undefined, plainly],
  ["br;q=0", undefined, plainly],
  ["identity", undefined, plainly],
] as const)(
  "answers the Accept-Encoding %s with the encoding %s",
  async (accepted, encoding, unpack) => {
    const ready = await make("/faq", accepted);
    expect(headerOf(ready, "content-encoding")).toBe(encoding);
    expect(headerOf(ready, "content-length")).toBe(String(ready.body?.byteLength));
    expect(unpack(ready.body ?? Buffer.alloc(0)).toString()).toBe("<p>/faq 1</p>");
  },
);

test("evicts the oldest pages when the cache is full", async () => {
  const large = "0123456789".repeat(300_000);
  answer = (address) => new Response(address + large, { headers: html });
  for (let page = 0; page < 20; page++) await make(`/${page}`);
  expect(pages.find("/0")).toBeUndefined();
  expect(pages.find("/19")).toBeDefined();
});

describe("a page that changes at a known time", () => {
  const midnight = 1_800_000_000_000;
  const keep = async (at: number) => {
    now = at;
    const kept = createPageCache({
      nowMs: () => now,
      changesAfter: (nowMs) => (nowMs < midnight ? midnight : Number.POSITIVE_INFINITY),
      make: async (address) => answer(address),
      onFault: (error) => faults.push(error),
    });
    return { kept, made: (await kept.make("/")) as ReadyAnswer };
  };

  test("serves a page until the exact time of its change", async () => {
    const { kept } = await keep(midnight - minutes);
    now = midnight - 1;
    expect(kept.find("/")?.status).toBe(200);
    now = midnight;
    expect(kept.find("/")).toBeUndefined();
    await kept.make("/");
    now = midnight + minutes;
    expect(kept.find("/")?.status).toBe(200);
  });

  test("keeps shared caches from serving a page after it changes", async () => {
    const last = /s-maxage=(\d+), stale-while-revalidate=(\d+)/;
    for (let before = 30; before > 0; before--) {
      const { made } = await keep(midnight - before * minutes);
      const [, fresh = 0, stale = 0] = last.exec(headerOf(made, "cache-control") ?? "") ?? [];
      const shared = (Number(fresh) + Number(stale)) * 1000;
      if (shared === 0) continue;
      expect(now + 10 * minutes + shared, `${before} minutes before`).toBeLessThan(midnight);
    }
    const { made } = await keep(midnight - 60 * minutes);
    expect(headerOf(made, "cache-control")).toContain("s-maxage=60");
  });
});
