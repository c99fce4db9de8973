import { wcagContrast } from "culori";
import { expect, type Page, test } from "../harness/browser.ts";
import { campus } from "../harness/campus.ts";

/** Returns the printed text with its colors, except text for screen readers. */
function paleTexts(page: Page) {
  return page.evaluate(() => {
    const texts = document.createTreeWalker(
      document.querySelector("main") ?? document.body,
      NodeFilter.SHOW_TEXT,
    );
    const found: { text: string; colour: string }[] = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim().slice(0, 50) ?? "";
      if (!parent || !text || parent.closest("svg, script, .visually-hidden")) continue;
      if (!parent.checkVisibility()) continue;
      found.push({ text, colour: getComputedStyle(parent).color });
    }
    return found;
  });
}

for (const scheme of ["light", "dark"] as const) {
  test(`prints the landing page on at most four pages, black on white (${scheme} scheme)`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto("/");
    const paper = await page.pdf({ format: "A4" });
    const sheets = paper.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g);
    expect(sheets?.length).toBeLessThanOrEqual(4);

    await page.emulateMedia({ media: "print", colorScheme: scheme });
    const texts = await paleTexts(page);
    const illegible = texts.filter(({ colour }) => wcagContrast(colour, "white") < 7);
    expect(illegible).toEqual([]);
    // Every heading on the screen must be printed, too.
    const words = texts.map(({ text }) => text);
    const titles = await page.locator("main :is(h2, h3)").allTextContents();
    expect(titles.filter((title) => !words.some((text) => title.startsWith(text)))).toEqual([]);
    const joined = await page.locator("main a + a").evaluateAll((links) =>
      links
        .filter(
          (link) => link.checkVisibility() && !/\s/.test(link.previousSibling?.nodeValue ?? ""),
        )
        .filter((link) => getComputedStyle(link).display === "inline")
        .map(({ textContent }) => textContent),
    );
    expect(joined, "links that run into each other").toEqual([]);
    for (const address of await page.locator("main a[target=_blank]").all()) {
      const shown = await address.evaluate((link) => getComputedStyle(link, "::after").content);
      expect(shown).toContain(await address.getAttribute("href"));
    }
    const split = await page
      .locator("main :is(article, details, #steps li)")
      .evaluateAll((all) =>
        all.filter((element) => getComputedStyle(element).breakInside !== "avoid"),
      );
    expect(split).toEqual([]);
  });
}

test("prints each table of a post on one page", async ({ page }) => {
  const post = campus.posts.find(({ html }) => html.includes("<table"));
  if (!post) throw new Error("No post has a table");
  await page.goto(`/blog/${post.id}`);
  await page.emulateMedia({ media: "print" });
  const split = await page
    .locator("article table")
    .evaluateAll((all) => all.map((element) => getComputedStyle(element).breakInside));
  expect(new Set(split)).toEqual(new Set(["avoid"]));
});

test("prints every FAQ question with its answer", async ({ page }) => {
  await page.goto("/faq");
  await page.emulateMedia({ media: "print" });
  const answers = page.locator("main details > div");
  expect(await answers.count()).toBeGreaterThan(0);
  for (const answer of await answers.all()) {
    expect((await answer.boundingBox())?.height).toBeGreaterThan(10);
  }
  const illegible = (await paleTexts(page)).filter(
    ({ colour }) => wcagContrast(colour, "white") < 4.5,
  );
  expect(illegible).toEqual([]);
});
