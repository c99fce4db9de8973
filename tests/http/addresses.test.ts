import { afterAll, describe, expect, test } from "vitest";
import { campus, missingPaths, missingPostPaths, pagePaths, postPaths } from "../harness/campus.ts";
import { linksOf, plain, textOf, titleOf } from "../harness/html.ts";
import { openTestSite } from "../harness/test-site.ts";

const words = campus.interface;
const site = await openTestSite();
afterAll(() => site[Symbol.asyncDispose]());

test.each(pagePaths)("I open %s and get a whole page", async (path) => {
  const response = await site.ask(path);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const html = await response.text();
  expect(html).toMatch(/^<!DOCTYPE html><html lang="\w+">/);
  expect(html.match(/<h1\b/g)).toHaveLength(1);
  expect(site.faults).toEqual([]);
});

test("every page has a title of its own", async () => {
  const paths = pagePaths.filter((path) => !path.includes("?"));
  const titles = await Promise.all(paths.map(async (path) => titleOf(await site.read(path))));
  expect(titles).not.toContain("");
  expect(new Set(titles).size).toBe(paths.length);
});

test.each([
  ["/blog/", "/blog"],
  ["/faq/", "/faq"],
  [`${postPaths[0]}/`, postPaths[0]],
  ["/privacy-policy/", "/privacy-policy"],
  ["/delete-my-account/?x=1", "/delete-my-account?x=1"],
  ["/blog/?category=Cricket", "/blog?category=Cricket"],
  ["/faq//", "/faq"],
])("I type %s and am sent to %s", async (typed, wanted) => {
  const response = await site.ask(typed);
  expect(response.status).toBe(308);
  expect(response.headers.get("location")).toBe(wanted);
});

test("a letter that a program encoded leads to the same page", async () => {
  expect(await site.read("/f%61q")).toBe(await site.read("/faq"));
  await site.read("/operator/requests%2Fa", 404);
});

test("a slash too many never sends me to another website", async () => {
  const response = await site.ask("http://localhost:3000//evil.example/");
  const location = response.headers.get("location") ?? "/";
  expect(new URL(location, "http://localhost:3000").origin).toBe("http://localhost:3000");
});

describe("an address that leads nowhere", () => {
  test.each(["/nowhere", `${postPaths[0]}/13`, "/FAQ", "/index.html", "/.env"])(
    "%s says so and shows the way home",
    async (path) => {
      const response = await site.ask(path);
      expect(response.status).toBe(404);
      const html = await response.text();
      expect(textOf(html)).toContain(plain(words.error.title));
      expect(linksOf(html).some((link) => link.href === "/")).toBe(true);
      expect(html).not.toMatch(/\bat .*\.(js|ts|tsx):\d/);
      expect(site.faults).toEqual([]);
    },
  );

  test.each(missingPostPaths)("%s says that there is no such post", async (path) => {
    const html = await site.read(path, 404);
    expect(textOf(html)).toContain(words.blog.notFoundTitle);
    expect(linksOf(html)).toContainEqual(
      expect.objectContaining({ href: "/blog", text: words.blog.notFoundButton }),
    );
  });

  test.each(missingPaths)("%s is not offered to search engines", async (path) => {
    expect(await site.read(path, 404)).toMatch(/<meta name="robots" content="noindex"/);
  });
});

test("an address that cannot even be read is a page not found, too", async () => {
  // The router would print it past the log, whole.
  const html = await site.read("/%E0%A4%A", 404);
  expect(textOf(html)).toContain(plain(words.error.title));
  expect((await site.ask("/%E0%A4%A", { method: "POST" })).status).toBe(405);
  expect((await site.ask("/assets/%E0%A4%A")).status).toBe(404);
  expect(console.warn).not.toHaveBeenCalled();
  expect(console.error).not.toHaveBeenCalled();
});

test("a page that breaks says so without showing how, and the fault is reported", async () => {
  await using broken = await openTestSite({
    change: (services) => ({
      ...services,
      submitting: {
        ...services.submitting,
        findSubmission: async () => {
          throw new Error("secret detail in /var/secret/place.ts");
        },
      },
    }),
  });
  const asked = "/delete-my-account?submitted=AAAAAAAAAAAAAAAAAAAAAA";
  const response = await broken.ask(asked);
  expect(response.status).toBe(500);
  const html = await response.text();
  expect(textOf(html)).toContain(plain(words.error.title));
  expect(textOf(html)).toContain(plain(words.error.sent));
  const again = { text: words.error.reload, href: asked };
  expect(linksOf(html)).toContainEqual(expect.objectContaining(again));
  expect(linksOf(html).some((link) => link.href === "/")).toBe(true);
  expect(html).not.toContain("secret");
  expect(broken.faults).toHaveLength(1);
  expect(broken.faults[0]?.path).toBe("/delete-my-account");
});

test.each(["/delete-my-account?submitted=AAAAAAAAAAAAAAAAAAAAAA", "/operator/me"])(
  "while the database is away, %s asks me to come back in a moment",
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
