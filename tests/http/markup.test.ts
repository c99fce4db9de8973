import { HtmlValidate } from "html-validate";
import { afterAll, describe, expect, test } from "vitest";
import { campus, campusDir, missingPaths, pagePaths, root } from "../harness/campus.ts";
import { filledForm } from "../harness/deletion-form.ts";
import { elementsOf, idsOf, jsonLdOf, linksOf, metaOf, titleOf } from "../harness/html.ts";
import { openTestSite } from "../harness/test-site.ts";

const publicUrl = "http://localhost:3000";
const site = await openTestSite({ publicUrl });
afterAll(() => site[Symbol.asyncDispose]());
const pages = new Map<string, string>();
for (const path of pagePaths) pages.set(path, await site.read(path));
for (const path of missingPaths) pages.set(path, await site.read(path, 404));

const validator = new HtmlValidate({ extends: ["html-validate:standard"] });

async function problemsOf(html: string): Promise<string[]> {
  const report = await validator.validateString(html);
  return report.results.flatMap((result) =>
    result.messages.map((message) => `${message.ruleId}: ${message.message} (${message.selector})`),
  );
}

test.each([...pagePaths, ...missingPaths])("the HTML of %s is correct", async (path) => {
  expect(await problemsOf(pages.get(path) ?? "")).toEqual([]);
});

test.each([
  "/blog?category=Cricket",
  "/delete-my-account?link=unknown",
  "/delete-my-account?visit=unknown",
])("the HTML of %s is correct, though there is nothing", async (path) => {
  expect(await problemsOf(await (await site.ask(path)).text())).toEqual([]);
});

test("the HTML of the deletion page is correct in each of its states", async () => {
  const refused = await site.post("/delete-my-account", { email: "half@" });
  expect(await problemsOf(await refused.text()), "refused").toEqual([]);
  const stored = await site.post("/delete-my-account", filledForm());
  const panel = await site.read(stored.headers.get("location") ?? "");
  expect(await problemsOf(panel), "submitted").toEqual([]);
  await using demonstration = await openTestSite({ deletionMode: "simulated" });
  expect(await problemsOf(await demonstration.read("/delete-my-account")), "shown").toEqual([]);
});

test.each([...pagePaths, ...missingPaths])("every link on %s leads somewhere", async (path) => {
  for (const { href, text, attributes } of linksOf(pages.get(path) ?? "")) {
    expect(href, `the link "${text}" has an address`).toBeTruthy();
    if (!href || /^(mailto|tel):/.test(href)) continue;
    // From an address that leads nowhere to the same in the other language.
    if (attributes.lang && missingPaths.includes(path)) continue;
    const url = new URL(href, publicUrl + path);
    if (url.origin !== publicUrl) {
      expect(url.protocol, href).toBe("https:");
      // A campus elsewhere has real addresses.
      if (campusDir.startsWith(root)) expect(url.hostname, href).toMatch(/\.example$/);
      expect(attributes.rel, href).toContain("noopener");
      continue;
    }
    const address = url.pathname + url.search;
    let html = pages.get(address);
    if (html === undefined) {
      const response = await site.ask(address);
      expect(response.status, href).toBe(200);
      html = await response.text();
      pages.set(address, html);
    }
    const fragment = decodeURIComponent(url.hash.slice(1));
    if (fragment) expect(idsOf(html), `${href} on ${path}`).toContain(fragment);
  }
});

