import type { ViewportSize } from "@playwright/test";
import { findFaults } from "./axe.ts";
import { expect, type Page, untilShown } from "./browser.ts";
import { setBodyFont } from "./faces.ts";
import * as probes from "./in-page.ts";

// Checks that every page must pass. Each page is loaded once; width, color scheme and text size
// then change as rarely as possible. Soft assertions report every fault in one run.

/**
 * Whether this is `npm run test:deep -- states`. A deep run checks every page at every width and
 * runs all axe rules in both color schemes.
 */
export const isDeep = Boolean(process.env.DEEP);

export const softly = expect.configure({ soft: true });

const small = { width: 320, height: 640 };
const phone = { width: 360, height: 640 };
const landscape = { width: 844, height: 390 };
const tablet = { width: 768, height: 1024 };
const desktop = { width: 1280, height: 800 };

/**
 * The smallest phone, a common phone, a tablet, two widths from which pages gain columns, and a
 * desktop. A deep run adds the widths between and beyond these.
 */
const sizes = [
  ...[small, phone, tablet, { width: 960, height: 800 }, { width: 1024, height: 800 }, desktop],
  ...(isDeep ? [412, 480, 600, 844, 1120, 1440, 1920] : []).map((width) => ({
    width,
    height: 800,
  })),
];

/**
 * axe rules to repeat in the dark scheme, where only colors differ. A deep run repeats all rules.
 */
export const ofColours = isDeep ? undefined : ["color-contrast", "link-in-text-block"];

/** A page to check, and the checks to run in addition to those for every page. */
export type Visit = {
  page: Page;
  name: string;
  /** Whether all text must stay readable at 200% even on the smallest phones. */
  isReadable?: boolean;
  /** Whether titles and buttons must not break words at any text size. */
  hasWholeWords?: boolean;
  /**
   * Whether to check the dark scheme as well. Only the campus's colors affect the result, so one
   * language is enough.
   */
  isNightly?: boolean;
  /**
   * Whether to check custom fonts, spacing and colors as well. Only code affects the result, so one
   * language of one campus is enough.
   */
  isWhole?: boolean;
  /** Whether to double the root font size as well. `isWhole` implies this. */
  isEnlarged?: boolean;
};

/** Expects that a check reports no faults. */
async function expectNone(
  { page, name }: Visit,
  probe: () => string[],
  what: string,
): Promise<void> {
  softly(await page.evaluate(probe), `${name}: ${what}`).toEqual([]);
}

/**
 * Opens a page whose fonts arrive after the first paint, which is the worst case for layout shift.
 */
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
  softly(
    await page.evaluate(probes.shifted, { onceMarked: true }),
    "layout shift while the fonts load",
  ).toBeLessThan(0.1);
  await page.unroute("**/*.woff2");
}

/** Opens a page as a new visitor sees it, but with a warm browser cache. */
export async function openAnew(page: Page, address: string): Promise<void> {
  await page.setViewportSize(desktop);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto(address);
}

export async function expectGoodStart(visit: Visit, language: string): Promise<void> {
  const { page, name } = visit;
  await softly(page.locator("html"), name).toHaveAttribute("lang", language);
  await expectNone(visit, probes.endless, "animations longer than five seconds");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(probes.unfold);
  await untilLaidOut(page);
  await expectNone(visit, probes.moving, "animations despite reduced motion");
}

/** Checks the page at every width, then with text at 200%. */
export async function expectToFitEveryWidth(visit: Visit): Promise<void> {
  const { page, isReadable, hasWholeWords, isWhole, isEnlarged } = visit;
  for (const size of sizes) {
    await page.setViewportSize(size);
    await expectNone(visit, probes.sideways, `sideways at ${size.width} px`);
    if (size === phone || (isDeep && size === desktop)) await expectSound(visit, size, "light");
    if (visit.isNightly && size === desktop) await expectSound(visit, size, "dark", ofColours);
    if (visit.isNightly && isDeep && size === phone) await expectSound(visit, size, "dark");
    if (isWhole) await expectToFitUserSettings(visit, size);
  }
  await enlargeText(page, 2);
  for (const size of [small, phone, tablet]) {
    const what = `with text at 200% at ${size.width} px`;
    await page.setViewportSize(size);
    await expectNone(visit, probes.sideways, what);
    if (size === tablet) continue;
    if (isReadable) await expectAllReadable(visit, what);
    if (hasWholeWords) await expectNone(visit, probes.brokenWords, what);
  }
  await enlargeText(page, 1);
  if (isWhole || isEnlarged) await expectToFitDoubledRoot(visit);
}

/**
 * Doubles the root font size, as user stylesheets do. Unlike the browser's text size setting, this
 * doesn't affect media queries.
 */
async function expectToFitDoubledRoot(visit: Visit): Promise<void> {
  await adoptStyles(visit.page, "html { font-size: 200% }");
  for (const size of [phone, desktop]) {
    await visit.page.setViewportSize(size);
    const state = `with a doubled root font size at ${size.width} px`;
    await expectNone(visit, probes.sideways, `sideways ${state}`);
    await expectAllReadable(visit, state);
  }
  await adoptStyles(visit.page, "");
}

