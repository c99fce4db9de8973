import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { HtmlValidate } from "html-validate";
import { afterAll, describe, expect, test } from "vitest";
import { directionOf } from "../../server/platform/i18n/direction.ts";
import {
  addressIn,
  buildDir,
  campus,
  campusDir,
  contentPaths,
  editions,
  hasSection,
  isFirstCampus,
  languagePaths,
  missingPaths,
  missingPostPaths,
  pagePaths,
  root,
  say,
  tripPaths,
} from "../harness/campus.ts";
import { filledForm } from "../harness/deletion-form.ts";
import {
  elementsOf,
  idsOf,
  jsonLdOf,
  linkIn,
  linksOf,
  mainOf,
  metaOf,
  textOf,
  titleOf,
} from "../harness/html.ts";
import { openTestSite } from "../harness/test-site.ts";

// Rules for every page, in each language of the campus.

const publicUrl = "http://localhost:3000";
const site = await openTestSite({ publicUrl });
afterAll(() => site[Symbol.asyncDispose]());

const first = campus.settings.language;
const { settings } = campus;

/**
 * Paths that no page links to: an unknown submission, link and visit session, and a category
 * without posts.
 */
const oddPaths = [
  ...["submitted=AAAAAAAAAAAAAAAAAAAAAA", "link=unknown", "visit=unknown"].map(
    (query) => `/delete-my-account?${query}`,
  ),
  ...(hasSection("blog") ? ["/blog?category=Cricket"] : []),
];

type Page = Awaited<ReturnType<typeof visit>>;

async function visit(
  path: string,
  words: Pick<typeof campus, "settings" | "interface" | "deletion" | "pages">,
) {
  const { language } = words.settings;
  const to = (place: string) => addressIn(language, place);
  const response = await site.ask(to(path), { headers: { "Accept-Encoding": "br" } });
  const body = Buffer.from(await response.arrayBuffer());
  const packed = response.headers.get("content-encoding") === "br";
  const html = (packed ? brotliDecompressSync(body) : body).toString();
  return { path, address: to(path), to, language, words, response, html, size: body.byteLength };
}

async function visitAll(paths: readonly string[]): Promise<Page[]> {
  const pages: Page[] = [];
  for (const words of editions) {
    for (const path of paths) pages.push(await visit(path, words));
  }
  return pages;
}

const pages = await visitAll([...pagePaths, ...missingPaths, ...oddPaths]);
const among = (paths: readonly string[]) => pages.filter(({ path }) => paths.includes(path));
const known = new Map(pages.map(({ address, html }) => [address, html]));

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const isUnlisted = (path: string) =>
  campus.posts.some(({ id, listed }) => !listed && path === `/blog/${id}`);

const validator = new HtmlValidate({ extends: ["html-validate:standard"] });

async function problemsOf(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  );
}

/**
 * Scripts that the fonts on visitors' devices cover. Older phones lack a Bengali font, so the site
 * ships its own.
 */
const ofDevices = editions
  .map(({ settings: { language } }) => new Intl.Locale(language).maximize().script ?? "Latn")
  .filter((script) => script !== "Beng");
const everywhere = new RegExp(
  `[^${["Latn", "Grek", "Cyrl", "Zyyy", "Zinh", ...ofDevices].map((script) => `\\p{Script=${script}}`).join("")}]`,
  "u",
);

/** Checks whether a web font of the page covers the character, according to its `unicode-range`. */
function isDrawn(character: string, html: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  const ranges = [...html.matchAll(/unicode-range:([^;}]+)/g)].flatMap(([, list = ""]) =>
    list.split(",").map((range) => range.replace(/^ *U\+/i, "").split("-")),
  );
  return ranges.some(
    ([from = "", to = from]) =>
      Number.parseInt(from, 16) <= code && code <= Number.parseInt(to, 16),
  );
}

