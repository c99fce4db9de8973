import { borrow } from "../../server/platform/i18n/borrowed-words.ts";
import { directionOf } from "../../server/platform/i18n/direction.ts";
import { findFaults } from "../harness/axe.ts";
import { expect, phone, statusLine, test } from "../harness/browser.ts";
import { campus, editions } from "../harness/campus.ts";
import * as probes from "../harness/in-page.ts";
import { openSiteWithMail } from "../harness/site-with-mail.ts";

// Runs only on a campus with a right-to-left default language (playwright.config.ts).

const { settings, deletion } = campus;
const desktop = { width: 1280, height: 800 };
const address = "student@uni.example";

test("the default language is right to left and the second left to right", () => {
  expect(editions.map((edition) => directionOf(edition.settings.language))).toEqual(["rtl", "ltr"]);
});

for (const path of [
  "/",
  "/faq",
  "/terms-conditions",
  "/delete-my-account",
  "/womens-rides",
  "/nowhere",
]) {
  test(`${path} is right to left, fits the screen and is accessible`, async ({ page, noise }) => {
    noise.expect(/404/);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto(path);
    await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
    for (const size of [phone, desktop]) {
      await page.setViewportSize(size);
      expect.soft(await page.evaluate(probes.sideways), `${size.width}`).toEqual([]);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect.soft(await findFaults(page), `${size.width}, ${colorScheme}`).toEqual([]);
      }
    }
    // Untranslated text is English and must be marked as left to right.
    for (const text of await page.locator("[lang=en]").all()) {
      await expect(text).toHaveAttribute("dir", "ltr");
    }
  });
}

test("mirrors the header and the vehicle in a right-to-left language", async ({ page }) => {
  for (const [path, isToLeft] of [
    ["/", true],
    ["/en", false],
  ] as const) {
    await page.setViewportSize(desktop);
    await page.goto(path);
    const middleOf = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0) / 2;
    };
    const [name, menu] = [await middleOf("header a"), await middleOf("header nav")];
    expect(name > menu, path).toBe(isToLeft);
    expect((await middleOf("h1")) > (await middleOf("figure")), path).toBe(isToLeft);
    const scene = page.getByRole("img", { name: /./ }).nth(1);
    const turned = await scene.evaluate((image) => getComputedStyle(image).scale);
    expect(turned, path).toBe(isToLeft ? "none" : "-1 1");
  }
});

test("a header is opaque on a tablet if the campus's own page gives its menu a second line", async ({
  page,
}) => {
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.goto("/faq");
  const header = page.locator("header[data-site-header]");
  await expect(header.locator("a[href$='/womens-rides']")).toBeVisible();
  await expect(header).toHaveCSS("background-color", /^rgb\(/);
});

test("a wide logo leaves the menu button its place on a phone", async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto("/faq");
  const logo = page.locator("[data-site-header] picture img");
  await logo.evaluate((image) => {
    image.style.aspectRatio = "15";
  });
  const button = page.locator("[data-site-header] button[popovertarget]");
  const [picture, place] = [await logo.boundingBox(), await button.boundingBox()];
  expect(picture?.width).toBeGreaterThan(150);
  expect(Math.abs((picture?.y ?? 0) - (place?.y ?? 0))).toBeLessThan(20);
});

test("marks untranslated text in the form's response with its language and direction", async ({
  page,
  noise,
}) => {
  noise.expect(statusLine(422));
  const title = deletion.problems.summaryTitle;
  const borrowed = "There is a problem.";
  // Make one message look untranslated.
  await page.route("/delete-my-account", async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    const body = html.replace(JSON.stringify(title), JSON.stringify(borrow(borrowed, "english")));
    await route.fulfill({ response, body });
  });
  await page.goto("/delete-my-account");
  await page.locator("form[data-ready]").waitFor();
  const { emailLabel, reasonLabel, confirmLabel, submit } = deletion.form;
  await page.getByLabel(emailLabel).fill("student@localhost");
  await page.getByLabel(reasonLabel).selectOption("other");
  await page.getByLabel(confirmLabel).check();
  await page.getByRole("button", { name: submit, exact: true }).click();
  const marked = page.locator("#answer h3 > span");
  await expect(marked).toHaveText(borrowed);
  await expect(marked).toHaveAttribute("lang", "en");
  await expect(marked).toHaveAttribute("dir", "ltr");
});

test("lays out the email field left to right and emails right to left", async ({ page }) => {
  await page.goto("/delete-my-account");
  await expect(page.getByLabel(deletion.form.emailLabel)).toHaveAttribute("dir", "ltr");
  await using story = await openSiteWithMail();
  await story.ask(address);
  await story.linkTo(address);
  const html = story.mail.received.at(-1)?.mail.html ?? "";
  expect(html).toContain(`<html lang="${settings.language}" dir="rtl">`);
  expect(html).toContain(`<h1>${campus.mail.confirm.title}</h1>`);
  expect(html).not.toContain('lang="en"');
  expect(html).toMatch(/<td[^>]*><span dir="ltr">\w{4}-\w{4}<\/span><\/td>/);
});
