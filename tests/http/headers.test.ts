import { createHash } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { contentPaths, missingPaths, pagePaths, postPaths } from "../harness/campus.ts";
import { elementsOf } from "../harness/html.ts";
import { openTestSite } from "../harness/test-site.ts";

const site = await openTestSite();
afterAll(() => site[Symbol.asyncDispose]());

function directivesOf(response: Response): Record<string, string[]> {
  const policy = response.headers.get("content-security-policy") ?? "";
  return Object.fromEntries(
    policy.split(";").map((part) => {
      const [name = "", ...values] = part.trim().split(/\s+/);
      return [name, values];
    }),
  );
}

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The deletion page's other faces: a key and a link that nobody has. */
const deletionStates = [
  "/delete-my-account?submitted=AAAAAAAAAAAAAAAAAAAAAA",
  "/delete-my-account?link=unknown",
  "/delete-my-account?visit=unknown",
];

describe.each([...pagePaths, ...missingPaths, ...deletionStates])("%s", (path) => {
  test("runs only what we wrote", async () => {
    const response = await site.ask(path);
    const html = await response.text();
    const policy = directivesOf(response);
    expect(policy["default-src"]).toEqual(["'none'"]);
    expect(policy["base-uri"]).toEqual(["'none'"]);
    expect(policy["frame-ancestors"]).toEqual(["'none'"]);
    expect(policy["form-action"]).toEqual(["'self'"]);
    expect(response.headers.get("content-security-policy")).not.toMatch(/unsafe|\*|http:|data:/);

    const inline = elementsOf(html, "script").filter(
      ({ attributes }) =>
        !("src" in attributes) && !/json/.test(attributes.type ?? "text/javascript"),
    );
    expect(policy["script-src"]).toEqual(
      expect.arrayContaining(inline.map((script) => hashOf(script.html))),
    );
    const styles = elementsOf(html, "style");
    expect(styles).toHaveLength(1);
    expect(policy["style-src"]).toEqual(["'self'", ...styles.map((style) => hashOf(style.html))]);
    expect(html).not.toMatch(/<[a-z][^>]*\s(style|on[a-z]+)="/);
  });

  test("sets no cookie and guards what a browser may do with it", async () => {
    const { headers } = await site.ask(path);
    expect(headers.get("set-cookie")).toBeNull();
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("same-origin");
  });
});

test("a page without a form runs no script from a file and may ask nobody but us", async () => {
  for (const path of contentPaths) {
    const policy = directivesOf(await site.ask(path));
    expect(policy["script-src"], path).not.toContain("'self'");
    expect(policy["connect-src"], path).toEqual(["'self'"]);
  }
});

test("browsers are told to stay with https only where the site is at https", async () => {
  expect((await site.ask("/faq")).headers.get("strict-transport-security")).toBeNull();
  await using secure = await openTestSite({ publicUrl: "https://rides.example" });
  const { headers } = await secure.ask("/faq");
  expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}/);
});

describe("coming back to a page", () => {
  test.each(contentPaths)("%s is not sent twice when nothing has changed", async (path) => {
    const first = await site.ask(path);
    const etag = first.headers.get("etag");
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    // A browser asks each time; a cache on the way may answer for a minute.
    expect(first.headers.get("cache-control")).toBe(
      "public, max-age=0, s-maxage=60, stale-while-revalidate=300",
    );
    expect(first.headers.get("vary")).toContain("Accept-Encoding");
    const second = await site.ask(path, { headers: { "If-None-Match": etag ?? "" } });
    expect(second.status).toBe(304);
    expect(await second.text()).toBe("");
    expect(second.headers.get("content-security-policy")).toBeTruthy();
    const other = await site.ask(path, { headers: { "If-None-Match": 'W/"other"' } });
    expect(other.status).toBe(200);
  });

  test.each(["/delete-my-account", ...deletionStates])(
    "%s is never kept by a browser or a proxy",
    async (path) => {
      const { headers } = await site.ask(path);
      expect(headers.get("cache-control")).toContain("no-store");
      expect(headers.get("etag")).toBeNull();
    },
  );

  test("drawings, fonts and scripts are kept for a year", async () => {
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

  test("a cache on the way knows that a file comes in several encodings", async () => {
    const [file = ""] = /\/assets\/[\w-]+\.css|\/assets\/[\w-]+\.js/.exec(
      await site.read("/delete-my-account"),
    ) ?? [""];
    for (const accepted of ["br", "gzip", "identity"]) {
      const { headers } = await site.ask(file, { headers: { "Accept-Encoding": accepted } });
      expect(headers.get("vary"), file).toBe("Accept-Encoding");
      expect(headers.get("content-encoding"), file).toBe(accepted === "identity" ? null : accepted);
    }
  });

  test("a part of a file that may have changed is sent whole", async () => {
    const [file = ""] = /\/assets\/[\w-]+\.woff2/.exec(await site.read("/faq")) ?? [""];
    const part = { Range: "bytes=0-9" };
    expect((await site.ask(file, { headers: part })).status).toBe(206);
    const changed = await site.ask(file, { headers: { ...part, "If-Range": '"another"' } });
    expect(changed.status).toBe(200);
    const whole = await site.ask(file);
    expect(await changed.bytes()).toEqual(await whole.bytes());
  });

  test("a missing file is not kept", async () => {
    const response = await site.ask("/assets/nothing.js");
    expect(response.status).toBe(404);
    expect(response.headers.get("cache-control") ?? "").not.toContain("immutable");
  });

  test("the footer's year follows the clock within minutes", async () => {
    await using year = await openTestSite();
    expect(await year.read("/faq")).toContain("© 2026");
    year.wait({ hours: 24 * 45 });
    expect(await year.read("/faq")).toContain("© 2027");
  });
});

describe("the framework's own way of asking for a page's data", () => {
  test.each([
    "/delete-my-account.data",
    "/deletion-receipt.data",
    "/deletion-receipt.data?visit=unknown",
    "/_root.data",
    `${postPaths[0]}.data`,
  ])("%s is no address here", async (path) => {
    const response = await site.ask(path);
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toContain("text/html");
  });
});
