import { afterAll, describe, expect, test, vi } from "vitest";
import { campus, hasSection, missingPostPaths, postPaths } from "../harness/campus.ts";
import { elementsOf, linksOf, plain, textOf } from "../harness/html.ts";
import { openTestSite } from "../harness/test-site.ts";

const words = campus.interface;
/** A post's path. Campuses without a blog use another page. */
const page = postPaths[0] ?? "/terms-conditions";
const blogPaths = hasSection("blog") ? ["/blog"] : [];
const site = await openTestSite();
afterAll(() => site[Symbol.asyncDispose]());

test.each([
  [`${page}/`, page],
  ["/delete-my-account/?visit=x", "/delete-my-account?visit=x"],
  ["/delete-my-account?utm_source=x&fbclid=y", "/delete-my-account"],
  ["/?fbclid=y", "/"],
  [`${page}?utm_source=x`, page],
  ...blogPaths.map((blog) => [
    `${blog}?utm_source=x&category=All&page=2&gclid=y`,
    `${blog}?category=All&page=2`,
  ]),
  ["/faq//", "/faq"],
  ["/f%61q", "/faq"],
  [encodeLast(page), page],
])("redirects %s to %s", async (typed, wanted) => {
  const response = await site.ask(typed);
  expect(response.status).toBe(308);
  expect(response.headers.get("location")).toBe(wanted);
});

/** Percent-encodes the last character, as some clients do even with digits. */
function encodeLast(path = ""): string {
  return `${path.slice(0, -1)}%${path.charCodeAt(path.length - 1).toString(16)}`;
}

test("doesn't split a path at an encoded slash", async () => {
  await site.read("/operator/requests%2Fa", 404);
});

test("never redirects a double slash to another website", async () => {
  const response = await site.ask("http://localhost:3000//evil.example/");
  const location = response.headers.get("location") ?? "/";
  expect(new URL(location, "http://localhost:3000").origin).toBe("http://localhost:3000");
});

describe("an unknown URL", () => {
  test.each(["/nowhere", `${page}/13`, "/FAQ", "/index.html", "/.env"])(
    "returns a not-found page with a link home for %s",
    async (path) => {
      const response = await site.ask(path);
      expect(response.status).toBe(404);
      const html = await response.text();
      expect(textOf(elementsOf(html, "h1")[0]?.html ?? "")).toBe(plain(words.error.notFoundTitle));
      expect(textOf(html)).toContain(plain(words.error.title));
      for (const href of ["/", "/faq", ...blogPaths, "/delete-my-account"])
        expect(linksOf(html).some((link) => link.href === href)).toBe(true);
      expect(html).not.toMatch(/\bat .*\.(js|ts|tsx):\d/);
      expect(site.faults).toEqual([]);
    },
  );

  test.each(missingPostPaths)("says that the post at %s doesn't exist", async (path) => {
    const html = await site.read(path, 404);
    expect(textOf(html)).toContain(words.blog.notFoundTitle);
    expect(linksOf(html)).toContainEqual(
      expect.objectContaining({ href: "/blog", text: words.blog.notFoundButton }),
    );
  });
});

test("serves the not-found page for an undecodable URL", async () => {
  // The server handles this URL itself, because the router would log the full URL.
  const html = await site.read("/%E0%A4%A", 404);
  expect(textOf(html)).toContain(plain(words.error.title));
  expect((await site.ask("/%E0%A4%A", { method: "POST" })).status).toBe(405);
  expect((await site.ask("/assets/%E0%A4%A")).status).toBe(404);
  expect(console.warn).not.toHaveBeenCalled();
  expect(console.error).not.toHaveBeenCalled();
});

