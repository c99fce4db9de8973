import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { paths } from "../../server/http/paths.ts";
import { readTheme } from "../../vite/theme.ts";
import { startMailServer } from "../faults/mail-server.fixture.ts";
import { campus, campusDir } from "../harness/campus.ts";
import { contrast, toHex } from "../harness/contrast.ts";
import { findFreePort } from "../harness/free-port.ts";
import { coveredTexts, sideways, unfold } from "../harness/looks.ts";
import { openTestSite } from "../harness/test-site.ts";
import { startEars } from "./ears.ts";
import * as looks from "./looks.ts";
import type { Colour, EngineName, Listener, Scheme, Tab } from "./tab.ts";
import { countTold, meant } from "./told.ts";

const phone = { width: 360, height: 640 };
const desktop = { width: 1280, height: 800 };

const words = campus.deletion;
const { nav } = campus.interface;
const address = "ayesha.rahman@uni.example";

/** Each kind of page once. */
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
/** Colours of drawings that no drawing has by night. */
const dayColours = new Set(
  Object.entries(theme.light)
    .filter(
      ([name, colour]) => name.startsWith("art-") && !Object.values(theme.dark).includes(colour),
    )
    .map(([, colour]) => colour),
);

/** How often each colour is among these, the most frequent first. */
function countColours(colours: Colour[]): [colour: string, share: number][] {
  const counts = new Map<string, number>();
  for (const colour of colours.map(toHex)) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  return [...counts]
    .map(([colour, count]) => [colour, count / colours.length] as [string, number])
    .toSorted(([, one], [, other]) => other - one);
}

/** As long as a page on a busy machine may need, in milliseconds. */
const timeout = 45_000;

