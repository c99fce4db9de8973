import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { contentPaths, hoodPaths, pagePaths } from "../harness/campus.ts";
import { elementsOf } from "../harness/html.ts";
import { openTestSite } from "../harness/test-site.ts";

const site = await openTestSite();
afterAll(() => site[Symbol.asyncDispose]());

const kilobyte = 1024;

async function packed(path: string): Promise<Buffer> {
  const response = await site.ask(path, { headers: { "Accept-Encoding": "br" } });
  return Buffer.from(await response.arrayBuffer());
}

/** Ours are held to the first round trip; a campus that says more of itself may take a little more. */
const most = process.env.CAMPUS_DIR ? 16 : 14;

test.each([...contentPaths, ...hoodPaths, "/delete-my-account"])(
  `%s arrives with its styles in the first ${most} KB`,
  async (path) => {
    const body = await packed(path);
    expect(brotliDecompressSync(body).toString()).toContain("</html>");
    const told = `${path} has ${body.byteLength} bytes: shorten its texts`;
    expect(body.byteLength, told).toBeLessThanOrEqual(most * kilobyte);
  },
);

test.each(contentPaths)("%s has at most 2 KB of script, and none of a framework", async (path) => {
  const html = await site.read(path);
  const scripts = elementsOf(html, "script").filter(
    ({ attributes }) => attributes.type !== "application/ld+json",
  );
  for (const { attributes } of scripts) {
    expect(attributes.src).toBeUndefined();
    expect(attributes.type).not.toBe("module");
  }
  const text = scripts.map((script) => script.html).join("\n");
  expect(brotliCompressSync(text).byteLength).toBeLessThanOrEqual(2 * kilobyte);
  expect(html).not.toMatch(/modulepreload|__reactRouter/);
  const sheets = elementsOf(html, "link").filter(
    ({ attributes }) => attributes.rel === "stylesheet",
  );
  expect(
    sheets.map(({ attributes }) => attributes.media),
    "only what few visits need is a file",
  ).toEqual(["print,(width<18rem)"]);
});

test("only the deletion form loads a script file, and only one", async () => {
  const html = await site.read("/delete-my-account");
  const files = elementsOf(html, "script").filter(({ attributes }) => "src" in attributes);
  expect(files).toHaveLength(1);
});

test("the whole landing page, font and pictures included, stays under 110 KB", async () => {
  const html = await site.read("/");
  const files = new Set(
    [...html.matchAll(/"(\/(?:art|assets)\/[^"?#\s]+\.(?:svg|woff2|js))"/g)].map(
      (match) => match[1] ?? "",
    ),
  );
  const sizes = await Promise.all([...files].map(async (file) => (await packed(file)).byteLength));
  const total = (await packed("/")).byteLength + sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeLessThan(110 * kilobyte);
});

test("no drawing weighs more than 6 KB, the hero 8 KB", async () => {
  const drawings = new Set<string>();
  for (const path of pagePaths) {
    for (const { attributes } of elementsOf(await site.read(path), "img")) {
      drawings.add((attributes.src ?? "").replace(/#night$/, ""));
    }
  }
  for (const drawing of drawings) {
    expect(drawing).toMatch(/^\/art\/[0-9a-f]{6}\/[\w-]+\.svg$/);
    const limit = drawing.endsWith("/hero.svg") ? 8 : 6;
    expect((await packed(drawing)).byteLength, drawing).toBeLessThanOrEqual(limit * kilobyte);
  }
});

test.each(pagePaths)(
  "nothing moves on %s while pictures arrive: each says its size",
  async (path) => {
    for (const { attributes } of elementsOf(await site.read(path), "img")) {
      expect(attributes, attributes.src).toMatchObject({
        width: expect.stringMatching(/^\d+$/),
        height: expect.stringMatching(/^\d+$/),
      });
      expect(attributes, attributes.src).toHaveProperty("alt");
    }
  },
);