describe.each(pages)("$address", ({ path, to, language, words, response, html }) => {
  test("the page is valid HTML and declares its language", async () => {
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(html).toMatch(
      new RegExp(`^<!DOCTYPE html><html lang="${language}" dir="${directionOf(language)}">`),
    );
    expect(html.match(/<h1\b/g)).toHaveLength(1);
    expect(await problemsOf(html)).toEqual([]);
    expect(site.faults).toEqual([]);
  });

  test("the page loads and runs only the site's own files", () => {
    const { headers } = response;
    const policy = Object.fromEntries(
      (headers.get("content-security-policy") ?? "").split(/; ?/).map((part) => {
        const [name = "", ...values] = part.trim().split(/\s+/);
        return [name, values];
      }),
    );
    expect(policy).toMatchObject({
      "default-src": ["'none'"],
      "base-uri": ["'none'"],
      "frame-ancestors": ["'none'"],
      "form-action": ["'self'"],
    });
    expect(headers.get("content-security-policy")).not.toMatch(/unsafe|\*|https?:|data:/);
    const inline = elementsOf(html, "script").filter(
      ({ attributes }) =>
        !("src" in attributes) && !/json/.test(attributes.type ?? "text/javascript"),
    );
    const scripts = inline.map((script) => hashOf(script.html));
    expect(policy["script-src"]).toEqual(expect.arrayContaining(scripts));
    const styles = elementsOf(html, "style").map((style) => hashOf(style.html));
    expect(styles).toHaveLength(1);
    expect(policy["style-src"]).toEqual(["'self'", ...styles]);
    expect(html).not.toMatch(/<[a-z][^>]*\s(style|on[a-z]+)="/);
    expect(headers.get("set-cookie")).toBeNull();
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("same-origin");
  });

  test("the header and footer have the expected links", () => {
    const { nav: menu, footer: labels, skipLink } = words.interface;
    expect(linksOf(html)[0]).toMatchObject({ href: "#content", text: skipLink });
    expect(html).toMatch(/<main id="content"/);
    const linked = (part: string) => linksOf(part).map(({ text, href }) => [text, href]);
    const header = elementsOf(html, "header")[0]?.html ?? "";
    const blog = hasSection("blog") ? [[menu.blog, to("/blog")]] : [];
    expect(linked(elementsOf(header, "nav")[0]?.html ?? "")).toEqual([
      [menu.home, to("/")],
      ...blog,
      ...(hasSection("faq") ? [[menu.faq, to("/faq")]] : []),
      ...(hasSection("safety") ? [[menu.safety, to("/#safety")]] : []),
      ...words.pages
        .filter(({ place }) => place === "menu")
        .map(({ name, label, title }) => [label ?? title, to(`/${name}`)]),
      [words.deletion.title, to("/delete-my-account")],
      ...(hasSection("registration") ? [[menu.registration, to("/#Registration")]] : []),
    ]);
    const footer = elementsOf(html, "footer").at(-1)?.html ?? "";
    const { social, stores } = words.settings;
    for (const link of [
      [menu.home, to("/")],
      [labels.about, to("/#about")],
      ...blog,
      [labels.contact, to("/#contact")],
      ...(hasSection("careers") ? [[labels.careers, to("/#careers")]] : []),
      [labels.privacy, to("/privacy-policy")],
      [labels.terms, to("/terms-conditions")],
      [labels.cookies, to("/#cookies")],
      [labels.refund, to("/#refund")],
      ...social.map(({ name, url }) => [name, url]).filter(([, url]) => url),
      ...stores
        .map(({ name, url }) => [`${labels.storeAvailable} ${name}`, url])
        .filter(([, url]) => url),
    ]) {
      expect(linked(footer)).toContainEqual(link);
    }
    // The footer names upcoming networks and stores, but doesn't link to them.
    expect(footer).not.toMatch(/href="#?"/);
    const text = textOf(footer);
    for (const { name } of social.filter(({ url }) => !url)) {
      expect(text).toContain(`${name} ${labels.notYet}`);
    }
    for (const { name } of stores.filter(({ url }) => !url)) {
      expect(text).toContain(`${labels.storeComing} ${name}`);
    }
    expect(text).toContain(words.settings.tagline);
  });

  test("the page has no broken links and one link per other language", async () => {
    const leaving: unknown[] = [];
    for (const { href, text, attributes } of linksOf(html)) {
      expect(href, `the link "${text}" has an address`).toBeTruthy();
      if (!href || /^(mailto|tel):/.test(href)) continue;
      const url = new URL(href, publicUrl + to(path));
      if (url.origin !== publicUrl) {
        expect(url.protocol, href).toBe("https:");
        // The project's campuses may link only to `.example` hosts. Other campuses have real links.
        if (campusDir.startsWith(root)) expect(url.hostname, href).toMatch(/\.example$/);
        expect(attributes.rel, href).toContain("noopener");
        continue;
      }
      const address = url.pathname + url.search;
      if (languagePaths.read(url.pathname).language !== language) {
        leaving.push([attributes.lang, address]);
        continue;
      }
      const target = known.get(address) ?? (await site.read(address));
      known.set(address, target);
      const fragment = decodeURIComponent(url.hash.slice(1));
      if (fragment) expect(idsOf(target), href).toContain(fragment);
    }
    // Language links omit the default category. On a missing post, they use the id "unknown".
    const place = path.endsWith(`category=${settings.defaultCategory}`)
      ? "/blog"
      : missingPostPaths.includes(path)
        ? "/blog/unknown"
        : path;
    const translations = among([path]).filter((other) => other.language !== language);
    expect(leaving).toEqual(translations.map((other) => [other.language, other.to(place)]));
    for (const { attributes } of elementsOf(html, "form")) {
      expect(languagePaths.read(attributes.action ?? "").language).toBe(language);
    }
  });

  test("the page uses only characters that its fonts contain", () => {
    const written = new Set([...textOf(html)].filter((character) => everywhere.test(character)));
    expect([...written].filter((character) => !isDrawn(character, html))).toEqual([]);
  });
});

test.each(pages.filter(({ html }) => html.includes("<img")))(
  "$address gives each image alt text and dimensions",
  ({ html }) => {
    for (const { attributes } of elementsOf(html, "img")) {
      const length = expect.stringMatching(/^\d+$/);
      expect(attributes, attributes.src).toMatchObject({ width: length, height: length });
      expect(attributes, attributes.src).toHaveProperty("alt");
    }
  },
);

test.each(among(pagePaths))(
  "$address has metadata for link previews and a canonical URL",
  async ({ path, words, response, html }) => {
    const canonical = linkIn(html, "canonical") ?? "";
    expect(response.status).toBe(200);
    const description = metaOf(html, "description") ?? "";
    expect(titleOf(html)).toContain(words.settings.product);
    expect(metaOf(html, "robots")).toBe(isUnlisted(path) ? "noindex" : undefined);
    expect(description.length).toBeGreaterThan(40);
    expect(description.length).toBeLessThanOrEqual(240);
    for (const name of ["og:title", "og:description", "og:type", "og:site_name"]) {
      expect(metaOf(html, name), name).toBeTruthy();
    }
    expect(canonical.startsWith(`${publicUrl}/`)).toBe(true);
    expect((await site.ask(canonical)).status).toBe(200);
    expect(metaOf(html, "og:locale")).toMatch(/^[a-z]{2,3}_[A-Z]{2}$/);
    expect(metaOf(html, "og:url")).toBe(canonical);
    expect(metaOf(html, "twitter:card")).toBe("summary_large_image");
    const image = metaOf(html, "og:image") ?? "";
    expect(metaOf(html, "twitter:image")).toBe(image);
    expect(image.startsWith(`${publicUrl}/`)).toBe(true);
    const picture = await site.ask(image);
    expect(picture.headers.get("content-type")).toBe("image/png");
    const png = Buffer.from(await picture.arrayBuffer());
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  },
);

test.each(among(pagePaths.filter((path) => !isUnlisted(path))))(
  "$address links to its translation in every language",
  ({ path, html }) => {
    const twins = among([path]);
    const alternatives = elementsOf(html, "link").flatMap(({ attributes: { hreflang, href } }) =>
      hreflang ? [[hreflang, href]] : [],
    );
    expect(alternatives).toEqual(
      twins.length === 1
        ? []
        : [...twins, ...twins.slice(0, 1).map((twin) => ({ ...twin, language: "x-default" }))].map(
            (twin) => [twin.language, linkIn(twin.html, "canonical")],
          ),
    );
  },
);

test.each(among(pagePaths.filter((path) => path !== "/" && !path.includes("?"))))(
  "$address describes its breadcrumbs to search engines",
  ({ html }) => {
    const trail = jsonLdOf(html).find((block) => block["@type"] === "BreadcrumbList");
    const steps = trail?.itemListElement as { position: number; item: string }[];
    expect(steps.map((step) => step.position)).toEqual(steps.map((_, index) => index + 1));
    expect(steps.at(-1)?.item).toBe(linkIn(html, "canonical"));
  },
);

/**
 * Maximum page size in KB. The first campus's pages and every campus's landing page, in the default
 * language, must fit into the first round trip. Other pages may be 2 KB larger.
 */
const kilobytes = (address: string, language: string) =>
  address === "/" || (isFirstCampus && language === first) ? 14 : 16;

test.each([...among(pagePaths), ...(await visitAll(tripPaths))])(
  "$address stays within its size limit",
  ({ address, language, html, size }) => {
    expect(html).toContain("</html>");
    expect(size, "shorten its texts").toBeLessThanOrEqual(kilobytes(address, language) * 1024);
  },
);

/** Returns the page's HTML and all of its stylesheets. */
async function withStyles({ html }: Page): Promise<string> {
  const sheets = elementsOf(html, "link", { rel: "stylesheet" });
  const files = sheets.map(async ({ attributes }) =>
    (await site.ask(attributes.href ?? "")).text(),
  );
  return [html, ...(await Promise.all(files))].join("");
}

test.each(pages)("$address uses only defined custom properties", async (page) => {
  const whole = await withStyles(page);
  const declared = new Set([...whole.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
  const used = [...whole.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name);
  expect(used.filter((name) => !declared.has(name))).toEqual([]);
});

// A page's inline styles lack rules that only matter to other pages.
const stylesheets = globSync("client/assets/*.css", { cwd: buildDir });
const drawn = stylesheets.flatMap((file) =>
  [...readFileSync(join(buildDir, file), "utf8").matchAll(/\.([\w-]+)/g)].map(([, name]) => name),
);

test.each(pages)("$address uses only classes that have styles", (page) => {
  // `contains-task-list` has styles only for its descendants.
  const known = new Set(["contains-task-list", ...drawn]);
  const named = elementsOf(page.html, "*").flatMap(
    ({ attributes }) => attributes.class?.match(/\S+/g) ?? [],
  );
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

describe.each(among(contentPaths))("$address (without forms)", ({ address, ...page }) => {
  test("the page has at most 2 KB of script and no framework", async () => {
    const scripts = elementsOf(page.html, "script").filter(
      ({ attributes }) => attributes.type !== "application/ld+json",
    );
    for (const { attributes } of scripts) {
      expect(attributes.src).toBeUndefined();
      expect(attributes.type).not.toBe("module");
    }
    const text = scripts.map((script) => script.html).join("\n");
    expect(brotliCompressSync(text).byteLength).toBeLessThanOrEqual(2 * 1024);
    expect(page.html).not.toMatch(/modulepreload|__reactRouter/);
    const sheets = elementsOf(page.html, "link", { rel: "stylesheet" });
    const below = elementsOf(mainOf(page.html), "link", { rel: "stylesheet" });
    expect(sheets[0]?.attributes.media).toBe(
      "print,(width<18rem),(width>=112.5rem),(prefers-contrast:more)",
    );
    // Every page loads the footer's stylesheet last. The landing page has three more for content
    // below the fold.
    const footer = sheets.at(-1);
    expect(footer?.attributes.href).toMatch(/^\/assets\/footer-/);
    expect(sheets.slice(1, -1)).toEqual(below);
    expect(below).toHaveLength(page.path === "/" ? 3 : 0);
    for (const { attributes } of sheets.slice(1)) {
      const sheet = await site.ask(attributes.href ?? "");
      expect(sheet.headers.get("content-type")).toContain("text/css");
    }
    const policy = page.response.headers.get("content-security-policy") ?? "";
    expect(/script-src [^;]*/.exec(policy)?.[0]).not.toContain("'self'");
  });

  test("returns 304 while the page is unchanged", async () => {
    const { headers } = page.response;
    const etag = headers.get("etag") ?? "";
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    // Browsers revalidate every time. A shared cache may serve its copy for a minute, and for five
    // more while it revalidates.
    const kept = "public, max-age=0, s-maxage=60, stale-while-revalidate=300, no-transform";
    expect(headers.get("cache-control")).toBe(kept);
    expect(headers.get("vary")).toContain("Accept-Encoding");
    const second = await site.ask(address, { headers: { "If-None-Match": etag } });
    expect(second.status).toBe(304);
    expect(await second.text()).toBe("");
    expect(second.headers.get("content-security-policy")).toBeTruthy();
    // Some proxies drop the `W/`, and a browser may send several tags.
    for (const sent of [etag.slice(2), `"other", ${etag}`, `W/"other",${etag.slice(2)}`, "*"]) {
      const again = await site.ask(address, { headers: { "If-None-Match": sent } });
      expect(again.status, sent).toBe(304);
    }
    const other = await site.ask(address, { headers: { "If-None-Match": 'W/"other"' } });
    expect(other.status).toBe(200);
  });
});

test.each(["?visit=x", "?link=x", "?submitted=x", "?visit=x&ask=cancel&utm_source=mail"])(
  "prevents caching of /delete-my-account%s",
  async (query) => {
    const { headers } = await site.ask(`/delete-my-account${query}`);
    expect(headers.get("cache-control")).toContain("no-store");
    expect(headers.get("etag")).toBeNull();
  },
);

test.each(among([...missingPaths, ...oddPaths.filter((path) => path.startsWith("/blog"))]))(
  "$address is hidden from search engines",
  ({ path, response, html }) => {
    expect(response.status).toBe(missingPaths.includes(path) ? 404 : 200);
    expect(metaOf(html, "robots")).toBe("noindex");
  },
);

test("returns valid HTML for rejected, stored and demo forms", async () => {
  const refused = await site.post("/delete-my-account", { email: "half@" });
  expect(await problemsOf(await refused.text()), "refused").toEqual([]);
  const stored = await site.post("/delete-my-account", filledForm());
  const panel = await site.read(stored.headers.get("location") ?? "");
  expect(await problemsOf(panel), "submitted").toEqual([]);
  await using demonstration = await openTestSite({ deletionMode: "simulated" });
  expect(await problemsOf(await demonstration.read("/delete-my-account")), "shown").toEqual([]);
});

test("gives every page a unique title in each language", () => {
  const plainPages = among(pagePaths).filter(({ path }) => !path.includes("?"));
  // An untranslated page keeps its title in the default language.
  const titles = plainPages.map(({ html, language }) => `${language} ${titleOf(html)}`);
  expect(new Set(titles).size).toBe(plainPages.length);
  const shared = plainPages.filter(({ path }) => path === "/" || path.startsWith("/blog/"));
  expect(new Set(shared.map(({ html }) => metaOf(html, "og:image"))).size).toBe(shared.length);
});

const blogPaths = hasSection("blog") ? ["/blog", `/blog/${campus.posts[0]?.id}`] : [];
test.each(["/", ...blogPaths, "/faq"])("marks the current section in the header of %s", (path) => {
  for (const { html, to } of among([path])) {
    const nav = elementsOf(html, "nav")[0]?.html ?? "";
    const current = linksOf(nav).filter((link) => link.attributes["aria-current"] === "page");
    const place = path.startsWith("/blog") ? "/blog" : path;
    expect(current.map((link) => link.href)).toEqual([to(place)]);
  }
});

test("describes the organization, the app, the FAQ and the posts to search engines", () => {
  const readData = (path: string, type: string) =>
    jsonLdOf(among([path])[0]?.html ?? "").find((block) => block["@type"] === type);
  expect(readData("/", "Organization")).toMatchObject({
    "@context": "https://schema.org",
    name: settings.developer,
    email: settings.email,
  });
  expect(readData("/", "MobileApplication")).toMatchObject({
    name: settings.product,
    operatingSystem: expect.anything(),
  });
  const questions = readData("/faq", "FAQPage")?.mainEntity as {
    name: string;
    acceptedAnswer: { text: string };
  }[];
  expect(questions.map(({ name }) => name)).toEqual(campus.faq.map(({ question }) => question));
  for (const { acceptedAnswer } of questions) expect(acceptedAnswer.text).toBeTruthy();
  for (const { id, title, isoDate, author } of campus.posts) {
    const posting = readData(`/blog/${id}`, "BlogPosting");
    const { language: inLanguage } = settings;
    expect(posting).toMatchObject({ headline: title, datePublished: isoDate, inLanguage });
    expect(JSON.stringify(posting?.author)).toContain(author);
  }
});

test("keeps drawings and the landing page within their size limits", async () => {
  const weigh = async (file: string) =>
    (await (await site.ask(file, { headers: { "Accept-Encoding": "br" } })).bytes()).byteLength;
  const drawings = pages.flatMap(({ html }) =>
    elementsOf(html, "img").map(({ attributes }) => attributes.src?.replace(/#night$/, "") ?? ""),
  );
  for (const drawing of new Set(drawings)) {
    // Other campuses' images have a hash after the name. No limit applies to them.
    if (!isFirstCampus && /^\/art\/[\w-]+\.[0-9a-f]{6}\.\w+$/.test(drawing)) continue;
    expect(drawing).toMatch(/^\/art\/[0-9a-f]{6}\/[\w-]+\.svg$/);
    const limit = drawing.endsWith("/hero.svg") ? 8 : 6;
    expect(await weigh(drawing), drawing).toBeLessThanOrEqual(limit * 1024);
  }
  const [landing] = among(["/"]);
  const files =
    landing?.html.matchAll(/"(\/(?:art|assets)\/[^"?#\s]+\.(?:svg|woff2|js|css))"/g) ?? [];
  let total = landing?.size ?? 0;
  for (const file of new Set([...files].map((match) => match[1] ?? ""))) total += await weigh(file);
  expect(total).toBeLessThan(110 * 1024);
});

test("updates the copyright year in the footer", async () => {
  await using year = await openTestSite();
  const { copyright } = campus.interface.footer;
  for (const now of ["2026", "2027"]) {
    expect(textOf(await year.read("/faq"))).toContain(say(copyright, { year: now }));
    year.wait({ hours: 24 * 45 });
  }
});
