import { readFileSync } from "node:fs";
import { join } from "node:path";
import { XMLParser } from "fast-xml-parser";
import { afterAll, expect, test, vi } from "vitest";
import { addressIn, buildDir, campus, hasSection } from "../harness/campus.ts";
import { textOf } from "../harness/html.ts";
import { openTestSite } from "../harness/test-site.ts";

const publicUrl = "https://rides.example";
const listed = campus.posts.filter((post) => post.listed);
const parser = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === "link" });

const site = await openTestSite({ publicUrl });
afterAll(() => site[Symbol.asyncDispose]());

test.runIf(hasSection("blog"))(
  "lists posts in the feed newest first, with absolute links",
  async () => {
    const response = await site.ask("/feed.xml");
    expect(response.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    const { feed } = parser.parse(await response.text());
    expect(feed["@_xmlns"]).toBe("http://www.w3.org/2005/Atom");
    expect(feed.id).toMatch(/^https:\/\/rides\.example\//);
    expect(feed.title).toBeTruthy();
    expect(Date.parse(String(feed.updated))).not.toBeNaN();
    expect(feed.link).toContainEqual(
      expect.objectContaining({ "@_rel": "self", "@_href": `${publicUrl}/feed.xml` }),
    );
    expect(feed.entry).toHaveLength(listed.length);
    for (const [index, { id }] of listed.entries()) {
      const entry = feed.entry[index];
      expect(entry.id).toBe(`${publicUrl}/blog/${id}`);
      expect(entry.title).toBeTruthy();
      expect(Date.parse(entry.updated)).not.toBeNaN();
      expect(entry.author.name).toBeTruthy();
      expect(entry.link[0]["@_href"]).toBe(entry.id);
      expect(entry.content["#text"].length).toBeGreaterThan(2000);
      expect(entry.content["#text"]).not.toMatch(/(href|src)="[/#]/);
    }
    expect(await site.read("/faq")).toMatch(
      /<link rel="alternate" type="application\/atom\+xml"[^>]* href="\/feed\.xml"/,
    );
  },
);

const translations = campus.translations.map(({ settings }) => settings.language);

test("lists every page in the sitemap once per language", async () => {
  const sitemap = parser.parse(await site.read("/sitemap.xml"));
  const addresses = (sitemap.urlset.url as { loc: string }[]).map((entry) => entry.loc);
  expect(addresses.toSorted()).toEqual(
    [
      "/",
      "/faq",
      "/privacy-policy",
      "/terms-conditions",
      "/delete-my-account",
      ...campus.pages.map(({ name }) => `/${name}`),
      ...(hasSection("blog") ? ["/blog", "/blog?category=All"] : []),
      ...campus.settings.categories
        .filter((category) => category !== campus.settings.defaultCategory)
        .map((category) => `/blog?category=${encodeURIComponent(category)}`),
      ...listed.map((post) => `/blog/${post.id}`),
    ]
      .flatMap((path) => [path, ...translations.map((language) => addressIn(language, path))])
      .map((path) => publicUrl + path)
      .toSorted(),
  );
});

test("allows crawling of all pages in robots.txt", async () => {
  const robots = await site.read("/robots.txt");
  expect(robots).toContain("User-agent: *");
  expect(robots).toContain(`Sitemap: ${publicUrl}/sitemap.xml`);
  expect(robots).not.toMatch(/Disallow: \/./);
});

test("lists the contact, expiry and languages in security.txt", async () => {
  const response = await site.ask("/.well-known/security.txt");
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const { security, language } = campus.settings;
  const fields = new Map(
    (await response.text())
      .trim()
      .split("\n")
      .map((line) => line.split(": ", 2) as [string, string]),
  );
  expect(fields.get("Contact")).toBe(security.contact);
  expect(Date.parse(fields.get("Expires") ?? "")).toBe(Date.parse(`${security.expires}T23:59:59Z`));
  expect(fields.get("Preferred-Languages")).toBe(language);
  expect(fields.get("Canonical")).toBe(`${publicUrl}/.well-known/security.txt`);
});

test("describes the site in llms.txt with working links", async () => {
  const response = await site.ask("/llms.txt");
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const text = await response.text();
  expect(text).toMatch(new RegExp(`^# ${campus.settings.product}\n\n> .{40,}\n`));
  expect(text).toContain(campus.settings.email);
  const links = [...text.matchAll(/^- \[(.+?)\]\((.+?)\): (.+)$/gm)];
  const offered = (["faq", "blog"] as const).filter(hasSection);
  const pages = 4 + offered.length + campus.pages.length;
  expect(links).toHaveLength(pages + Math.min(30, listed.length));
  for (const [, title = "", url = "", description] of links) {
    expect(description).toBeTruthy();
    const html = await site.read(url.slice(publicUrl.length));
    expect(textOf(html).replace(/\s/g, " ")).toContain(title.replace(/\s/g, " "));
  }
});

test("lists icons with their actual sizes in the manifest", async () => {
  const response = await site.ask("/manifest.webmanifest");
  expect(response.headers.get("content-type")).toContain("application/manifest+json");
  const manifest = (await response.json()) as {
    name: string;
    start_url: string;
    icons: { src: string; sizes: string }[];
  };
  expect(manifest).toMatchObject({ name: campus.settings.product, start_url: "/" });
  for (const icon of manifest.icons) {
    const png = Buffer.from(await (await site.ask(icon.src)).arrayBuffer());
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(icon.sizes);
  }
});

test("links icons for tabs and home screens", async () => {
  const html = await site.read("/faq");
  const icons = [...html.matchAll(/<link rel="(icon|apple-touch-icon)"[^>]* ?href="([^"]+)"/g)];
  expect(icons.map((icon) => icon[1])).toEqual(
    expect.arrayContaining(["icon", "apple-touch-icon"]),
  );
  for (const icon of icons) expect((await site.ask(icon[2] ?? "")).status).toBe(200);
  const favicon = await site.ask("/favicon.ico");
  expect([favicon.status, favicon.headers.get("cache-control")]).toEqual([
    200,
    "public, max-age=86400",
  ]);
});

test("hides the cause of a failed health check and still reports the process as alive", async () => {
  await using ill = await openTestSite();
  const fault = new Error("secret detail");
  vi.spyOn(ill.services.health, "status").mockRejectedValue(fault);
  const response = await ill.ask("/healthz");
  expect(response.status).toBe(503);
  expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
  expect(await response.text()).not.toContain("secret");
  const alive = await ill.ask("/livez");
  expect([alive.status, await alive.json()]).toEqual([200, { status: "ok" }]);
});

test("serves no server or project files", async () => {
  for (const path of [
    "/assets/../../server/index.js",
    "/assets/..%2f..%2fserver/index.js",
    "/art/%2e%2e/%2e%2e/server/index.js",
    "/.vite/manifest.json",
    "/package.json",
    "/data/requests.sqlite",
  ]) {
    expect((await site.ask(path)).status, path).toBe(404);
  }
});

test("excludes database and email packages from the page bundle", () => {
  const bundle = readFileSync(join(buildDir, "server/index.js"), "utf8");
  const packages = [...bundle.matchAll(/\bfrom\s*"([^"]+)"/g)].map(([, name]) => name);
  expect(packages).toContain("react-router");
  const forbidden = ["kysely", "node:sqlite", "nodemailer", "pg"];
  expect(forbidden.filter((name) => packages.includes(name))).toEqual([]);
});
