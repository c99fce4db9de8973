import { findFaults } from "../harness/axe.ts";
import { expect, phone, statusLine, test } from "../harness/browser.ts";
import {
  addressIn,
  alikePaths,
  campus,
  distinctPaths,
  editions,
  isFirstCampus,
  postPaths,
} from "../harness/campus.ts";
import type { DeletionState } from "../harness/deletion-scenario.ts";
import {
  enlargeText,
  expectGoodStart,
  expectNothingHidden,
  expectToFitEveryWidth,
  expectWayForKeys,
  isDeep,
  openAnew,
  openWithLateLetters,
} from "../harness/every-page.ts";
import * as probes from "../harness/in-page.ts";
import { pageScenes } from "../harness/page-scenes.ts";

// Opens each page once and checks everything that applies to all pages, under various browser
// settings. Checks that depend only on code run in the first campus's default language; checks of
// text run in every language of every campus.

/** One state per layout; every other state uses one of these layouts. */
const unlike: readonly DeletionState[] = [
  ...(["submitted", "to-confirm", "cancel-asked", "held"] as const),
  ...(["overdue", "completed", "entered", "link-expired"] as const),
];

const addresses = isDeep ? [...distinctPaths, ...alikePaths] : distinctPaths;

// A test makes many checks, but only a hanging test takes this long.
test.describe.configure({ timeout: 1_500_000 });

for (const { settings } of editions) {
  const { language } = settings;
  const isFirst = language === campus.settings.language;
  const to = (path: string) => addressIn(language, path);
  const isWhole = isFirst && isFirstCampus;

  for (const path of isWhole ? addresses : []) {
    test(`${path} is accessible at every width and text size in both color schemes`, async ({
      page,
      noise,
    }) => {
      noise.expect(statusLine(404));
      // A post may contain a word longer than a line.
      const hasWholeWords = !postPaths.includes(path);
      const visit = { page, name: path, isReadable: true, isNightly: true, isWhole, hasWholeWords };
      await openWithLateLetters(page, path);
      await expectGoodStart(visit, language);
      await expectToFitEveryWidth(visit);
      await expectWayForKeys(visit);
    });
  }

  if (!isWhole) {
    test(`every page in ${language} is accessible and fits every width and text size`, async ({
      page,
      noise,
    }) => {
      noise.expect(statusLine(404));
      for (const path of addresses) {
        // The landing page may overflow: two of its Bangla service titles are wider than a line and
        // can't break.
        const isReadable = isFirstCampus && path !== "/";
        const isEnlarged = path === "/";
        const visit = { page, name: path, isReadable, isNightly: isFirst, isEnlarged };
        await openAnew(page, to(path));
        await expectGoodStart(visit, language);
        await expectToFitEveryWidth(visit);
      }
    });
  }

  test(`posts and categories in ${language} fit on the smallest phone at the largest text size`, async ({
    page,
  }) => {
    await enlargeText(page, 2);
    await page.setViewportSize({ width: 320, height: 640 });
    for (const path of alikePaths) {
      await page.goto(to(path));
      const sideways = () => page.evaluate(probes.sideways);
      // The styles for such narrow lines load late.
      await expect.soft.poll(sideways, path).toEqual([]);
    }
  });

  if (!isFirstCampus) continue;
  test(`the pages of a request are accessible in every state (${language})`, async ({
    page,
    noise,
    requestsIn,
  }) => {
    noise.expect(statusLine(404));
    noise.expect(statusLine(410));
    const scenario = await requestsIn(language);
    for (const name of isFirst || isDeep ? scenario.names : unlike) {
      await openAnew(page, scenario.site.publicUrl + scenario.states[name]);
      const visit = { page, name, isReadable: true, isNightly: isWhole, isWhole };
      await expectGoodStart(visit, language);
      await expectToFitEveryWidth(visit);
    }
  });
}

test.describe("with JavaScript off", () => {
  test.use({ javaScriptEnabled: false });

  test("shows the full content of every page", async ({ page, noise }) => {
    noise.expect(statusLine(404));
    for (const path of addresses) {
      await page.goto(path);
      await expectNothingHidden(page, path);
    }
  });
});

for (const { name, show } of pageScenes(campus.settings.language)) {
  test(`${name} is accessible on a phone in both color schemes`, async ({ page, noise }) => {
    noise.expect(statusLine(422));
    noise.expect(/net::ERR_FAILED/);
    await page.setViewportSize(phone);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await show(page);
    expect(await findFaults(page), "by day").toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await findFaults(page, ["color-contrast"]), "by night").toEqual([]);
  });
}
