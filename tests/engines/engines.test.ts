import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { paths } from "../../server/platform/http/paths.ts";
import { campus, distinctPaths } from "../harness/campus.ts";
import { coveredTexts, sideways, unfold } from "../harness/in-page.ts";
import { openSiteWithMail, type SiteWithMail } from "../harness/site-with-mail.ts";
import { Key, startFirefox, startWebKit } from "./drivers.mjs";
import * as probes from "./in-page.ts";

const phone = { width: 360, height: 640 };
const desktop = { width: 1280, height: 800 };

const words = campus.deletion;
const { nav } = campus.interface;

// Tests behavior that may differ between browser engines. `npm test` covers Chromium.
describe.each([
  ["Firefox", startFirefox],
  ["WebKit", startWebKit],
] as const)("%s", (_name, start) => {
  let tab: Awaited<ReturnType<typeof start>>;
  let story: SiteWithMail;

  beforeAll(async () => {
    story = await openSiteWithMail();
    tab = await start();
    return async () => {
      await tab.close();
      await story[Symbol.asyncDispose]();
    };
  });
  beforeEach(() => tab.resize(phone));

  const open = (path: string) => tab.open(story.site.publicUrl + path);

  /** Clicks the first element that matches an XPath and has this text. */
  const press = (xpath: string, text: string) => tab.click(`${xpath}[normalize-space()="${text}"]`);

  /** Polls the page until an expectation is met. */
  const until = <Args extends unknown[]>(probe: (...args: Args) => unknown, ...args: Args) =>
    expect.poll(() => tab.evaluate(probe, ...args), { message: String(args) });

  test.each(distinctPaths)("%s fits every screen and exposes its lists", async (path) => {
    for (const size of [phone, desktop]) {
      await tab.resize(size);
      await open(path);
      await tab.evaluate(unfold);
      expect(await tab.evaluate(sideways), "wider than the view").toEqual([]);
      expect(await tab.evaluate(coveredTexts), "covered").toEqual([]);
    }
    // Some engines drop the list role from lists without markers.
    const lists = ":is(ul, ol):not([aria-hidden=true] *)";
    const count = await tab.evaluate((all: string) => document.querySelectorAll(all).length, lists);
    expect(await tab.countRole("list", lists), "lists for assistive technology").toBe(count);
  });

  test("draws pictures in other colors for the dark scheme", async () => {
    await open("/blog?category=All");
    const [light, dark] = await tab.evaluate(probes.drawInBothSchemes);
    expect(dark).not.toBe(light);
  });

  test("scrolls the chip of a selected blog category fully into view", async () => {
    await open("/blog?category=All");
    for (const category of campus.settings.categories.toReversed()) {
      await press("//main//nav//a", category);
      await until(probes.isInView, category, "nav [aria-current]").toBe(true);
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
    const address = "student@uni.example";
    for (const [email, title] of [
      ["student@localhost", words.problems.summaryTitle],
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

  test.each([desktop, phone])("draws the bike on its road at $width px", async (size) => {
    await tab.resize(size);
    await open(paths.landing);
    await until(probes.findBikesOnRoad).toEqual([true]);
  });
});
