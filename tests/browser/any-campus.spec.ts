import { join } from "node:path";
import { dateAt } from "../../server/calendar/business-days.ts";
import { completionOf } from "../../server/deletion-requests/checklist.ts";
import { createDesk } from "../../server/deletion-requests/desk.ts";
import { paths } from "../../server/http/paths.ts";
import { inLanguage } from "../../server/language/in-language.ts";
import { desktop, expect, expectAccessible, phone, statusLine, test } from "../harness/browser.ts";
import {
  calendar,
  campus,
  campusDir,
  dataList,
  pagePaths,
  postPaths,
  root,
} from "../harness/campus.ts";
import { deletionStates, walkDeletion } from "../harness/deletion-walk.ts";
import * as looks from "../harness/looks.ts";
import { measureOnPhone, phoneLengths, roomForWords } from "../harness/phone-lengths.ts";
import { openSiteWithMail } from "../harness/site-with-mail.ts";

const softly = expect.configure({ soft: true });

// What a browser must find on any campus, in every language: the first campus's own first language is looked at by all
// the other files here.

const isFirst = campusDir === join(root, "campus");
const spoken = [
  ...(isFirst ? [] : [{ words: campus, to: (path: string) => path }]),
  ...campus.translations.map((words) => ({
    words,
    to: (path: string) => inLanguage(path, words.settings.language),
  })),
];

test.beforeEach(async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
});

for (const { words, to } of spoken) {
  const { language } = words.settings;

  test(`on a phone no page in ${language} is more than a tenth longer than it is meant to be`, async ({
    page,
  }) => {
    const lengths = await measureOnPhone(page, to);
    expect.soft(lengths.landing).toBeLessThanOrEqual(phoneLengths.landing * roomForWords);
    expect.soft(lengths.formBegins).toBeLessThanOrEqual(phoneLengths.formBegins * roomForWords);
    // The first campus's fifteen posts are what the list's length is meant for.
    if (postPaths.length > 15) return;
    expect.soft(lengths.allPosts).toBeLessThanOrEqual(phoneLengths.allPosts * roomForWords);
  });

  test(`on paper no drawing lies over the words of the landing page in ${language}`, async ({
    page,
  }) => {
    await page.goto(to(paths.landing));
    await page.emulateMedia({ media: "print" });
    const vehicle = page.getByRole("img", { name: words.landing.hero.pictureAlt });
    const services = page.locator("#services");
    await expect
      .poll(async () => {
        const [picture, next] = [await vehicle.boundingBox(), await services.boundingBox()];
        return picture && next && picture.y + picture.height <= next.y;
      })
      .toBe(true);
  });

  for (const path of [...pagePaths, "/nowhere"]) {
    test(`${path} in ${language} fits at 320 px and with text of twice the size, and axe finds nothing`, async ({
      page,
      noise,
    }) => {
      if (path === "/nowhere") noise.expect(statusLine(404));
      await page.setViewportSize({ width: 320, height: 640 });
      await page.goto(to(path));
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await page.evaluate(looks.unfold);
      await expect.poll(() => page.evaluate(looks.lateParts)).toBe(0);
      expect.soft(await page.evaluate(looks.sideways), "at 320 px").toEqual([]);
      const session = await page.context().newCDPSession(page);
      await session.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
      // The styles for so few words a line come when they are wanted.
      const sideways = () => page.evaluate(looks.sideways);
      await softly.poll(sideways, "of twice the size at 320 px").toEqual([]);
      await page.setViewportSize({ width: 768, height: 1024 });
      await softly.poll(sideways, "of twice the size").toEqual([]);
      await session.send("Page.setFontSizes", { fontSizes: { standard: 16, fixed: 13 } });
      // Posts differ in their words alone.
      const schemes = postPaths.slice(1).includes(path)
        ? ([[phone, "dark"]] as const)
        : ([
            [phone, "light"],
            [desktop, "dark"],
          ] as const);
      for (const [viewport, colorScheme] of schemes) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await expectAccessible(page, `(${viewport.width} px, ${colorScheme})`);
      }
    });
  }

  test(`from the form to the receipt in ${language}`, async ({ page }) => {
    await using story = await openSiteWithMail({}, page);
    const { site, mail } = story;
    const address = "ayesha.rahman@uni.example";
    const { form, success, visit } = words.deletion;
    const newest = async () => {
      await site.rounds.runOnce();
      return mail.received.findLast(({ to }) => to.includes(address))?.mail;
    };
    const linkIn = (text = "") =>
      /https?:\/\/\S*\/delete-my-account\?\S*link=[\w-]+\S*/.exec(text)?.[0] ?? "";
    const fits = async () => {
      expect(await page.evaluate(looks.sideways)).toEqual([]);
      await expectAccessible(page);
    };

    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(site.publicUrl + to(paths.deletion));
    await page.getByLabel(form.emailLabel).fill(address);
    await page.getByLabel(form.reasonLabel).selectOption(form.reasons.other);
    await page.getByLabel(form.confirmLabel).check();
    await page.getByRole("button", { name: form.submit }).click();
    await expect(page.getByRole("heading", { name: success.title })).toBeVisible();
    await fits();

    const asked = await newest();
    expect(asked?.text).toContain(words.mail.confirm.title);
    await page.goto(linkIn(asked?.text));
    await page.getByRole("button", { name: visit.confirm.button }).click();
    const { states } = visit.status;
    await expect(page.getByText(states.confirmed.text)).toBeVisible();
    await fits();

    const desk = createDesk(site.foundation);
    const reference = (await site.stored()).at(-1)?.reference ?? "";
    await desk.report(reference, { type: "take" });
    const on = dateAt(calendar, site.clock());
    const completion = completionOf(dataList, { accounts: ["User"] }, on);
    await desk.report(reference, { type: "complete", completion });
    const receipt = await newest();
    expect(receipt?.text).toContain(words.mail.completed.title);
    await page.goto(linkIn(receipt?.text));
    await expect(page.getByText(states.completed.text)).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    await fits();
    await page.goto("about:blank");
  });
}

// In the first language tests/browser/deletion-states.spec.ts looks at them.
for (const { settings } of isFirst ? campus.translations : []) {
  test(`every state of a request in ${settings.language} fits at 320 px with text of twice the size, and axe finds nothing`, async ({
    page,
    noise,
  }) => {
    // A request for each state is brought there and looked at.
    test.setTimeout(600_000);
    noise.expect(statusLine(404));
    noise.expect(statusLine(410));
    await using walk = await walkDeletion(settings.language);
    const session = await page.context().newCDPSession(page);
    const enlarge = (times: number) =>
      session.send("Page.setFontSizes", {
        fontSizes: { standard: 16 * times, fixed: 13 * times },
      });
    await page.setViewportSize({ width: 320, height: 640 });
    for (const [index, state] of deletionStates.entries()) {
      await enlarge(2);
      await page.goto(walk.site.publicUrl + walk.states[state]);
      await expect(page.locator("html")).toHaveAttribute("lang", settings.language);
      await page.evaluate(looks.unfold);
      // The styles for so few words a line come when they are wanted.
      await softly.poll(() => page.evaluate(looks.sideways), `${state}, sideways`).toEqual([]);
      await softly.poll(() => page.evaluate(looks.cutTexts), `${state}, cut`).toEqual([]);
      await softly.poll(() => page.evaluate(looks.crossedTexts), `${state}, crossed`).toEqual([]);
      await enlarge(1);
      const colorScheme = index % 2 === 0 ? "light" : "dark";
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await expectAccessible(page, `(${state}, ${colorScheme})`);
    }
    await page.goto("about:blank");
  });
}
