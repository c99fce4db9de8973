import { dateAt } from "../../server/calendar/business-days.ts";
import { completionOf } from "../../server/deletion-requests/life/checklist.ts";
import { createDesk } from "../../server/deletion-requests/working/desk.ts";
import { paths } from "../../server/http/paths.ts";
import { inLanguage } from "../../server/language/in-language.ts";
import { expect, test } from "../harness/browser.ts";
import { calendar, campus, dataList, isFirstCampus, postPaths } from "../harness/campus.ts";
import { expectRoomForWords } from "../harness/every-page.ts";
import { measureOnPhone, phoneLengths, roomForWords } from "../harness/phone-lengths.ts";
import { openSiteWithMail } from "../harness/site-with-mail.ts";

// What a browser must find on any campus, in every language, beside what every-page.spec.ts asks: the first campus's own
// first language is looked at by all the other files here.

const spoken = [
  ...(isFirstCampus ? [] : [{ words: campus, to: (path: string) => path }]),
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

  test(`from the form to the receipt in ${language}`, async ({ page }) => {
    await using story = await openSiteWithMail({}, page);
    const { site, mail } = story;
    const address = "ayesha.rahman@uni.example";
    const { form, success, visit } = words.deletion;
    const newest = async () => {
      await site.rounds.runOnce();
      return mail.received.findLast(({ to }) => to.includes(address))?.mail;
    };
    // In the first campus's languages every state is looked at by every-page.spec.ts.
    const fits = async () => {
      if (!isFirstCampus) await expectRoomForWords(page);
    };
    const linkIn = (text = "") =>
      /https?:\/\/\S*\/delete-my-account\?\S*link=[\w-]+\S*/.exec(text)?.[0] ?? "";

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
