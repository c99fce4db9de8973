import { expect, type Page } from "./browser.ts";
import * as looks from "./looks.ts";

/** Opens everything that folds, and waits until every part has been laid out in its own letters. */
export async function untilLaidOut(page: Page): Promise<void> {
  await page.evaluate(looks.unfold);
  await page.evaluate(() => document.fonts.ready.then(() => {}));
  await expect.poll(() => page.evaluate(looks.lateParts), "all laid out").toBe(0);
}

/** Every text is on the page as a whole: in the view, not cut, and not on top of another. */
export async function expectAllReadable(page: Page, state: string): Promise<void> {
  expect.soft(await page.evaluate(looks.sideways), `sideways ${state}`).toEqual([]);
  expect.soft(await page.evaluate(looks.brokenTexts), `not whole ${state}`).toEqual([]);
  expect.soft(await page.evaluate(looks.coveredTexts), `covered ${state}`).toEqual([]);
}

/** Makes text so many times its size, as a reader's own setting does, on this page and every one that follows. */
export async function enlargeText(page: Page, times: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const fontSizes = { standard: 16 * times, fixed: 13 * times };
  await session.send("Page.setFontSizes", { fontSizes });
}

/** Sets the spaces between letters, words, lines and paragraphs of WCAG 1.4.12, or takes them away. */
export async function spaceText(page: Page, isSpaced: boolean): Promise<void> {
  await page.evaluate((wanted) => {
    const spaced = new CSSStyleSheet();
    spaced.replaceSync(
      `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
       p { margin-bottom: 2em !important }`,
    );
    document.adoptedStyleSheets = wanted ? [spaced] : [];
  }, isSpaced);
}

/** With forced colours, what can be pressed has an edge or a line, where one is shows, and so does the focus. */
export async function expectMarked(page: Page, state: string): Promise<void> {
  expect.soft(await page.evaluate(looks.edgeless), `no edge ${state}`).toEqual([]);
  expect.soft(await page.evaluate(looks.unmarked), `no mark ${state}`).toEqual([]);
  expect.soft(await page.evaluate(looks.unseenFocus), `unseen focus ${state}`).toEqual([]);
}
