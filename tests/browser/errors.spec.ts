import { expect, statusLine, test } from "../harness/browser.ts";

test("however large the screen, the drawing beside an error keeps its head", async ({
  page,
  noise,
}) => {
  noise.expect(statusLine(404));
  for (const path of ["/somewhere/else", "/blog/99999"]) {
    await page.goto(path);
    const picture = page.locator("main img").first();
    await expect
      .poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth))
      .toBeGreaterThan(0);
    for (const width of [960, 1440, 1920, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      const shown = await picture.evaluate((img: HTMLImageElement) => {
        const { width: across, height: down } = img.getBoundingClientRect();
        const scale = Math.max(across / img.naturalWidth, down / img.naturalHeight);
        return down / (img.naturalHeight * scale);
      });
      expect(shown, `${path} at ${width}`).toBeGreaterThan(0.9);
    }
  }
});
