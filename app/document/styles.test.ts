import { expect, test } from "vitest";
import { withShortProperties } from "./styles.ts";

test("declared properties get short names, in the styles and where the page uses them", () => {
  const page = withShortProperties(
    ":root{--paper:#fff;--ink:#000}a{color:var(--ink);background:var(--paper, var(--ink))}",
    '<path fill="var(--ink)"/>',
  );
  expect(page.css).toBe(":root{--a:#fff;--b:#000}a{color:var(--b);background:var(--a, var(--b))}");
  expect(page.html).toBe('<path fill="var(--b)"/>');
});

test("names that are no declared properties stay: timelines, and what a text speaks of", () => {
  const css = ".a{--ink:red;view-timeline:--ink block;color:var(--elsewhere)}";
  const page = withShortProperties(css, "<p>We call it --ink.</p>");
  expect(page.css).toBe(".a{--a:red;view-timeline:--ink block;color:var(--elsewhere)}");
  expect(page.html).toBe("<p>We call it --ink.</p>");
});
