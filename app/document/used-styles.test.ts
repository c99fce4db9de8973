import { expect, test } from "vitest";
import { removeUnusedProperties, removeUnusedRules } from "./used-styles.ts";

const html = '<main class="page wide"><p class="lead"><a href="/">.unused{}</a></p></main>';

test.each([
  ["a rule whose class the page has", ".lead{margin:0}"],
  ["a rule without classes", "p>a:hover{color:red}"],
  ["a rule for any element", "*,:before{margin:0}:root{gap:0}"],
  ["a rule for an attribute", "a[href^=tel\\:]{margin:0}"],
  ["a rule with one used selector", ".unused,.lead{margin:0}"],
  ["a rule for elements without a class", "p:not(.unused){margin:0}"],
  ["a rule with several kinds of elements", ".page>:is(:nth-child(7n+1),.unused){margin:0}"],
  ["a font", "@layer page;@font-face{src:url(a.woff2)}"],
  ["the steps of an animation", "@keyframes turn{to{rotate:1turn}}"],
])("keeps %s", (_, css) => {
  expect(removeUnusedRules(css, html)).toBe(css);
});

test.each([
  ["a rule whose class the page lacks", ".unused{margin:0}.lead{margin:0}", ".lead{margin:0}"],
  ["a rule that needs two classes", ".page .unused:hover{margin:0}", ""],
  ["a rule whose element the page lacks", "fieldset{border:0}main>table td{margin:0}", ""],
  ["a condition without rules", "@media print{@supports (gap:0){.unused a{gap:0}}}", ""],
  [
    "a font for characters that the page lacks",
    "@font-face{unicode-range:U+964-965,U+980-9FF}@font-face{unicode-range:U+0-FF,U+2019}",
    "@font-face{unicode-range:U+0-FF,U+2019}",
  ],
  ["a rule after a statement", "@layer base,page;.unused{margin:0}", "@layer base,page;"],
])("removes %s", (_, css, left) => {
  expect(removeUnusedRules(css, html)).toBe(left);
});

test("removes custom properties that neither the page nor its stylesheets use", () => {
  const css = ":root{--ink:#000;--paper:#fff;--rani:#f0a;--lift:4px 4px var(--ink)}p{--rani:red}";
  const others = ['<path fill="var(--paper)"/>', ".late{box-shadow:var(--lift,none)}"];
  expect(removeUnusedProperties(css, others)).toBe(
    ":root{--ink:#000;--paper:#fff;--lift:4px 4px var(--ink)}p{}",
  );
});