test.each([...pagePaths, ...missingPaths])("%s loads nothing from another website", (path) => {
  const html = pages.get(path) ?? "";
  const loaded = ["img", "script", "link", "source", "iframe", "video", "audio"].flatMap((tag) =>
    elementsOf(html, tag)
      .filter(({ attributes }) => !/^(canonical|alternate)$/.test(attributes.rel ?? ""))
      .flatMap(({ attributes }) => [attributes.src, attributes.href, attributes.srcset]),
  );
  for (const address of loaded.filter((address) => address !== undefined)) {
    expect(address).toMatch(/^\/(?!\/)/);
  }
  expect(html.match(/url\(["']?(?!\/)[^)#]*\)/g) ?? []).toEqual([]);
});

describe.each(pagePaths)("shared in a chat, %s", (path) => {
  test("shows title, sentence and picture", async () => {
    const html = pages.get(path) ?? "";
    const description = metaOf(html, "description") ?? "";
    expect(titleOf(html)).toContain(campus.settings.product);
    expect(description.length).toBeGreaterThan(40);
    expect(description.length).toBeLessThanOrEqual(240);
    const canonical = elementsOf(html, "link").find(
      ({ attributes }) => attributes.rel === "canonical",
    )?.attributes.href;
    expect(canonical).toMatch(/^http:\/\/localhost:3000\//);
    for (const name of ["og:title", "og:description", "og:type", "og:site_name"]) {
      expect(metaOf(html, name), name).toBeTruthy();
    }
    expect(metaOf(html, "og:url")).toBe(canonical);
    expect(metaOf(html, "twitter:card")).toBe("summary_large_image");
    expect(metaOf(html, "twitter:image")).toBe(metaOf(html, "og:image"));

    const image = metaOf(html, "og:image") ?? "";
    expect(image.startsWith(`${publicUrl}/`)).toBe(true);
    const response = await site.ask(image.slice(publicUrl.length));
    expect(response.headers.get("content-type")).toBe("image/png");
    const png = Buffer.from(await response.arrayBuffer());
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  });

  test("its canonical address is an address that answers", async () => {
    const canonical = elementsOf(pages.get(path) ?? "", "link").find(
      ({ attributes }) => attributes.rel === "canonical",
    )?.attributes.href;
    expect((await site.ask(canonical ?? "")).status).toBe(200);
  });
});

test("each post is shared with a picture of its own", () => {
  const images = campus.posts.map((post) =>
    metaOf(pages.get(`/blog/${post.id}`) ?? "", "og:image"),
  );
  expect(new Set(images).size).toBe(campus.posts.length);
});

describe("what search engines are told", () => {
  const typesOn = (path: string) => jsonLdOf(pages.get(path) ?? "").map((block) => block["@type"]);

  test("who runs the site and which app it is about", () => {
    const blocks = jsonLdOf(pages.get("/") ?? "");
    const organization = blocks.find((block) => block["@type"] === "Organization");
    expect(organization).toMatchObject({
      "@context": "https://schema.org",
      name: campus.settings.developer,
      email: campus.settings.email,
    });
    const app = blocks.find((block) => block["@type"] === "MobileApplication");
    expect(app).toMatchObject({ name: campus.settings.product });
    expect(app).toHaveProperty("operatingSystem");
  });

  test("the questions and their answers", () => {
    const page = jsonLdOf(pages.get("/faq") ?? "").find((block) => block["@type"] === "FAQPage");
    const questions = page?.mainEntity as { name: string; acceptedAnswer: { text: string } }[];
    expect(questions.map((question) => question.name)).toEqual(
      campus.faq.map((item) => item.question),
    );
    for (const question of questions) expect(question.acceptedAnswer.text).toBeTruthy();
  });

  test.each(campus.posts.map((post) => [post.id, post] as const))(
    "post %i: headline, date and who wrote it",
    (id, post) => {
      const posting = jsonLdOf(pages.get(`/blog/${id}`) ?? "").find(
        (block) => block["@type"] === "BlogPosting",
      );
      expect(posting).toMatchObject({ headline: post.title, datePublished: post.isoDate });
      expect(JSON.stringify(posting?.author)).toContain(post.author);
    },
  );

  test.each(pagePaths.filter((path) => path !== "/" && !path.includes("?")))(
    "the way from the home page to %s",
    (path) => {
      expect(typesOn(path)).toContain("BreadcrumbList");
      const trail = jsonLdOf(pages.get(path) ?? "").find(
        (block) => block["@type"] === "BreadcrumbList",
      );
      const steps = trail?.itemListElement as { position: number; item: string }[];
      expect(steps.map((step) => step.position)).toEqual(steps.map((_, index) => index + 1));
      expect(steps.at(-1)?.item).toBe(publicUrl + path);
    },
  );
});
