import { join } from "node:path";
import { wcagContrast } from "culori";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { paths } from "../../server/platform/http/paths.ts";
import { readTheme } from "../../vite/theme.ts";
import { campus, campusDir } from "../harness/campus.ts";
import { findFreePort } from "../harness/free-port.ts";
import { coveredTexts, sideways, unfold } from "../harness/in-page.ts";
import { openSiteWithMail, type SiteWithMail } from "../harness/site-with-mail.ts";
import * as probes from "./in-page.ts";
import { startErrorProxy } from "./page-errors.ts";
import { type Box, createTab, type Driver, type Scheme, type Tab } from "./tab.ts";

/** Formats three channel values from 0 to 255 as `#rrggbb`. */
function toHex(colour: readonly number[]): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

const phone = { width: 360, height: 640 };
const desktop = { width: 1280, height: 800 };

const words = campus.deletion;
const { nav } = campus.interface;
const address = "ayesha.rahman@uni.example";

/** One page of each kind. */
const pages = [
  "/",
  "/blog",
  "/blog?category=All",
  "/blog?category=Cricket",
  `/blog/${campus.posts[0]?.id}`,
  "/faq",
  "/privacy-policy",
  "/terms-conditions",
  "/delete-my-account",
  "/delete-my-account?link=unknown",
  "/nowhere",
];

const theme = readTheme(join(campusDir, "theme.css"));
/** Colors that drawings use only in the light scheme. */
const dayColours = new Set(
  Object.entries(theme.light)
    .filter(
      ([name, colour]) => name.startsWith("art-") && !Object.values(theme.dark).includes(colour),
    )
    .map(([, colour]) => colour),
);

/** Timeout for a page on a busy machine, in milliseconds. */
const timeout = 45_000;

/**
 * Tests behavior that may differ between browser engines. Each group of tests opens its own
 * browser. `npm test` covers Chromium.
 */