/** The same promises for every engine, each kept in a browser of its own. */
export function everyEngine(
  name: EngineName,
  openTab: (scheme: Scheme) => Promise<Tab>,
  openListener: () => Promise<Listener>,
) {
  let tab: Tab;
  let site: Awaited<ReturnType<typeof openTestSite>>;
  let mail: Awaited<ReturnType<typeof startMailServer>>;
  const leftovers = new AsyncDisposableStack();
  const open = (path: string) => tab.open(site.publicUrl + path);

  beforeAll(async () => {
    mail = await startMailServer();
    leftovers.defer(() => mail.close());
    const port = await findFreePort();
    const publicUrl = name === "WebKit" ? `http://localhost:${port}` : undefined;
    site = leftovers.use(await openTestSite({ smtpUrl: mail.url, listen: true, publicUrl }));
    if (publicUrl) leftovers.use(await startEars(port, site.port));
  });
  afterAll(() => leftovers.disposeAsync());

  /** What is to be seen in the page, sooner or later. */
  const until = <Seen, Args extends unknown[]>(look: (...args: Args) => Seen, ...args: Args) =>
    expect.poll(() => tab.evaluate(look, ...args), { message: String(args), timeout });

  /** Opens a tab for the tests around and holds every page in it to silence. */
  function inTab(scheme: Scheme) {
    beforeAll(async () => {
      tab = await openTab(scheme);
    });
    afterEach(async () => {
      const complaints = await tab.complaints();
      // A page with an error status is news to some consoles.
      expect(complaints.filter((one) => !/status of (404|410|422)/.test(one))).toEqual([]);
    });
    afterAll(() => tab.close());
  }

  /** Presses the first element of a selector that has this text. */
  async function press(selector: string, text: string): Promise<void> {
    await until(looks.point, selector, text).toBe(true);
    await tab.click("[data-pointed-at]");
  }

  /** The text is on the page, in what is seen without scrolling, and not behind the header. */
  async function expectInFirstView(text: string): Promise<void> {
    await until(looks.placeOf, text).toBe("in the view");
  }

  async function fillAndSend(email: string): Promise<void> {
    await until(looks.hasIsland).toBe(true);
    await tab.click("#email");
    await tab.type(email);
    await tab.choose("#deletion-form select", "other");
    await tab.click("#deletion-form [type=checkbox]");
    await press("#deletion-form button", words.form.submit);
  }

  async function expectTitleReadable(): Promise<void> {
    const title = await tab.evaluate(looks.titleBox);
    const [ground = ["#000000"]] = countColours((await tab.look()).coloursIn(title.box));
    expect(contrast(title.colour, ground[0]), `${title.colour} on ${ground[0]}`).toBeGreaterThan(
      4.5,
    );
  }

  describe("by night", () => {
    inTab("dark");

    test.each(pages)("the title of %s can be read", async (path) => {
      for (const size of [phone, desktop]) {
        await tab.resize(size);
        await open(path);
        await expectTitleReadable();
      }
    });

    test.each(["/", "/blog?category=All"])("no drawing of %s has its day colours", async (path) => {
      await tab.resize(desktop);
      await open(path);
      const count = await tab.evaluate(looks.countDrawings);
      expect(count).toBeGreaterThan(3);
      for (let index = 0; index < count; index++) {
        const drawing = await tab.evaluate(looks.bringDrawing, index);
        const colours = countColours((await tab.look()).coloursIn(drawing.box));
        const day = colours.filter(([colour, share]) => share > 0.01 && dayColours.has(colour));
        expect(day, drawing.name).toEqual([]);
      }
    });
  });

  describe.each([
    ["a phone", phone],
    ["a desktop", desktop],
  ])("by day on %s", (_, size) => {
    inTab("light");
    beforeAll(() => tab.resize(size));

    test.each(pages)("%s can be read and fits", async (path) => {
      await open(path);
      await expectTitleReadable();
      await tab.evaluate(unfold);
      expect(await tab.evaluate(sideways), "wider than the view").toEqual([]);
      expect(await tab.evaluate(coveredTexts), "covered").toEqual([]);
    });
  });

  describe("what a student does on a phone", () => {
    inTab("light");
    beforeAll(() => tab.resize(phone));

    test("comes from a link to a category: its chip is whole at the first visit", async () => {
      const category = campus.settings.categories.at(-1) ?? "";
      await open(`${paths.blog}?${new URLSearchParams({ category })}`);
      await until(looks.chosenChip).toEqual({ text: category, whole: true });
    });

    test("chooses a category of the blog: its chip is whole, and the list follows", async () => {
      await open("/blog");
      for (const category of [...campus.settings.categories].reverse()) {
        await press("main nav a", category);
        await until(looks.chosenChip).toMatchObject({ text: category });
        await until(looks.chosenChip).toMatchObject({ whole: true });
      }
    });

    test("opens one question after another: one is open at a time, and none is left behind", async () => {
      await open("/faq");
      await tab.click("main details:nth-of-type(2) summary");
      await until(looks.openQuestions).toEqual([1]);
      await tab.click("main details:nth-of-type(5) summary");
      await until(looks.openQuestions).toEqual([4]);
      await tab.click("main details:nth-of-type(5) summary");
      await until(looks.openQuestions).toEqual([]);
    });

    test("opens the menu with a finger, walks on with keys, and Escape leads back", async () => {
      await open("/faq");
      await tab.click("header button");
      await until(looks.isMenuOpen).toBe(true);
      await tab.press("Tab");
      await until(looks.focused).toBe(nav.home);
      await tab.press("Tab");
      await until(looks.focused).toBe(nav.blog);
      await tab.press("Escape");
      await until(looks.isMenuOpen).toBe(false);
      expect(await tab.evaluate(looks.focusedTag)).toBe("BUTTON");
      await tab.press("Enter");
      await press("header nav a", nav.blog);
      await until(() => location.pathname).toBe("/blog");
    });

    test("asks for deletion, confirms by mail, sees the status and cancels", async () => {
      await open(paths.deletion);
      await fillAndSend("ayesha@localhost");
      await expectInFirstView(words.problems.summaryTitle);
      await open(paths.deletion);
      await fillAndSend(address);
      await expectInFirstView(words.success.title);

      await site.rounds.runOnce();
      const text = mail.received.findLast(({ to }) => to.includes(address))?.mail.text ?? "";
      await tab.open(/https?:\S+\?link=[\w-]+/.exec(text)?.[0] ?? "");
      await expectInFirstView(words.visit.confirm.title);
      await press("main button", words.visit.confirm.button);
      await expectInFirstView(words.visit.status.states.confirmed.label);
      await press("main a", words.visit.cancel.link);
      await expectInFirstView(words.visit.cancel.question);
      await press("main button", words.visit.cancel.yes);
      await expectInFirstView(words.visit.status.states.cancelled.label);
      expect((await site.stored()).map((one) => one.email)).toEqual([address]);
    });

    test("asks a second time: the form is empty and has the focus, and Cancel leads back", async () => {
      await open("/faq");
      await open(paths.deletion);
      await fillAndSend("second@uni.example");
      await expectInFirstView(words.success.title);
      await press("main a, main button", words.success.again);
      await until(looks.focusedTag).toBe("INPUT");
      await press("#deletion-form a, #deletion-form button", words.form.cancel);
      await until(() => location.pathname).toBe("/faq");
    });
  });

  describe("on a desktop", () => {
    inTab("light");
    beforeAll(() => tab.resize(desktop));

    test("the bike is on its road, whether or not it can travel there", async () => {
      for (const size of [phone, desktop]) {
        await tab.resize(size);
        await open(paths.landing);
        expect(await tab.evaluate(looks.bikesOnTheirRoad), `at ${size.width}`).toEqual([true]);
      }
    });

    test("the present page is marked in the header", async () => {
      await open("/faq");
      const { current, others } = await tab.evaluate(looks.headerLinks);
      const view = await tab.look();
      const coloursOf = (box: typeof current) =>
        countColours(view.coloursIn(box))
          .filter(([, share]) => share > 0.01)
          .map(([colour]) => colour);
      const usual = new Set(others.flatMap(coloursOf));
      expect(coloursOf(current).filter((colour) => !usual.has(colour))).not.toEqual([]);
    });

    test("nothing of the page shows above the header when it is scrolled", async () => {
      await open("/terms-conditions");
      const edge = async () => {
        const view = await tab.look();
        return new Set(view.coloursIn({ x: 0, y: 0, width: view.width, height: 1 }).map(toHex));
      };
      const atTop = await edge();
      for (const top of [333, 777.5, 1201.25]) {
        await tab.evaluate((to) => scrollTo({ top: to, behavior: "instant" }), top);
        expect((await edge()).difference(atTop), `at ${top}`).toEqual(new Set());
      }
    });
  });
  describe("what assistive technology is told", () => {
    let listener: Listener;
    beforeAll(async () => {
      listener = await openListener();
    });
    afterAll(() => listener.close());

    test.each(pages)("every list, title, link, button and picture of %s, by name", async (path) => {
      await listener.open(site.publicUrl + path);
      const expected = countTold(await listener.evaluate(meant));
      expect(Object.keys(expected).length).toBeGreaterThan(10);
      expect(Object.keys(expected).filter((key) => /^(heading|link|button) $/.test(key))).toEqual(
        [],
      );
      expect(countTold(await listener.told())).toEqual(expected);
    });

    // WebKit's driver tells role and name only.
    test.skipIf(name === "WebKit")("which texts are read out when they change", async () => {
      // An alert is urgent by its role; Firefox says no more about it than that.
      const liveTexts = async () =>
        (await listener.told())
          .filter(({ role, live }) => role === "alert" || live)
          .map(({ role, live }) => (role === "alert" ? role : `${role} ${live}`))
          .toSorted();
      await listener.open(site.publicUrl + paths.deletion);
      expect(await liveTexts()).toEqual(["status polite"]);
      await listener.evaluate(looks.sendWrongAddress);
      await expect.poll(liveTexts, { timeout }).toEqual(["alert", "status polite"]);
    });
  });
}
