import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { paths } from "../../server/platform/http/paths.ts";
import { readTheme } from "../../vite/theme.ts";
import { findFaults } from "../harness/axe.ts";
import { campus, campusDir, distinctPaths } from "../harness/campus.ts";
import { findFreePort } from "../harness/free-port.ts";
import { coveredTexts, sideways, unfold } from "../harness/in-page.ts";
import { openSiteWithMail, type SiteWithMail } from "../harness/site-with-mail.ts";
import { Key, type startFirefox, type startWebKit } from "./drivers.mjs";
import * as probes from "./in-page.ts";
import { serveWithRecorder } from "./page-errors.ts";

const phone = { width: 360, height: 640 };
const desktop = { width: 1280, height: 800 };

const words = campus.deletion;
const { nav } = campus.interface;
const theme = readTheme(join(campusDir, "theme.css"));

/**
 * Tests behavior that may differ between browser engines, in both color schemes. `npm test` covers
 * Chromium.
 */
export function everyEngine(start: typeof startFirefox | typeof startWebKit) {
  let tab: Awaited<ReturnType<typeof start>>;
  let story: SiteWithMail;
  let publicUrl: string;

  beforeAll(async () => {
    const port = await findFreePort();
    publicUrl = `http://localhost:${port}`;
    story = await openSiteWithMail({ publicUrl });
    const server = serveWithRecorder(story.site, port);
    return async () => {
      server.close();
      await story[Symbol.asyncDispose]();
    };
  });

  const open = (path: string) => tab.open(publicUrl + path);

  /** Clicks the first element that matches an XPath and has this text. */
  const press = (xpath: string, text: string) => tab.click(`${xpath}[normalize-space()="${text}"]`);

  /** Polls the page until an expectation is met. */
  const until = <Args extends unknown[]>(probe: (...args: Args) => unknown, ...args: Args) =>
    expect.poll(() => tab.evaluate(probe, ...args), { message: String(args) });

  /** Returns the color of each pixel of the view as `#rrggbb`, row by row. */
  async function pixels(): Promise<string[]> {
    const bytes = await sharp(await tab.takeScreenshot())
      .removeAlpha()
      .raw()
      .toBuffer();
    return (bytes.toString("hex").match(/.{6}/g) ?? []).map((colour) => `#${colour}`);
  }

  describe.each([
    ["light", "dark"],
    ["dark", "light"],
  ] as const)("in the %s color scheme", (scheme, otherScheme) => {
    beforeAll(async () => {
      tab = await start(scheme);
      return () => tab.close();
    });
    beforeEach(() => tab.resize(phone));
    // Fails if the last page logged an error or a warning.
    afterEach(() => until(() => (window as { pageErrors?: string[] }).pageErrors).toEqual([]));

    test.each(distinctPaths)("%s is readable and fits on a phone and a desktop", async (path) => {
      for (const size of [phone, desktop]) {
        await tab.resize(size);
        await open(path);
        await tab.evaluate(unfold);
        await expect.poll(() => findFaults(tab, ["color-contrast"])).toEqual([]);
        expect(await tab.evaluate(sideways), "wider than the view").toEqual([]);
        expect(await tab.evaluate(coveredTexts), "covered").toEqual([]);
      }
    });

    test.each([paths.landing, "/blog?category=All"])(
      "drawings on %s use only the scheme's colors",
      async (path) => {
        await tab.resize(desktop);
        await open(path);
        expect(await tab.evaluate(probes.showDrawings)).toBeGreaterThan(3);
        const allowed = new Set(Object.values(theme[scheme]));
        const unwanted = new Set(Object.values(theme[otherScheme])).difference(allowed);
        const found = (await pixels()).filter((colour) => unwanted.has(colour));
        // The edges of shapes blend colors, which may match one of these by chance.
        expect(found.length).toBeLessThan(50);
      },
    );

    test("scrolls the chip of a selected blog category fully into view", async () => {
      const categories = campus.settings.categories.toReversed();
      await open(`${paths.blog}?${new URLSearchParams({ category: categories[0] ?? "" })}`);
      for (const category of categories) {
        await until(probes.chosenChip).toEqual({ text: category, whole: true });
        await press("//main//nav//a", categories[categories.indexOf(category) + 1] ?? category);
      }
    });

    test("opens at most one FAQ question at a time", async () => {
      await open("/faq");
      for (const [pressed, isOpen] of [
        [2, [2]],
        [5, [5]],
        [5, []],
      ] as const) {
        await tab.click(`(//main//summary)[${pressed}]`);
        await until(probes.openQuestions).toEqual(isOpen);
      }
    });

    test("operates the menu by touch and keyboard", async () => {
      const isOpen = () => document.querySelector("header nav")?.checkVisibility();
      await open("/faq");
      await tab.click("//header//button");
      await until(isOpen).toBe(true);
      for (const name of [nav.home, nav.blog]) {
        await tab.type(Key.TAB);
        await until(() => document.activeElement?.textContent?.trim()).toBe(name);
      }
      await tab.type(Key.ESCAPE);
      await until(isOpen).toBe(false);
      await tab.type(Key.ENTER);
      await press("//header//nav//a", nav.blog);
      await until(() => location.pathname).toBe("/blog");
    });

    test("requests, confirms and cancels a deletion", async () => {
      const expectInView = (text: string) => until(probes.isInView, text).toBe(true);
      const address = `${scheme}@uni.example`;
      for (const [email, title] of [
        [`${scheme}@localhost`, words.problems.summaryTitle],
        [address, words.success.title],
      ] as const) {
        await open(paths.deletion);
        await tab.click(`//form[@data-ready]//*[@id="email"]`);
        const reason = words.form.reasons.other;
        // Skips the link after the email address and the optional feedback.
        await tab.type([email, Key.TAB, Key.TAB, reason, Key.TAB, Key.TAB, Key.SPACE].join(""));
        await press("//form//button//*", words.form.submit);
        await expectInView(title);
      }
      await open(await story.linkTo(address));
      await expectInView(words.visit.confirm.title);
      await press("//main//button", words.visit.confirm.button);
      await expectInView(campus.mail.confirmed.title);
      await press("//main//a", words.visit.cancel.link);
      await expectInView(words.visit.cancel.question);
      await press("//main//button", words.visit.cancel.yes);
      await expectInView(words.visit.status.states.cancelled.title);
    });

    test.each([desktop, phone])(
      "draws the bike on its road at a width of $width px",
      async (size) => {
        await tab.resize(size);
        await open(paths.landing);
        await until(probes.findBikesOnRoad).toEqual([true]);
      },
    );

    test("shows no content above the header after scrolling", async () => {
      await open("/terms-conditions");
      const edge = async () => new Set((await pixels()).slice(0, phone.width));
      const atTop = await edge();
      for (const top of [333, 777.5, 1201.25]) {
        await tab.evaluate((to: number) => scrollTo({ top: to, behavior: "instant" }), top);
        expect((await edge()).difference(atTop), `at ${top}`).toEqual(new Set());
      }
    });

    // Some engines drop the list role from lists without markers.
    test.each(distinctPaths)("exposes every list on %s to assistive technology", async (path) => {
      await tab.resize(desktop);
      await open(path);
      await tab.evaluate(unfold);
      const lists = ":is(ul, ol):not([aria-hidden=true] *)";
      for (const [role, selector] of [
        ["list", lists],
        ["listitem", `${lists} > li`],
      ] as const) {
        const count = await tab.evaluate(
          (wanted: string) => document.querySelectorAll(wanted).length,
          selector,
        );
        expect(await tab.countRole(role, selector), role).toBe(count);
      }
    });
  });
}
