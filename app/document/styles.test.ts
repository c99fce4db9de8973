import { expect, test } from "vitest";
import { createStyleFitter } from "./styles.ts";

/** Styles and markup of a page that no script changes. */
function pageOf(css: string, html: string) {
  return createStyleFitter()(css, html, { grows: false });
}

/** The rules that a page with these elements and classes keeps, each named by its only declaration. */
async function kept(css: string, html: string): Promise<string[]> {
  const page = await pageOf(css, html);
  return [...page.css.matchAll(/order:(\d+)/g)].map(([, order = ""]) => order);
}

const card = '<article class="card"><h2>Title</h2><a class="link" href="/">On</a></article>';

test.each([
  ["a class of the page", ".card{order:1}"],
  ["an element of the page", "h2{order:1}"],
  ["everything", "*{order:1}"],
  ["two classes, wherever they stand", ".card .link{order:1}"],
  ["a class that it must not have", ".card:not(.absent){order:1}"],
  ["one of several", ".absent,.card{order:1}"],
  ["one of several inside", ".card :is(.absent,h2){order:1}"],
  ["one of several inside, without weight", ":where(.absent,.card){order:1}"],
  ["what it contains", ".card:has(>.link){order:1}"],
  ["a state", ".link:hover{order:1}"],
  ["an attribute that a script may set", "article[data-scrolled]{order:1}"],
  ["a part that no markup has", ".link::before{order:1}"],
  ["a place among others", ".card>:nth-child(2){order:1}"],
  ["a class beside an absent one in a condition", "@media (width>=40rem){.card{order:1}}"],
])("a rule stays for %s", async (_, css) => {
  expect(await kept(css, card)).toEqual(["1"]);
});

test.each([
  ["an absent class", ".absent{order:1}"],
  ["an absent element", "textarea{order:1}"],
  ["an absent class within a present one", ".card .absent{order:1}"],
  ["a present class within an absent one", ".absent>.card{order:1}"],
  ["an absent class in a state", ".absent:hover{order:1}"],
  ["only absent ones inside", ".card :is(.absent,textarea){order:1}"],
  ["what nothing contains", ".card:has(.absent){order:1}"],
])("a rule goes for %s", async (_, css) => {
  expect((await pageOf(css, card)).css).toBe("");
});

test("of several selectors, those that cannot apply go", async () => {
  expect((await pageOf(".absent,h2,textarea{order:1}", card)).css).toBe("h2{order:1}");
});

test("a condition around nothing goes, and what is no rule stays", async () => {
  const css =
    "@media print{.absent{order:1}}@font-face{font-family:Face}@keyframes turn{from{rotate:0deg}to{rotate:1turn}}";
  expect((await pageOf(css, card)).css).toBe(
    "@font-face{font-family:Face}@keyframes turn{from{rotate:0deg}to{rotate:1turn}}",
  );
});

test("a class in the text of a page is no class of the page", async () => {
  expect(await pageOf(".absent{order:1}", '<p>Write class="absent" there.</p>')).toEqual({
    css: "",
    html: '<p>Write class="absent" there.</p>',
  });
});

test("a selector that asks for the attribute of classes is refused: they have other names", async () => {
  await expect(pageOf("[class^=card]{order:1}", card)).rejects.toThrow("the attribute of classes");
});

test("classes get short names in styles and markup, the shortest where they are used most", async () => {
  const css =
    ".seldom{order:1}.often{order:2}.often:hover{order:3}.often .seldom{order:4}.often{order:5}";
  expect(
    await pageOf(css, '<p class="often"><b class="plain seldom">class="often"</b></p>'),
  ).toEqual({
    css: ".b{order:1}.a{order:2}.a:hover{order:3}.a .b{order:4}.a{order:5}",
    html: '<p class="a"><b class="plain b">class="often"</b></p>',
  });
});

test("custom properties that nothing asks for go, also those asked for by such a one only", async () => {
  const css =
    ":root{--paper:#fffffffff;--unused:var(--only-there);--only-there:red}p{background:var(--paper);color:var(--paper)}";
  expect((await pageOf(css, "<p></p>")).css).toBe(
    ":root{--a:#fffffffff}p{background:var(--a);color:var(--a)}",
  );
});

test("custom properties that differ somewhere get short names, also where the markup asks for them", async () => {
  const css = ":root{--ink:#000}.night{--ink:#fff}p{color:var(--ink)}";
  expect(await pageOf(css, '<p class="night"><path fill="var(--ink)"/></p>')).toEqual({
    css: ":root{--a:#000}.a{--a:#fff}p{color:var(--a)}",
    html: '<p class="a"><path fill="var(--a)"/></p>',
  });
});

test("names that are no declared properties stay: timelines, and what a text speaks of", async () => {
  const css = ".a{--ink:red;view-timeline:--ink block;color:var(--elsewhere);fill:var(--ink)}";
  const page = await pageOf(css, '<p class="a">We call it --ink.</p>');
  expect(page.css).toBe(
    ".a{--a:red;view-timeline:--ink block;color:var(--elsewhere);fill:var(--a)}",
  );
  expect(page.html).toBe('<p class="a">We call it --ink.</p>');
});

test("where a script brings more later, rules and names stay, and only unused properties go", async () => {
  const css = ":root{--pen:2px;--unused:1px}.later{width:var(--pen)}";
  expect(await createStyleFitter()(css, '<p class="now"></p>', { grows: true })).toEqual({
    css: ":root{--pen:2px}.later{width:var(--pen)}",
    html: '<p class="now"></p>',
  });
});

test("values whose spaces matter keep them", async () => {
  const css =
    'p{width:calc(100% - var(--x) + 2px);content:"a" / "";font:1rem/1.5 "A B",serif;grid-area:1/-1;animation-range:entry 60% exit 30%}';
  const page = await pageOf(css, "<p></p>");
  expect(page.css).toContain("calc(100% - var(--x) + 2px)");
  expect(page.css).toContain('content:"a"/""');
  expect(page.css).toContain("entry 60%exit 30%");
});

test("pages with the same elements and classes get the same styles, others their own", async () => {
  const fitAgain = createStyleFitter();
  const css = "p{order:1}b{order:2}.card{order:3}";
  const of = async (html: string) => (await fitAgain(css, html, { grows: false })).css;
  expect(await of("<p></p>")).toBe("p{order:1}");
  expect(await of("<p><b></b></p>")).toBe("p{order:1}b{order:2}");
  expect(await of('<p class="card"></p>')).toBe("p{order:1}.a{order:3}");
  expect(await of("<p>again</p>")).toBe("p{order:1}");
});

test("styles that cannot be read are no trouble for the next page", async () => {
  const fitAgain = createStyleFitter();
  const broken = fitAgain(".card{{order:1}", "<p></p>", { grows: false });
  const sound = fitAgain("p{order:1}", "<p></p>", { grows: false });
  await expect(broken).rejects.toThrow();
  expect((await sound).css).toBe("p{order:1}");
});