test("logs a page's error without showing its details to the visitor", async () => {
  await using broken = await openTestSite();
  const fault = new Error("secret detail in /var/secret/place.ts");
  vi.spyOn(broken.services.submitting, "findSubmission").mockRejectedValue(fault);
  const path = "/delete-my-account?submitted=AAAAAAAAAAAAAAAAAAAAAA";
  const response = await broken.ask(path);
  expect(response.status).toBe(500);
  const html = await response.text();
  expect(textOf(html)).toContain(plain(words.error.title));
  expect(textOf(html)).toContain(plain(words.error.sent));
  const again = { text: words.error.reload, href: path };
  expect(linksOf(html)).toContainEqual(expect.objectContaining(again));
  expect(linksOf(html).some((link) => link.href === "/")).toBe(true);
  expect(html).not.toContain("secret");
  const id = response.headers.get("x-request-id");
  expect(textOf(html)).toContain(`${words.error.reference} ${id}`);
  expect(broken.faults).toHaveLength(1);
  expect(broken.faults[0]?.path).toBe("/delete-my-account");
});

test.each(["/delete-my-account?submitted=AAAAAAAAAAAAAAAAAAAAAA", "/operator/me"])(
  "returns 503 for %s while the database is down",
  async (path) => {
    await using away = await openTestSite();
    await away.signInAs("Nadia");
    await away.database.close();
    const response = await away.ask(path);
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("60");
    const text = textOf(await response.text());
    if (!path.startsWith("/operator")) expect(text).toContain(plain(words.error.faultText));
    expect((await away.ask("/faq")).status).toBe(200);
  },
);

test.each([
  "/delete-my-account.data",
  "/deletion-receipt.data",
  "/deletion-receipt.data?visit=unknown",
  "/_root.data",
  `${postPaths[0]}.data`,
])("returns 404 for the framework's data request %s", async (path) => {
  const response = await site.ask(path);
  expect(response.status).toBe(404);
  expect(response.headers.get("content-type")).toContain("text/html");
});

test("sends HSTS only over HTTPS", async () => {
  expect((await site.ask("/faq")).headers.get("strict-transport-security")).toBeNull();
  await using secure = await openTestSite({ publicUrl: "https://rides.example" });
  const { headers } = await secure.ask("/faq");
  expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}/);
});

describe("static files", () => {
  test("allows caching a file for a year if its name contains a hash", async () => {
    const html = await site.read("/delete-my-account");
    const files = [
      ...new Set(
        [...html.matchAll(/"(\/(?:art|assets)\/[^"?#]+)"/g)].map((match) => match[1] ?? ""),
      ),
    ];
    expect(files.some((file) => file.endsWith(".woff2"))).toBe(true);
    for (const file of files) {
      const response = await site.ask(file);
      expect(response.status, file).toBe(200);
      expect(response.headers.get("cache-control"), file).toBe(
        "public, max-age=31536000, immutable",
      );
    }
  });

  test("compresses a file according to Accept-Encoding", async () => {
    const [file = ""] = /\/assets\/[\w-]+\.css|\/assets\/[\w-]+\.js/.exec(
      await site.read("/delete-my-account"),
    ) ?? [""];
    for (const accepted of ["br", "gzip", "identity"]) {
      const { headers } = await site.ask(file, { headers: { "Accept-Encoding": accepted } });
      expect(headers.get("vary"), file).toBe("Accept-Encoding");
      expect(headers.get("content-encoding"), file).toBe(accepted === "identity" ? null : accepted);
    }
  });

  test("sends the full file if If-Range doesn't match", async () => {
    const [file = ""] = /\/assets\/[\w-]+\.woff2/.exec(await site.read("/faq")) ?? [""];
    const part = { Range: "bytes=0-9" };
    expect((await site.ask(file, { headers: part })).status).toBe(206);
    const changed = await site.ask(file, { headers: { ...part, "If-Range": '"another"' } });
    expect(changed.status).toBe(200);
    const whole = await site.ask(file);
    expect(await changed.bytes()).toEqual(await whole.bytes());
  });

  test.each(["bytes=abc", "bytes=0-9, 20-29", "lines=0-9", "bytes=-", "0-9"])(
    "sends the full file for the unsupported range %s",
    async (range) => {
      const [file = ""] = /\/assets\/[\w-]+\.woff2/.exec(await site.read("/faq")) ?? [""];
      const response = await site.ask(file, { headers: { Range: range } });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-range")).toBeNull();
    },
  );
});