async function expectSound(
  { page, name }: Visit,
  { width }: ViewportSize,
  colorScheme: "light" | "dark",
  rules?: string[],
): Promise<void> {
  await page.emulateMedia({ colorScheme });
  softly(await findFaults(page, rules), `${name}: axe, ${width} px, ${colorScheme}`).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
}

/** Checks the page with other fonts and with the user's spacing and colors. */
async function expectToFitUserSettings(visit: Visit, size: ViewportSize): Promise<void> {
  const at = `at ${size.width} px`;
  await setBodyFont(visit.page, "narrow");
  await expectNone(visit, probes.sideways, `sideways in a narrow font ${at}`);
  await setBodyFont(visit.page, "wide");
  if (size === phone || size === desktop) await expectUsableTargets(visit, at);
  if (size === small || size === desktop) await expectToFitSpacedText(visit, at);
  if (size === desktop) await expectHighContrast(visit);
}

async function expectToFitSpacedText(visit: Visit, at: string): Promise<void> {
  await spaceText(visit.page, "wide");
  await expectAllReadable(visit, `spaced ${at}`);
  await expectNone(visit, probes.brokenWords, `spaced ${at}`);
  await spaceText(visit.page, "normal");
}

async function expectUsableTargets(visit: Visit, at: string): Promise<void> {
  await expectNone(visit, probes.smallTargets, `small targets ${at}`);
  // The browser shows the focus ring only after a key press.
  await visit.page.keyboard.press("Tab");
  await expectNone(visit, probes.unseenFocus, `no focus ring ${at}`);
}

async function expectHighContrast(visit: Visit): Promise<void> {
  const { page, name } = visit;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, contrast: "more" });
    const weak = await findFaults(page, ["color-contrast-enhanced"]);
    softly(weak, `${name}: more contrast, ${colorScheme}`).toEqual([]);
    await page.emulateMedia({ contrast: "no-preference", forcedColors: "active" });
    // In forced colors, controls need an edge or an underline. The link to the current page and the
    // focused element need a visible marker.
    await expectNone(visit, probes.edgeless, `no edge in forced colors, ${colorScheme}`);
    await expectNone(visit, probes.unmarked, `no marker in forced colors, ${colorScheme}`);
    await expectNone(visit, probes.unseenFocus, `no focus ring in forced colors, ${colorScheme}`);
    await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
  }
}

/**
 * Tabs forward in landscape, where the header scrolls with the page, and backward in portrait,
 * where the header is fixed.
 */
export async function expectWayForKeys(visit: Visit): Promise<void> {
  const { page, name } = visit;
  await page.setViewportSize(landscape);
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  await expectAllReadable(visit, "held sideways");
  const title = await page.locator("h1").first().boundingBox();
  const end = (title?.y ?? 999) + (title?.height ?? 0);
  softly(end, `${name}: bottom of the title`).toBeLessThan(390);
  await page.locator("a").first().focus();
  await traverseByTab(visit, "forward");
  await page.setViewportSize(phone);
  await page.keyboard.down("Shift");
  await traverseByTab(visit, "backward");
  await page.keyboard.up("Shift");
}

async function traverseByTab({ page, name }: Visit, way: string): Promise<void> {
  const atOnce = 10;
  const focusRecord = await page.evaluateHandle(probes.followFocus);
  for (let presses = 0; presses < 400; presses += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, () => page.keyboard.press("Tab")));
    const { hidden, hasLeft } = await focusRecord.jsonValue();
    if (!hasLeft) continue;
    softly(hidden, `${name}: focus hidden when tabbing ${way}`).toEqual([]);
    return;
  }
  throw new Error(`${name}: tabbing ${way} never leaves the page`);
}

/** Expects all content to be visible without scripts. */
export async function expectNothingHidden(page: Page, name: string): Promise<void> {
  await softly(page.getByRole("heading", { level: 1 }), name).toBeVisible();
  await softly(page.getByRole("contentinfo"), name).toBeVisible();
  await expectNone({ page, name }, probes.hiddenContent, "hidden");
}

/** Waits until the fonts have loaded and every part of the page has a layout. */
export async function untilLaidOut(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => {}));
  const lateParts = () => page.evaluate(probes.lateParts);
  await expect.poll(lateParts, { message: "all laid out", intervals: [25] }).toBe(0);
}

/** Expects all text to be inside the viewport, uncut, and not covered by other text or images. */
async function expectAllReadable(visit: Visit, state: string): Promise<void> {
  await expectNone(visit, probes.sideways, `sideways ${state}`);
  await expectNone(visit, probes.brokenTexts, `cut off ${state}`);
  await expectNone(visit, probes.coveredTexts, `covered ${state}`);
}

/**
 * Scales text by a factor, as the browser's text size setting does. Applies to later pages as well.
 */
export async function enlargeText(page: Page, times: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const fontSizes = { standard: 16 * times, fixed: 13 * times };
  await session.send("Page.setFontSizes", { fontSizes });
}

/** Applies or resets the text spacing from WCAG 1.4.12. */
async function spaceText(page: Page, spacing: "wide" | "normal"): Promise<void> {
  const spaced = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
       p { margin-bottom: 2em !important }`;
  await adoptStyles(page, spacing === "wide" ? spaced : "");
}

/** Replaces the simulated user stylesheet. */
async function adoptStyles(page: Page, css: string): Promise<void> {
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
  }, css);
}
