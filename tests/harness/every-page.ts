import type { ViewportSize } from "@playwright/test";
import { expect, findFaults, type Page, untilShown } from "./browser.ts";
import { wearFace } from "./faces.ts";
import * as looks from "./looks.ts";

// What holds for every page. A page is opened once; then widths, schemes and sizes change around it. All is asked softly, so
// that one visit tells everything that is wrong.

/** `npm run test:deep -- states`: every page, in every width, and axe in full in each scheme. */
export const isDeep = Boolean(process.env.DEEP);

const softly = expect.configure({ soft: true });

const small = { width: 320, height: 640 };
const phone = { width: 360, height: 640 };
const heldSideways = { width: 844, height: 390 };
const tablet = { width: 768, height: 1024 };
const desktop = { width: 1280, height: 800 };

/** The smallest phone, a common one, where columns begin, and a large screen. */
const widths = isDeep
  ? [320, 360, 412, 480, 600, 768, 844, 960, 1024, 1120, 1280, 1440, 1920]
  : [320, 360, 768, 960, 1024, 1280];

/** By night only colours are others than by day. */
const ofColours = ["color-contrast", "link-in-text-block"];

/** Opens a page on which the site's own letters come after the first paint: they move more than anything else ever does. */
export async function openWithLateLetters(page: Page, address: string): Promise<void> {
  const { promise: painted, resolve: send } = Promise.withResolvers<void>();
  await page.setViewportSize(phone);
  await page.route("**/*.woff2", async (route) => {
    await painted;
    await route.continue();
  });
  await page.goto(address, { waitUntil: "domcontentloaded" });
  await untilShown(page);
  send();
  await page.waitForLoadState();
  await page.evaluate(() => document.fonts.ready.then(() => {}));
  softly(await page.evaluate(looks.shifted, true), "jumps as its letters arrive").toBeLessThan(0.1);
  await page.unroute("**/*.woff2");
}

/** What is seen and told at once. */
export async function expectGoodStart(page: Page, language: string): Promise<void> {
  await softly(page.locator("html")).toHaveAttribute("lang", language);
  softly(await page.evaluate(looks.endless), "moves for more than five seconds").toEqual([]);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await untilLaidOut(page);
  softly(await page.evaluate(looks.moving), "moves though less motion is asked for").toEqual([]);
}

/**
 * What the words on a page may break: asked in every language, on every campus.
 * @param isReadable whether text of twice the size must not only fit but be seen as a whole on the smallest phone
 */
export async function expectRoomForWords(page: Page, isReadable = true): Promise<void> {
  await fits(page);
  await isTold(page, phone, "light");
  if (isDeep) await isTold(page, desktop, "light");
  await standsLargeText(page, isReadable);
}

/** What a campus's own colours may break: asked in its first language. */
export async function expectGoodNight(page: Page): Promise<void> {
  await isTold(page, desktop, "dark", isDeep ? undefined : ofColours);
  if (isDeep) await isTold(page, phone, "dark");
}

/** With the largest text no word of a title or a button is broken between two lines. */
export async function expectNoBrokenWords(page: Page): Promise<void> {
  await enlargeText(page, 2);
  for (const viewport of [small, phone]) {
    await page.setViewportSize(viewport);
    softly(
      await page.evaluate(looks.brokenWords, looks.titlesAndButtons),
      `at ${viewport.width} px`,
    ).toEqual([]);
  }
  await enlargeText(page, 1);
}

/** What only code may break: asked in one language of one campus. */
export async function expectSettingsKept(page: Page): Promise<void> {
  await wearFace(page, "narrow");
  await fits(page);
  await wearFace(page, "wide");
  await canBePressed(page);
  await standsSpacedText(page);
  await standsColoursOfOnesOwn(page);
}

async function fits(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    softly(await page.evaluate(looks.sideways), `at ${width} px`).toEqual([]);
  }
}

async function isTold(
  page: Page,
  viewport: ViewportSize,
  colorScheme: "light" | "dark",
  rules?: string[],
): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  softly(await findFaults(page, rules), `axe, ${viewport.width} px, ${colorScheme}`).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
}

async function standsLargeText(page: Page, isReadable: boolean): Promise<void> {
  await enlargeText(page, 2);
  for (const viewport of [small, phone]) {
    await page.setViewportSize(viewport);
    const fitting = await page.evaluate(looks.sideways);
    softly(fitting, `twice the size at ${viewport.width} px`).toEqual([]);
    if (isReadable) await expectAllReadable(page, `twice the size at ${viewport.width} px`);
  }
  await page.setViewportSize(tablet);
  softly(await page.evaluate(looks.sideways), "twice the size on a tablet").toEqual([]);
  await enlargeText(page, 1);
}

