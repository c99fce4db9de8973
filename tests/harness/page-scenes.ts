import { sampleWords } from "../../server/cli/sample-words.ts";
import { paths } from "../../server/platform/http/paths.ts";
import { expect, type Page } from "./browser.ts";
import { addressIn, editionIn } from "./campus.ts";
import { unfold } from "./in-page.ts";

/** A page in one state, with the steps to reach that state in a browser. */
export type Scene = { name: string; show: (page: Page) => Promise<unknown> };

/**
 * Public pages in the states that visitors reach by clicking and typing. Screenshots and the tests
 * of all pages use these scenes. Paths are relative to the browser's base URL.
 */
export function pageScenes(language: string): Scene[] {
  const words = editionIn(language);
  const { form } = words.deletion;
  const open = (page: Page, path: string) => page.goto(addressIn(language, path));

  async function fill(page: Page, email = "ayesha@uni.example") {
    await open(page, paths.deletion);
    await page.locator("#deletion-form[data-ready]").waitFor();
    await page.getByLabel(form.emailLabel).fill(email);
    await page.getByLabel(form.reasonLabel).selectOption("other");
    await page.getByLabel(form.feedbackLabel).fill(sampleWords(words).feedback);
    await page.getByLabel(form.confirmLabel).check();
  }
  async function send(page: Page, email?: string) {
    await fill(page, email);
    await page.getByRole("button", { name: form.submit }).click();
  }

  return [
    {
      name: "menu-open",
      async show(page) {
        await open(page, paths.faq);
        // Wide screens have no menu button.
        const menu = page.getByRole("button", { name: words.interface.nav.menu });
        if (await menu.isVisible()) await menu.click();
      },
    },
    {
      name: "faq-open",
      async show(page) {
        await open(page, paths.faq);
        await page.evaluate(unfold);
      },
    },
    { name: "deletion-filled", show: (page) => fill(page) },
    {
      name: "deletion-problems",
      async show(page) {
        await send(page, "ayesha@localhost");
        await expect(page.getByRole("alert")).toBeFocused();
      },
    },
    {
      name: "deletion-offline",
      async show(page) {
        await page.route(`**${paths.deletionRequests}*`, (route) => route.abort());
        await send(page);
        await page.getByRole("alert").waitFor();
      },
    },
    {
      // The server never responds, so the form stays in its "processing" state.
      name: "deletion-processing",
      async show(page) {
        await page.route(`**${paths.deletionRequests}*`, () => {});
        await send(page);
        const button = page.locator("#deletion-form button[type=submit]");
        await expect(button).toHaveText(form.processing, { useInnerText: true });
        await expect(button).toBeDisabled();
        await expect(button.locator("svg")).toBeVisible();
        await expect(page.getByRole("form", { name: form.title })).toBeFocused();
      },
    },
  ];
}
