import routes from "../../../app/routes.ts";
import { expect, expectAccessible, test } from "../../harness/browser.ts";
import { walkEveryState } from "../../harness/desk-walk.ts";

// Every page of operators in every state, at four widths, in both schemes.

const widths = [360, 768, 1280, 1920];
const pages = routes
  .flatMap((route) => route.children ?? [route])
  .map(({ path = "" }) => `/${path}`)
  .filter((path) => path.startsWith("/operator") && !/[:.]|file$/.test(path));

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing on any page and state of operators, ${colorScheme}`, async ({
    page,
    context,
  }) => {
    test.setTimeout(600_000);
    await using walk = await walkEveryState();
    const { site, states } = walk;
    await context.addCookies([await walk.cookieOf("Tuli", "keeper")]);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const addresses = [
      ...pages,
      ...Object.values(states).map((reference) => `/operator/requests/${reference}`),
      `/operator/batch?act=take&r=${states.new}`,
      `/operator/batch?act=complete&r=${states.others}`,
    ];
    expect(addresses.length).toBeGreaterThan(18);
    for (const address of addresses) {
      await page.goto(site.publicUrl + address);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        await expectAccessible(page, `${width} ${colorScheme}`);
        const tooWide = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(tooWide, `${address} at ${width} scrolls sideways`).toBeLessThanOrEqual(0);
      }
    }
  });
}