async function standsSpacedText(page: Page): Promise<void> {
  await spaceText(page, true);
  for (const viewport of [small, desktop]) {
    await page.setViewportSize(viewport);
    await expectAllReadable(page, `spaced at ${viewport.width} px`);
    softly(
      await page.evaluate(looks.brokenWords, looks.titlesAndButtons),
      `spaced at ${viewport.width} px`,
    ).toEqual([]);
  }
  await spaceText(page, false);
}

async function canBePressed(page: Page): Promise<void> {
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport);
    const small = await page.evaluate(looks.smallTargets);
    softly(small, `small targets at ${viewport.width} px`).toEqual([]);
    // From here on the browser shows the focus, because it was moved by keyboard.
    await page.keyboard.press("Tab");
    const unseen = await page.evaluate(looks.unseenFocus);
    softly(unseen, `unseen focus at ${viewport.width} px`).toEqual([]);
  }
}

async function standsColoursOfOnesOwn(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, contrast: "more" });
    const weak = await findFaults(page, ["color-contrast-enhanced"]);
    softly(weak, `more contrast, ${colorScheme}`).toEqual([]);
    await page.emulateMedia({ contrast: "no-preference", forcedColors: "active" });
    await expectMarked(page, `forced colours, ${colorScheme}`);
    await page.emulateMedia({ forcedColors: "none" });
  }
}

/** Forth by keys on a phone held sideways, where the header leaves, and back on an upright one, where it stays. */
export async function expectWayForKeys(page: Page): Promise<void> {
  await page.setViewportSize(heldSideways);
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  await expectAllReadable(page, "held sideways");
  const title = await page.locator("h1").first().boundingBox();
  softly((title?.y ?? 999) + (title?.height ?? 0), "the title's end").toBeLessThan(390);
  await page.locator("a").first().focus();
  await press(page, "Tab");
  await page.setViewportSize(phone);
  await press(page, "Shift+Tab");
}

/** Until the focus has left the page. */
async function press(page: Page, key: string): Promise<void> {
  const hidden: string[] = [];
  for (let step = 0; step < 400; step++) {
    await page.keyboard.press(key);
    const buried = await page.evaluate(looks.buriedFocus);
    if (buried) hidden.push(buried);
    if (await page.evaluate(() => document.activeElement === document.body)) {
      softly(hidden, `hidden from who presses ${key}`).toEqual([]);
      return;
    }
  }
  throw new Error(`The focus never leaves the page by ${key}`);
}

/** Nothing on the page waits for a script to be shown. */
export async function expectNothingHidden(page: Page, path: string): Promise<void> {
  await softly(page.getByRole("heading", { level: 1 }), path).toBeVisible();
  await softly(page.getByRole("contentinfo"), path).toBeVisible();
  softly(await page.evaluate(looks.hiddenContent), path).toEqual([]);
}

/** Opens everything that folds, and waits until every part has been laid out in its own letters. */
async function untilLaidOut(page: Page): Promise<void> {
  await page.evaluate(looks.unfold);
  await page.evaluate(() => document.fonts.ready.then(() => {}));
  await expect.poll(() => page.evaluate(looks.lateParts), "all laid out").toBe(0);
}

/** Every text is on the page as a whole: in the view, not cut, and not on top of another. */
async function expectAllReadable(page: Page, state: string): Promise<void> {
  softly(await page.evaluate(looks.sideways), `sideways ${state}`).toEqual([]);
  softly(await page.evaluate(looks.brokenTexts), `not whole ${state}`).toEqual([]);
  softly(await page.evaluate(looks.coveredTexts), `covered ${state}`).toEqual([]);
}

/** Makes text so many times its size, as a reader's own setting does, on this page and every one that follows. */
export async function enlargeText(page: Page, times: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const fontSizes = { standard: 16 * times, fixed: 13 * times };
  await session.send("Page.setFontSizes", { fontSizes });
}

/** Sets the spaces between letters, words, lines and paragraphs of WCAG 1.4.12, or takes them away. */
async function spaceText(page: Page, isSpaced: boolean): Promise<void> {
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
async function expectMarked(page: Page, state: string): Promise<void> {
  softly(await page.evaluate(looks.edgeless), `no edge ${state}`).toEqual([]);
  softly(await page.evaluate(looks.unmarked), `no mark ${state}`).toEqual([]);
  softly(await page.evaluate(looks.unseenFocus), `unseen focus ${state}`).toEqual([]);
}
