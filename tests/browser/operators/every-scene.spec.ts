import routes from "../../../app/routes.ts";
import { findFaults } from "../../harness/axe.ts";
import { expect, type Page, test } from "../../harness/browser.ts";
import { campus } from "../../harness/campus.ts";
import { enlargeText, isDeep, ofColours, softly } from "../../harness/every-page.ts";
import * as probes from "../../harness/in-page.ts";
import type { Scene } from "../../harness/page-scenes.ts";

// Opens every operator page in every state on a phone and checks that it fits every width. Runs axe
// on a phone in the light scheme and on a desktop in both color schemes.

// A scene has many checks, but only a hanging test takes this long.
test.describe.configure({ timeout: 1_500_000 });

/** Pages with a fixed URL; the scenes cover the pages of single requests. */
const pages = routes
  .flatMap((route) => route.children ?? [route])
  .map(({ path = "" }) => `/${path}`)
  .filter((path) => path.startsWith("/operator") && !/[:.]|file$/.test(path));

/** Scenes that are also checked at a text size of 200%. */
const enlarged = /^(today|new-request|request-new|batch-complete)$/;

/** Other widths to check, in pixels. The last is the desktop width, which gets more checks. */
const widths = isDeep ? [320, 480, 768, 960, 1120, 1920, 1280] : [320, 768, 1920, 1280];

test("every operator page is accessible in every state and color scheme, and fits every width", async ({
  page,
  noise,
  deskIn,
}) => {
  const desk = await deskIn(campus.settings.language);
  noise.expect(/Failed to load resource/);
  const seen = new Set<string>();
  for (const scene of desk.scenes) {
    await inspectScene(page, scene);
    seen.add(new URL(page.url()).pathname);
  }
  expect(pages.filter((path) => !seen.has(path))).toEqual([]);
});

async function inspectScene(page: Page, { name, show }: Scene): Promise<void> {
  const fits = async (width: number) =>
    softly(await page.evaluate(probes.sideways), `${name} at ${width}`).toEqual([]);
  await page.setViewportSize({ width: 360, height: 800 });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await show(page);
  await fits(360);
  if (enlarged.test(name)) {
    await enlargeText(page, 2);
    await fits(360);
    await enlargeText(page, 1);
  }
  await fitViewportToPage(page, 360);
  softly(await findFaults(page), `${name}, on a phone`).toEqual([]);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await fits(width);
  }
  await fitViewportToPage(page, 1280);
  softly(await findFaults(page), `${name}, at a desk`).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  softly(await findFaults(page, ofColours), `${name}, by night`).toEqual([]);
}

/**
 * Makes the viewport as tall as the page. Otherwise, what the batch bar covers would depend on the
 * length of the list.
 */
async function fitViewportToPage(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: await page.evaluate(probes.pageHeight) });
}
