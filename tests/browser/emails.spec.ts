import { join } from "node:path";
import { loadCampus } from "../../campus-reader/load.ts";
import { createMailWriters } from "../../server/deletion-requests/mails/mail-writer.ts";
import { sampleMessages } from "../../server/deletion-requests/mails/sample-messages.ts";
import { readTheme } from "../../vite/theme.ts";
import { expect, test } from "../harness/browser.ts";
import { root } from "../harness/campus.ts";

// Opens emails in all of the product's languages at the width of a phone.

const publicUrl = "https://rides.example";
const screenWidth = 360;

/** Height in pixels of the part of an email that a phone shows below the sender and subject. */
const firstView = 240;

for (const folder of ["campus", "campus-examples/kaltensee", "campus-examples/cairo"]) {
  const campus = loadCampus(join(root, folder));
  const { translations } = campus;
  const theme = readTheme(join(root, folder, "theme.css"));
  const write = createMailWriters({ campus, translations, theme }, publicUrl);

  for (const { settings } of [campus, ...translations]) {
    const { language } = settings;

    test(`shows every email's button without scrolling (${folder}, ${language})`, async ({
      page,
    }) => {
      await page.setViewportSize({ width: screenWidth, height: 740 });
      const tops = new Set<string>();
      for (const message of sampleMessages()) {
        const { html } = write(message, language, { hasPages: true });
        const [top = ""] = html.split('class="button"', 1);
        // Skip samples that differ only below the button.
        if (tops.has(top)) continue;
        tops.add(top);
        await page.setContent(html);
        const button = page.locator("a.button");
        const { width, bottom } = await button.evaluate((link) => ({
          width: document.documentElement.scrollWidth,
          bottom: link.getBoundingClientRect().bottom,
        }));
        expect(bottom, `${message.kind}: ${await button.innerText()}`).toBeLessThanOrEqual(
          firstView,
        );
        expect(width, message.kind).toBeLessThanOrEqual(screenWidth);
      }
      expect(tops.size).toBeGreaterThan(40);
    });
  }
}