export function everyEngine(start: (scheme: Scheme) => Promise<Driver>) {
  let tab: Tab;
  let story: SiteWithMail;
  let publicUrl: string;
  const leftovers = new AsyncDisposableStack();
  const open = (path: string) => tab.open(publicUrl + path);

  beforeAll(async () => {
    const port = await findFreePort();
    publicUrl = `http://localhost:${port}`;
    story = leftovers.use(await openSiteWithMail({ publicUrl }));
    leftovers.use(await startErrorProxy(port, story.site.port));
  });
  afterAll(() => leftovers.disposeAsync());

  /** Polls the page until an expectation is met. */
  const until = <Seen, Args extends unknown[]>(probe: (...args: Args) => Seen, ...args: Args) =>
    expect.poll(() => tab.evaluate(probe, ...args), { message: String(args), timeout });

  /** Opens a tab for the enclosing tests, and fails them if a page logs an error or a warning. */
  function inTab(scheme: Scheme, size = phone) {
    beforeAll(async () => {
      tab = createTab(await start(scheme));
    });
    beforeEach(() => tab.resize(size));
    afterEach(async () => expect(await tab.pageErrors()).toEqual([]));
    afterAll(() => tab.close());
  }

  async function press(selector: string, text: string): Promise<void> {
    await until(probes.point, selector, text).toBe(true);
    await tab.click("[data-pointed-at]");
  }

  /** Expects the text to be visible without scrolling and not covered by the header. */
  async function expectInFirstView(text: string): Promise<void> {
    await until(probes.placeOf, text).toBe("in the view");
  }

  async function fillAndSend(email: string): Promise<void> {
    await open(paths.deletion);
    await until(probes.hasIsland).toBe(true);
    await tab.click("#email");
    await tab.type(email);
    await tab.choose("#deletion-form select", "other");
    await tab.click("#deletion-form [type=checkbox]");
    await press("#deletion-form button", words.form.submit);
  }

  /**
   * Returns a region's colors, most frequent first, except colors that cover less than 1% of it.
   */
  async function coloursIn(box: Box): Promise<string[]> {
    const colours = (await tab.coloursIn(box)).map(toHex);
    return [...Map.groupBy(colours, (colour) => colour)]
      .filter(([, pixels]) => pixels.length > colours.length / 100)
      .toSorted(([, a], [, b]) => b.length - a.length)
      .map(([colour]) => colour);
  }

  describe.each(["light", "dark"] as const)("in the %s color scheme", (scheme) => {
    inTab(scheme);

    test.each(pages)("%s is readable and fits on a phone and a desktop", async (path) => {
      for (const size of [phone, desktop]) {
        await tab.resize(size);
        await open(path);
        const { colour, box } = await tab.evaluate(probes.titleBox);
        const [ground = "#000000"] = await coloursIn(box);
        expect(wcagContrast(colour, ground), `${colour} on ${ground}`).toBeGreaterThan(4.5);
        await tab.evaluate(unfold);
        expect(await tab.evaluate(sideways), "wider than the view").toEqual([]);
        expect(await tab.evaluate(coveredTexts), "covered").toEqual([]);
      }
    });
  });

  describe("in the dark color scheme", () => {
    inTab("dark", desktop);

    test.each(["/", "/blog?category=All"])(
      "drawings on %s use no light-scheme colors",
      async (path) => {
        await open(path);
        const count = await tab.evaluate(probes.countDrawings);
        expect(count).toBeGreaterThan(3);
        for (let index = 0; index < count; index++) {
          const drawing = await tab.evaluate(probes.bringDrawing, index);
          const colours = await coloursIn(drawing.box);
          expect(
            colours.filter((colour) => dayColours.has(colour)),
            drawing.name,
          ).toEqual([]);
        }
      },
    );
  });

  describe("a student on a phone", () => {
    inTab("light");

    test("scrolls the chip of a selected blog category fully into view", async () => {
      const categories = campus.settings.categories.toReversed();
      await open(`${paths.blog}?${new URLSearchParams({ category: categories[0] ?? "" })}`);
      for (const category of categories) {
        await until(probes.chosenChip).toEqual({ text: category, whole: true });
        await press("main nav a", categories[categories.indexOf(category) + 1] ?? category);
      }
    });

    test("opens at most one FAQ question at a time", async () => {
      await open("/faq");
      for (const [pressed, isOpen] of [
        [2, [1]],
        [5, [4]],
        [5, []],
      ] as const) {
        await tab.click(`main details:nth-of-type(${pressed}) summary`);
        await until(probes.openQuestions).toEqual(isOpen);
      }
    });

    test("operates the menu by touch and keyboard", async () => {
      await open("/faq");
      await tab.click("header button");
      await until(probes.isMenuOpen).toBe(true);
      for (const name of [nav.home, nav.blog]) {
        await tab.press("Tab");
        await until(probes.focused).toBe(name);
      }
      await tab.press("Escape");
      await until(probes.isMenuOpen).toBe(false);
      expect(await tab.evaluate(probes.focusedTag)).toBe("BUTTON");
      await tab.press("Enter");
      await press("header nav a", nav.blog);
      await until(() => location.pathname).toBe("/blog");
    });

    test("requests, confirms and cancels a deletion", async () => {
      await fillAndSend("ayesha@localhost");
      await expectInFirstView(words.problems.summaryTitle);
      await fillAndSend(address);
      await expectInFirstView(words.success.title);
      await open(await story.linkTo(address));
      await expectInFirstView(words.visit.confirm.title);
      await press("main button", words.visit.confirm.button);
      await expectInFirstView(campus.mail.confirmed.title);
      await press("main a", words.visit.cancel.link);
      await expectInFirstView(words.visit.cancel.question);
      await press("main button", words.visit.cancel.yes);
      await expectInFirstView(words.visit.status.states.cancelled.title);
    });
  });

  describe("on a desktop", () => {
    inTab("light", desktop);

    test.each([desktop, phone])(
      "draws the bike on its road at a width of $width px",
      async (size) => {
        await tab.resize(size);
        await open(paths.landing);
        expect(await tab.evaluate(probes.findBikesOnRoad)).toEqual([true]);
      },
    );

    test("shows no content above the header after scrolling", async () => {
      await open("/terms-conditions");
      const edge = async () => {
        const pixels = await tab.coloursIn({ x: 0, y: 0, width: desktop.width, height: 1 });
        return new Set(pixels.map(toHex));
      };
      const atTop = await edge();
      for (const top of [333, 777.5, 1201.25]) {
        await tab.evaluate((to) => scrollTo({ top: to, behavior: "instant" }), top);
        expect((await edge()).difference(atTop), `at ${top}`).toEqual(new Set());
      }
    });

    // Some engines drop the list role from lists without markers.
    test.each(pages)("exposes every list on %s to assistive technology", async (path) => {
      await open(path);
      await tab.evaluate(unfold);
      const lists = ":is(ul, ol):not([aria-hidden=true] *)";
      for (const [selector, role] of [
        [lists, "list"],
        [`${lists} > li`, "listitem"],
      ] as const) {
        const count = await tab.evaluate(probes.count, selector);
        expect(count).toBeGreaterThan(1);
        expect(await tab.countWithRole(selector, role), role).toBe(count);
      }
    });
  });
}
