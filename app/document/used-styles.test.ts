import { expect, test } from "vitest";
import { removeUnusedStyles } from "./used-styles.ts";

const html = '<main class="page wide"><p class="lead"><a href="/">rides</a></p></main>';

test.each([
  ["a rule whose class the page has", ".lead{margin:0}"],
  ["a rule for elements without a class", "p:not(.unused){margin:0}"],
  ["a rule for an attribute that the page sets later", ".page[data-ready]{margin:0}"],
  ["a rule for a part that is opened later", "a[open]{margin:0}"],
  ["fonts and the order of layers", "@layer base,page;@font-face{src:url(a.woff2)}"],
])("keeps %s", async (_, css) => {
  expect(await removeUnusedStyles(css, html)).toBe(css);
});

test.each([
  ["a rule whose class the page lacks", ".unused{margin:0}"],
  ["a rule for a class that is only a word on the page", ".rides{margin:0}"],
  ["a rule whose element the page lacks", "fieldset{border:0}"],
  ["a condition without rules", "@media print{.unused{gap:0}}"],
])("removes %s", async (_, css) => {
  expect(await removeUnusedStyles(css, html)).toBe("");
});
