import { expect, findFaults, phone, statusLine, test } from "../harness/browser.ts";
import {
  addressIn,
  campus,
  categoryPaths,
  editions,
  isFirstCampus,
  missingPaths,
  pagePaths,
  postPaths,
} from "../harness/campus.ts";
import type { DeletionState } from "../harness/deletion-walk.ts";
import {
  enlargeText,
  expectGoodStart,
  expectNothingHidden,
  expectRoomForAll,
  expectWayForKeys,
  isDeep,
  openAnew,
  openWithLateLetters,
} from "../harness/every-page.ts";
import * as looks from "../harness/looks.ts";

// A single visit to a page checks everything that holds for all pages, with various browser
// settings. Checks of code run only in the first language of the first campus; checks of texts in
// every language of every campus.

const { form, success } = campus.deletion;

const longest = campus.posts.toSorted((one, other) => other.html.length - one.html.length)[0];
const withTable = campus.posts.find(({ html }) => html.includes("<table"));
const visitedPosts = [longest, withTable].map((post) => `/blog/${post?.id}`);

/** Posts differ only in their texts, and so do categories. */
const alike = [...postPaths, ...categoryPaths.slice(1)].filter(
  (path) => !visitedPosts.includes(path),
);

/**
 * States whose texts have a place of their own; each other state shares its place with one of
 * these.
 */
const unlike: readonly DeletionState[] = [
  ...(["submitted", "to-confirm", "cancel-asked", "held"] as const),
  ...(["overdue", "completed", "entered", "link-expired"] as const),
];

const addresses = [
  ...pagePaths.filter((path) => isDeep || !alike.includes(path)),
  "/blog?category=Cricket",
  ...missingPaths.slice(0, 2),
  "/delete-my-account?link=unknown",
];

// Allows for many checks in one visit, but still ends a hanging one.
test.describe.configure({ timeout: 1_500_000 });

for (const { settings } of editions) {
  const { language } = settings;
  const isFirst = language === campus.settings.language;
  const to = (path: string) => addressIn(language, path);
  const isWhole = isFirst && isFirstCampus;

  for (const path of isWhole ? addresses : []) {
    test(`${path} is accessible at every width, scheme and text size`, async ({ page, noise }) => {
      noise.expect(statusLine(404));
      // A post's title may contain any word.
      const hasWholeWords = !visitedPosts.includes(path);
      const visit = { page, name: path, isReadable: true, isNightly: true, isWhole, hasWholeWords };
      await openWithLateLetters(page, path);
      await expectGoodStart(visit, language);
      await expectRoomForAll(visit);
      await expectWayForKeys(visit);
    });
  }

  if (!isWhole) {
    test(`every page in ${language} is readable at every width, scheme and text size`, async ({
      page,
      noise,
    }) => {
      noise.expect(statusLine(404));
      for (const path of addresses) {
        // Bangla words can't be broken, and two service titles are longer than such a line.
        const isReadable = isFirstCampus && path !== "/";
        const visit = { page, name: path, isReadable, isNightly: isFirst };
        await openAnew(page, to(path));
        await expectGoodStart(visit, language);
        await expectRoomForAll(visit);
      }
    });
  }

  test(`posts and categories in ${language} fit the smallest phone and the largest text`, async ({
    page,
  }) => {
    await enlargeText(page, 2);
    await page.setViewportSize({ width: 320, height: 640 });
    for (const path of alike) {
      await page.goto(to(path));
      const sideways = () => page.evaluate(looks.sideways);
      // Styles for so few words per line load late.
      await expect.soft.poll(sideways, path).toEqual([]);
    }
  });

  if (!isFirstCampus) continue;
  test(`a request in ${language} is accessible in every state`, async ({
    page,
    noise,
    requestsIn,
  }) => {
    noise.expect(statusLine(404));
    noise.expect(statusLine(410));
    const walk = await requestsIn(language);
    for (const name of isFirst || isDeep ? walk.names : unlike) {
      await openAnew(page, walk.site.publicUrl + walk.states[name]);
      const visit = { page, name, isReadable: true, isNightly: isWhole, isWhole };
      await expectGoodStart(visit, language);
      await expectRoomForAll(visit);
    }
  });
}

test.describe("with JavaScript off", () => {
  test.use({ javaScriptEnabled: false });

  test("shows the whole content of every page", async ({ page, noise }) => {
    noise.expect(statusLine(404));
    for (const path of addresses) {
      await page.goto(path);
      await expectNothingHidden(page, path);
    }
  });
});

test("a phone's open menu is accessible in both schemes", async ({ page }) => {
  await page.setViewportSize(phone);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/faq");
  await page.getByRole("button", { name: campus.interface.nav.menu }).click();
  await expect(page.getByRole("navigation", { name: campus.interface.nav.label })).toBeVisible();
  expect(await findFaults(page), "by day").toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await findFaults(page, ["color-contrast"]), "by night").toEqual([]);
});

test("the deletion form is accessible when filled in, refused and sent, and while its button is disabled", async ({
  page,
  noise,
}) => {
  noise.expect(statusLine(422));
  await page.setViewportSize(phone);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/delete-my-account");
  await expect(page.locator("#deletion-form[data-ready]")).toBeAttached();
  const submit = page.locator("#deletion-form button[type=submit]");
  await page.getByLabel(form.emailLabel).fill("ayesha@localhost");
  await page.getByLabel(form.reasonLabel).selectOption("other");
  await page.getByRole("checkbox").check();
  expect(await findFaults(page), "filled in").toEqual([]);
  await submit.click();
  await expect(page.getByRole("alert")).toBeFocused();
  expect(await findFaults(page), "refused").toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await findFaults(page), "refused, by night").toEqual([]);

  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  await page.route("**/deletion-requests", async (route) => {
    await mayGoOn;
    await route.continue();
  });
  await page.getByLabel(form.emailLabel).fill("ayesha@uni.example");
  await submit.click();
  await expect(submit).toHaveText(form.processing, { useInnerText: true });
  await expect(submit).toBeDisabled();
  await expect(submit.locator("svg")).toBeVisible();
  // The pressed button passed the focus to its form.
  await expect(page.getByRole("form", { name: form.title })).toBeFocused();
  expect(await findFaults(page), "being sent").toEqual([]);
  goOn();
  await expect(page.getByRole("heading", { name: success.title })).toBeVisible();
});
