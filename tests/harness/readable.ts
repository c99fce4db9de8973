import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import * as looks from "./looks.ts";

/** Every text is on the page as a whole: in the view, not cut, and not on top of another. */
export async function expectAllReadable(page: Page, state: string): Promise<void> {
  await page.evaluate(looks.unfold);
  await expect.poll(() => page.evaluate(looks.lateParts), `all laid out ${state}`).toBe(0);
  expect.soft(await page.evaluate(looks.sideways), `sideways ${state}`).toEqual([]);
  expect.soft(await page.evaluate(looks.cutTexts), `cut ${state}`).toEqual([]);
  expect.soft(await page.evaluate(looks.crossedTexts), `crossed ${state}`).toEqual([]);
  expect.soft(await page.evaluate(looks.coveredTexts), `covered ${state}`).toEqual([]);
}

/** Makes text twice its size, as a reader's own setting does, for every page that follows. */
export async function doubleText(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
}

/** Sets the spaces between letters, words, lines and paragraphs of WCAG 1.4.12. */
export async function spaceText(page: Page): Promise<void> {
  await page.evaluate(() => {
    const spaced = new CSSStyleSheet();
    spaced.replaceSync(
      `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
       p { margin-bottom: 2em !important }`,
    );
    document.adoptedStyleSheets.push(spaced);
  });
}

/** Texts with less contrast than level AAA asks for. */
export async function weakTexts(page: Page): Promise<string[]> {
  await page.evaluate(looks.unfold);
  const { violations } = await new AxeBuilder({ page })
    .withRules(["color-contrast-enhanced"])
    .analyze();
  return violations.flatMap(({ nodes }) =>
    nodes.map(({ target, any }) => `${target} ${any[0]?.data.contrastRatio}`),
  );
}

/** With forced colours, what can be pressed has an edge or a line, where one is shows, and so does the focus. */
export async function expectMarked(page: Page, state: string): Promise<void> {
  await page.evaluate(looks.unfold);
  expect.soft(await page.evaluate(looks.edgeless), `no edge ${state}`).toEqual([]);
  expect.soft(await page.evaluate(looks.unmarked), `no mark ${state}`).toEqual([]);
  // From here on the browser shows the focus, because it was moved by keyboard.
  await page.keyboard.press("Tab");
  expect.soft(await page.evaluate(looks.unseenFocus), `unseen focus ${state}`).toEqual([]);
}
