import routes from "../../../app/routes.ts";
import { expect, expectAccessible, test } from "../../harness/browser.ts";
import { openDeskScenes } from "../../harness/desk-scenes.ts";

// Every page of operators in every state, at four widths, in both schemes.

const widths = [360, 768, 1280, 1920];
const pages = routes
  .flatMap((route) => route.children ?? [route])
  .map(({ path = "" }) => `/${path}`)
  .filter((path) => path.startsWith("/operator") && !/[:.]|file$/.test(path));

test("axe finds nothing on any page and state of operators, at four widths, light and dark", async ({
  page,
  noise,
}) => {
  test.setTimeout(1_500_000);
  noise.expect(/Failed to load resource/);
  await using desk = await openDeskScenes();
  const seen = new Set<string>();
  for (const { name, show } of desk.scenes) {
    await test.step(name, async () => {
      await show(page);
      seen.add(new URL(page.url()).pathname);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          await expectAccessible(page, `${name} ${width} ${colorScheme}`);
        }
        const tooWide = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(tooWide, `${name} at ${width} scrolls sideways`).toBeLessThanOrEqual(0);
      }
    });
  }
  expect(pages.filter((path) => !seen.has(path))).toEqual([]);
});
