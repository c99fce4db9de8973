import { afterAll, expect, test } from "vitest";
import { hoodColours, hoodMotifs } from "../../campus-reader/choices.ts";
import { campus, hoodPaths } from "../harness/campus.ts";
import { elementsOf, linkIn, linksOf, metaOf, titleOf } from "../harness/html.ts";
import { openTestSite } from "../harness/test-site.ts";

const publicUrl = "http://localhost:3000";
const hoods = hoodColours.flatMap((colour) => hoodMotifs.map((motif) => ({ colour, motif })));

const site = await openTestSite({ publicUrl });
afterAll(() => site[Symbol.asyncDispose]());

/** Returns the hood chosen on a page, such as `rani-star`. */
const chosenOn = (html: string) =>
  elementsOf(html, "input")
    .filter(({ attributes }) => attributes.type === "radio" && "checked" in attributes)
    .map(({ attributes }) => attributes.value)
    .join("-");

test.each(hoods)(
  "shows the hood $colour-$motif and its name at a URL that can be shared",
  async ({ colour, motif }) => {
    const hood = `${colour}-${motif}`;
    const path = `/?hood=${hood}`;
    const html = await site.read(path);
    expect(chosenOn(html)).toBe(hood);
    expect(titleOf(html)).toContain(campus.landing.paint?.colours[colour]);
    expect(titleOf(html)).toContain(campus.landing.paint?.motifs[motif]);
    expect(linksOf(html)).toContainEqual(expect.objectContaining({ href: publicUrl + path }));
    expect(metaOf(html, "og:url")).toBe(publicUrl + path);
  },
);

test("gives each hood its own small share image", async () => {
  const images = await Promise.all(
    hoodPaths.map(async (path) => metaOf(await site.read(path), "og:image") ?? ""),
  );
  expect(new Set(images).size).toBe(hoods.length);
  for (const image of images) {
    const response = await site.ask(image.slice(publicUrl.length));
    const png = Buffer.from(await response.arrayBuffer());
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
    // Messaging apps skip previews larger than 300 KB; this limit leaves a margin.
    expect(png.byteLength).toBeLessThan(200 * 1024);
  }
});

test.each(["/?hood=gold-dragon", "/?hood=rani", "/?hood=", "/?hood=rani-lotus&hood=leaf-star"])(
  "ignores the invalid hood in %s, so that all visitors share one cached page",
  async (path) => {
    expect(await site.read(path)).toBe(await site.read("/"));
  },
);

test("gives every hood the same canonical URL", async () => {
  expect(linkIn(await site.read("/?hood=leaf-star"), "canonical")).toBe(`${publicUrl}/`);
});

test("redirects a submitted form to the hood's URL", async () => {
  const response = await site.ask("/?hood=peacock&motif=star");
  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toBe("/?hood=peacock-star");
});
