import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createFormKey } from "../../server/deletion-requests/life/form-key.ts";
import { expect, statusLine, test } from "../harness/browser.ts";
import { campus } from "../harness/campus.ts";

const { error: words } = campus.interface;

test("an unknown address says so, within header and footer, and leads home", async ({
  page,
  noise,
}) => {
  noise.expect(statusLine(404));
  const response = await page.goto("/somewhere/else");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(words.title);
  await expect(page.getByRole("banner")).toBeVisible();
  await expect(page.getByRole("contentinfo")).toBeVisible();
  await page.locator("main").getByRole("link", { name: words.home }).click();
  await expect(page).toHaveURL(/:\d+\/$/);
});

test("a fault says the same, and shows nothing of its inside", async ({
  page,
  noise,
  serverWith,
}) => {
  noise.expect(statusLine(500));
  const broken = await serverWith({});
  const database = new DatabaseSync(join(broken.dataDir, "requests.sqlite"), { timeout: 10_000 });
  database.exec("alter table submissions rename to gone");
  database.close();
  const response = await page.goto(`${broken.url}/delete-my-account?submitted=${createFormKey()}`);
  expect(response?.status()).toBe(500);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(words.title);
  const html = await page.content();
  expect(html).not.toMatch(/submissions|sqlite|\bat \w+.*:\d+:\d+/i);
  await expect(page.getByRole("banner")).toBeVisible();
  const address = page.url();
  await page.locator("main").getByRole("link", { name: words.reload }).click();
  await expect(page).toHaveURL(address);
  await expect(page.getByText(words.sent)).toBeVisible();
});

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
