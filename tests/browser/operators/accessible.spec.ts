import { AxeBuilder } from "@axe-core/playwright";
import routes from "../../../app/routes.ts";
import { expect, type Page, test } from "../../harness/browser.ts";
import { openDeskScenes } from "../../harness/desk-scenes.ts";

// Every page of operators in every state, at four widths, in both schemes.

const pages = routes
  .flatMap((route) => route.children ?? [route])
  .map(({ path = "" }) => `/${path}`)
  .filter((path) => path.startsWith("/operator") && !/[:.]|file$/.test(path));

/** By night only colours are others than by day. */
const ofColours = ["color-contrast", "link-in-text-block"];

for (const widths of [
  [360, 768],
  [1280, 1920],
]) {
  test(`axe finds nothing on any page and state of operators at ${widths.join(" and ")}, light and dark`, async ({
    page,
    noise,
  }) => {
    test.setTimeout(1_500_000);
    noise.expect(/Failed to load resource/);
    await using desk = await openDeskScenes();
    const seen = new Set<string>();
    for (const { name, show } of desk.scenes) {
      await page.setViewportSize({ width: widths[0] ?? 0, height: 800 });
      await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
      await show(page);
      seen.add(new URL(page.url()).pathname);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme: "light" });
        expect(await findFaults(page), `${name} ${width} light`).toEqual([]);
        await page.emulateMedia({ colorScheme: "dark" });
        expect(await findFaults(page, ofColours), `${name} ${width} dark`).toEqual([]);
        const tooWide = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(tooWide, `${name} at ${width} scrolls sideways`).toBeLessThanOrEqual(0);
      }
    }
    expect(pages.filter((path) => !seen.has(path))).toEqual([]);
  });
}

/** Within the page alone, which has no frames: some hundred times a second page for the results would cost minutes. */
async function findFaults(page: Page, rules?: string[]): Promise<string[]> {
  const builder = new AxeBuilder({ page }).setLegacyMode(true);
  const { violations } = await builder
    .options({
      resultTypes: ["violations"],
      ...(rules && { runOnly: { type: "rule", values: rules } }),
    })
    .analyze();
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.target).join(" | ")}`,
  );
}
