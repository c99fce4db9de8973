import { afterAll, describe, expect, test } from "vitest";
import { campus, missingPaths, pagePaths, postPaths, say } from "../harness/campus.ts";
import { elementsOf, linksOf, textOf } from "../harness/html.ts";
import { openTestSite } from "../harness/test-site.ts";

const { social, stores, tagline } = campus.settings;
const { nav: menu, footer: labels } = campus.interface;

const site = await openTestSite();
afterAll(() => site[Symbol.asyncDispose]());

describe.each([...pagePaths, ...missingPaths])("on %s", (path) => {
  const read = async () => (await site.ask(path)).text();
  const footerOf = (html: string) => elementsOf(html, "footer").at(-1)?.html ?? "";

  test("the header leads home, to the blog, to the questions and to joining", async () => {
    const header = elementsOf(await read(), "header")[0]?.html ?? "";
    const nav = elementsOf(header, "nav")[0]?.html ?? "";
    expect(linksOf(nav).map(({ text, href }) => [text, href])).toEqual([
      [menu.home, "/"],
      [menu.blog, "/blog"],
      [menu.faq, "/faq"],
      [menu.registration, "/#Registration"],
    ]);
  });

  test("the footer leads everywhere", async () => {
    const footer = footerOf(await read());
    const wanted = [
      [labels.home, "/"],
      [labels.about, "/#about"],
      [labels.blog, "/blog"],
      [labels.contact, "/#contact"],
      [labels.careers, "/#careers"],
      [labels.privacy, "/privacy-policy"],
      [labels.terms, "/terms-conditions"],
      [labels.cookies, "/#cookies"],
      [labels.refund, "/#refund"],
    ];
    const found = linksOf(footer).map(({ text, href }) => [text, href]);
    for (const link of wanted) expect(found).toContainEqual(link);
  });

  test("social pages and shops are linked where they are, and marked where they are still to come", async () => {
    const footer = footerOf(await read());
    const links = linksOf(footer).map(({ text, href }) => [text, href]);
    for (const { name, url } of social) {
      if (url) expect(links).toContainEqual([name, url]);
      else expect(textOf(footer)).toContain(`${name} ${labels.notYet}`);
    }
    for (const { name, url } of stores) {
      if (url) expect(links).toContainEqual([`${labels.storeAvailable} ${name}`, url]);
      else expect(textOf(footer)).toContain(`${labels.storeComing} ${name}`);
    }
    for (const { name } of [...social, ...stores].filter(({ url }) => !url)) {
      expect(links.some(([text]) => text?.includes(name))).toBe(false);
    }
    expect(footer).not.toMatch(/href="#?"/);
  });

  test("the copyright line has this year and the tagline stands above", async () => {
    const footer = textOf(footerOf(await read()));
    expect(footer).toContain(say(labels.copyright, { year: "2026" }));
    expect(footer).toContain(tagline);
  });

  test("a keyboard can skip to the content", async () => {
    const html = await read();
    const first = linksOf(html)[0];
    expect(first).toMatchObject({ href: "#content", text: campus.interface.skipLink });
    expect(html).toMatch(/<main id="content"/);
  });
});

test.each([
  ["/", "/"],
  ["/blog", "/blog"],
  [postPaths[0] ?? "", "/blog"],
  ["/faq", "/faq"],
])("on %s the header marks %s as where I am", async (path, href) => {
  const nav = elementsOf(await site.read(path), "nav")[0]?.html ?? "";
  const current = linksOf(nav).filter((link) => link.attributes["aria-current"] === "page");
  expect(current.map((link) => link.href)).toEqual([href]);
});
