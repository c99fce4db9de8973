import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "../harness/browser.ts";
import { root } from "../harness/campus.ts";

// Campuses with one to four services, each live or coming soon. (A campus may have more.) Every row
// of the section must be full, so the test looks for empty places.

const [base, pageSheet] = ["components/base.css", "pages/landing/services.late.module.css"].map(
  (sheet) => readFileSync(join(root, "app", sheet), "utf8"),
);

const box = (status: string) =>
  `<article class="frame ${status}"><img alt="" width="400" height="240"><div class="words"><h3>Name</h3><p>What it is</p></div></article>`;

const mixes = [1, 2, 3, 4].flatMap((count) =>
  Array.from({ length: count + 1 }, (_, live) => ({ live, coming: count - live })),
);

test("fills every row for any number of live and upcoming services", async ({ page }) => {
  for (const { live, coming } of mixes) {
    const side = (name: string, status: string, count: number) =>
      count > 0 ? `<div class="row ${name}">${box(status).repeat(count)}</div>` : "";
    await page.setContent(
      `<!doctype html><style>${base}${pageSheet}</style><main class="row both">${side("live", "available", live)}${side("ahead", "coming", coming)}</main>`,
    );
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const empty = await page.evaluate(() => {
        const places = [...document.querySelectorAll("article")].map((article) =>
          article.getBoundingClientRect(),
        );
        const from = Math.min(...places.map(({ top }) => top));
        const until = Math.max(...places.map(({ bottom }) => bottom));
        const gap = 24;
        const holes: string[] = [];
        // Every horizontal line through the section must cross a service in each half.
        for (let y = from + 1; y < until; y += gap) {
          for (const x of [innerWidth * 0.1, innerWidth * 0.9]) {
            const near = places.some(
              ({ left, right, top, bottom }) =>
                left <= x && x <= right && top - gap <= y && y <= bottom + gap,
            );
            if (!near) holes.push(`${x}, ${y}`);
          }
        }
        return holes;
      });
      expect.soft(empty, `${live} that run, ${coming} to come, at ${width} px`).toEqual([]);
    }
  }
});
