import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { createPageCache } from "./page-cache.ts";

let now = 0;
let rendered = 0;
let cache: ReturnType<typeof createPageCache>;
beforeEach(() => {
  now = 0;
  rendered = 0;
  cache = createPageCache(() => now);
});

function ask(path: string, headers: Record<string, string> = {}, answer?: () => Response) {
  return cache.respond(new Request(`http://localhost${path}`, { headers }), async () => {
    rendered++;
    return (
      answer?.() ??
      new Response(`<p>page ${rendered}</p>`, { headers: { "Content-Type": "text/html" } })
    );
  });
}

test("a page is rendered once for everybody", async () => {
  expect(await (await ask("/faq")).text()).toBe("<p>page 1</p>");
  expect(await (await ask("/faq")).text()).toBe("<p>page 1</p>");
  expect(rendered).toBe(1);
});

test("and again after five minutes", async () => {
  await ask("/faq");
  now = 5 * 60_000 - 1;
  await ask("/faq");
  expect(rendered).toBe(1);
  now++;
  await ask("/faq");
  expect(rendered).toBe(2);
});

test("the category belongs to the blog's address, other queries to nobody's", async () => {
  await ask("/blog?category=Safety");
  await ask("/blog?category=Community");
  await ask("/blog?category=Safety&utm=1");
  await ask("/faq?category=Safety");
  await ask("/faq");
  expect(rendered).toBe(3);
});

test("what answers with an error, or says so, is not kept", async () => {
  await ask("/nowhere", {}, () => new Response("no", { status: 404 }));
  await ask("/nowhere", {}, () => new Response("no", { status: 404 }));
  const secret = () => new Response("yes", { headers: { "Cache-Control": "no-store" } });
  await ask("/secret", {}, secret);
  const second = await ask("/secret", {}, secret);
  expect(rendered).toBe(4);
  expect(second.headers.get("cache-control")).toBe("no-store");
  expect(second.headers.get("etag")).toBeNull();
});

test("a visitor who has it gets 304, one who has an older one gets the page", async () => {
  const etag = (await ask("/faq")).headers.get("etag") ?? "";
  const same = await ask("/faq", { "If-None-Match": `"other", ${etag}` });
  expect(same.status).toBe(304);
  expect(await same.text()).toBe("");
  expect((await ask("/faq", { "If-None-Match": '"other"' })).status).toBe(200);
});

describe("compression", () => {
  const pack = async (accepted: string, answer?: () => Response) => {
    const response = await ask("/faq", { "Accept-Encoding": accepted }, answer);
    return {
      encoding: response.headers.get("content-encoding"),
      length: response.headers.get("content-length"),
      body: Buffer.from(await response.arrayBuffer()),
    };
  };

  test.each([
    undefined,
    () => new Response("<p>page 1</p>", { status: 404, headers: { "Content-Type": "text/html" } }),
  ])("gives everybody what they can read (%s)", async (answer) => {
    const br = await pack("gzip, deflate, br", answer);
    expect(br.encoding).toBe("br");
    expect(br.length).toBe(String(br.body.byteLength));
    expect(brotliDecompressSync(br.body).toString()).toBe("<p>page 1</p>");
    const gzip = await pack("gzip;q=1.0, *;q=0.5", answer);
    expect(gzip.encoding).toBe("gzip");
    expect(gunzipSync(gzip.body).toString()).toBe("<p>page 1</p>");
    expect((await pack("", answer)).encoding).toBeNull();
    expect((await pack("br;q=0", answer)).encoding).toBeNull();
  });
});

test("invented categories cannot fill the memory", async () => {
  await ask("/faq");
  for (let number = 0; number < 200; number++) await ask(`/blog?category=${number}`);
  expect(rendered).toBe(201);
  await ask("/blog?category=199");
  expect(rendered).toBe(201);
  await ask("/faq");
  expect(rendered).toBe(202);
});
