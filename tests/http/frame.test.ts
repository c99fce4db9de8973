import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { campus, missingPaths, pagePaths } from "../harness/campus.ts";
import { elementsOf, linksOf, textOf } from "../harness/html.ts";
import { openTestSite, type TestSite } from "../harness/test-site.ts";

const { links, stores, developer, tagline } = campus.settings;

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site[Symbol.asyncDispose]());

describe.each([...pagePaths, ...missingPaths])("on %s", (path) => {
  const read = async () => (await site.ask(path)).text();
  const footerOf = (html: string) => elementsOf(html, "footer").at(-1)?.html ?? "";

  test("the header leads home, to the blog, to the questions and to joining", async () => {
    const header = elementsOf(await read(), "header")[0]?.html ?? "";
    const nav = elementsOf(header, "nav")[0]?.html ?? "";
    expect(linksOf(nav).map(({ text, href }) => [text, href])).toEqual([
      ["Home", "/"],
      ["Blog", "/blog"],
      ["FAQ", "/faq"],
      ["Registration", "/#Registration"],
    ]);
  });

  test("the footer leads everywhere", async () => {
    const footer = footerOf(await read());
    const wanted = [
      ["Home", "/"],
      ["About Us", "/#about"],
      ["Blog", "/blog"],
      ["Contact", "/#contact"],
      ["Careers", "/#careers"],
      ["Privacy Policy", "/privacy-policy"],
      ["Terms & Condition", "/terms-conditions"],
      ["Cookie Policy", "/#cookies"],
      ["Refund Policy", "/#refund"],
      ["Facebook", links.facebook],
    ];
    const found = linksOf(footer).map(({ text, href }) => [text, href]);
    for (const link of wanted) expect(found).toContainEqual(link);
    expect(found).toContainEqual([
      expect.stringContaining(stores.available.name),
      stores.available.url,
    ]);
  });

  test("LinkedIn is named but no link, because there is none yet", async () => {
    const footer = footerOf(await read());
    expect(textOf(footer)).toMatch(/LinkedIn coming soon/);
    expect(linksOf(footer).some((link) => link.text.includes("LinkedIn"))).toBe(false);
    expect(footer).not.toMatch(/href="#?"/);
  });

  test("the other shop is marked as coming soon", async () => {
    expect(textOf(footerOf(await read()))).toContain(`Coming soon on ${stores.coming.name}`);
  });

  test("the copyright line has this year and the tagline stands above", async () => {
    const footer = textOf(footerOf(await read()));
    expect(footer).toContain(`© 2026 ${developer}`);
    expect(footer).toContain(tagline);
  });

  test("a keyboard can skip to the content", async () => {
    const html = await read();
    const first = linksOf(html)[0];
    expect(first).toMatchObject({ href: "#content", text: "Skip to content" });
    expect(html).toMatch(/<main id="content"/);
  });
});

test.each([
  ["/", "/"],
  ["/blog", "/blog"],
  ["/blog/12", "/blog"],
  ["/faq", "/faq"],
])("on %s the header marks %s as where I am", async (path, href) => {
  const nav = elementsOf(await site.read(path), "nav")[0]?.html ?? "";
  const current = linksOf(nav).filter((link) => link.attributes["aria-current"] === "page");
  expect(current.map((link) => link.href)).toEqual([href]);
});
