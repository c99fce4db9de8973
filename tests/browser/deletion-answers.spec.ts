import { sql } from "kysely";
import { firstTick } from "../../server/deletion-requests/service.fixture.ts";
import { paths } from "../../server/platform/http/paths.ts";
import { expect, type Locator, type Page, statusLine, test } from "../harness/browser.ts";
import { campus } from "../harness/campus.ts";
import { textOf } from "../harness/html.ts";
import { openSiteWithMail, type SiteWithMail } from "../harness/site-with-mail.ts";

// After every action on the deletion pages, the result and the next step are above the fold on a
// phone, and the document title and the focus match the result. Tested with JavaScript in portrait
// and without JavaScript in landscape.

const words = campus.deletion;
const { form, problems, success, visit } = words;
const { states } = visit.status;
const { route } = campus.mail;
const confirmed = { ...states.confirmed, title: campus.mail.confirmed.title };
const address = "ayesha.rahman@uni.example";
/** The start of the text, up to its first placeholder. */
const [openMail = ""] = String(success.next.confirmed).split("{");
const lastToKnow = textOf(words.before.items.at(-1) ?? "");

const upright = { width: 360, height: 640 };
const ways = [
  ["a phone in portrait with JavaScript", { viewport: upright, javaScriptEnabled: true }],
  [
    "a phone in landscape without JavaScript",
    { viewport: { width: 844, height: 390 }, javaScriptEnabled: false },
  ],
] as const;

const heading = (page: Page, name: string) => page.getByRole("heading", { name });
const button = (page: Page, name: string) => page.getByRole("button", { name });
async function fillIn(page: Page, url: string, email = address): Promise<void> {
  await page.goto(url + paths.deletion);
  await page.getByLabel(form.emailLabel).fill(email);
  await page.getByLabel(form.reasonLabel).selectOption("other");
  await page.getByLabel(form.confirmLabel).check();
}

async function send(page: Page, { site }: SiteWithMail, email?: string): Promise<void> {
  await fillIn(page, site.publicUrl, email);
  await button(page, form.submit).click();
}

/** Submits the form, opens the link in the confirmation email and returns the link. */
async function openLink(page: Page, story: SiteWithMail, email: string): Promise<string> {
  await send(page, story, email);
  await expect(heading(page, success.title)).toBeVisible();
  const link = story.site.publicUrl + (await story.linkTo(email));
  await page.goto(link);
  return link;
}

/** Expects every element to be fully visible between the header and the bottom of the screen. */
async function expectInFirstView(page: Page, ...shown: Locator[]): Promise<void> {
  const bottom = page.viewportSize()?.height ?? 0;
  for (const locator of shown) {
    await expect(locator).toBeVisible();
    await expect
      .poll(async () => {
        const header = await page.locator("[data-site-header]").boundingBox();
        const box = await locator.boundingBox();
        if (!header || !box) return "not there";
        const top = Math.max(0, header.y + header.height);
        const inView = box.y >= top - 1 && box.y + box.height <= bottom + 1;
        return inView || `${Math.round(box.y)} to ${Math.round(box.y + box.height)}`;
      }, `${locator} in view`)
      .toBe(true);
  }
}

/**
 * Expects that the elements are above the fold, that the answer has focus, and that the document
 * title starts with `title`.
 */
async function expectAnswered(page: Page, title: string, ...shown: Locator[]): Promise<void> {
  await expectInFirstView(page, ...shown);
  await expect(page.locator("#answer")).toBeFocused();
  await expect.poll(() => page.title()).toMatch(new RegExp(`^${RegExp.escape(title)}`));
}

/** Like `expectAnswered`, for a page that shows a request's state. */
const expectState = (page: Page, { title, text }: { title: string; text: string }) =>
  expectAnswered(page, title, heading(page, title), page.getByText(text));

for (const [way, { viewport, javaScriptEnabled }] of ways) {
  test.describe(`on ${way}:`, () => {
    test.use({ viewport, javaScriptEnabled });

    test("shows an error or the next step without scrolling after submission", async ({
      page,
      noise,
    }) => {
      noise.expect(statusLine(422));
      await using story = await openSiteWithMail({}, page);
      await send(page, story, "ayesha@localhost");
      const wrong = page.getByRole("alert").getByRole("link", { name: problems.emailMalformed });
      await expectAnswered(
        page,
        problems.summaryTitle,
        page.getByText(problems.summaryTitle),
        wrong,
      );
      const email = page.getByLabel(form.emailLabel);
      await expect(email).toHaveValue("ayesha@localhost");
      await expect(email).toHaveAccessibleDescription(new RegExp(problems.emailMalformed));
      await expect(email).toHaveAttribute("aria-invalid", "true");
      await wrong.click();
      await expect(email).toBeFocused();
      await expectInFirstView(page, email);

      await email.fill(address);
      await button(page, form.submit).click();
      await expectAnswered(
        page,
        success.title,
        heading(page, success.title),
        page.getByText(success.open),
        page.getByText(address),
        button(page, success.wrongAddress),
      );
      const here = page.locator("#answer li[aria-current=step]");
      await expect(here).toContainText(`${route.ahead.confirmed} (${route.here})`);
      await expect(here).toContainText(openMail);
      await expect(page.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/)).toBeVisible();
      await expect(page.getByText(words.notice)).toBeHidden();
      await expect(page.getByText(words.lead)).toBeHidden();
    });

    test("shows the result of every button behind an email link without scrolling", async ({
      page,
      noise,
    }) => {
      noise.expect(statusLine(503));
      noise.expect(statusLine(409));
      await using story = await openSiteWithMail({}, page);
      const tooOld = await openLink(page, story, "too.old@uni.example");
      await openLink(page, story, address);
      const confirm = button(page, visit.confirm.button);
      await expectInFirstView(page, heading(page, visit.confirm.title));
      if (viewport.height > viewport.width) await expectInFirstView(page, confirm);
      expect(await page.title()).toMatch(visit.confirm.title);

      await sql`PRAGMA query_only = ON`.execute(story.site.kysely);
      await confirm.click();
      await expectAnswered(page, problems.summaryTitle, page.getByText(visit.notStored));
      await sql`PRAGMA query_only = OFF`.execute(story.site.kysely);
      await confirm.click();
      await expectState(page, confirmed);
      if (viewport.height > viewport.width)
        await expectInFirstView(page, page.locator("li[aria-current=step]"));

      const cancel = page.getByRole("link", { name: visit.cancel.link });
      await cancel.click();
      const question = page.getByRole("heading", { level: 1, name: visit.cancel.question });
      const no = page.getByRole("link", { name: visit.cancel.no });
      const yes = button(page, visit.cancel.yes);
      await expectAnswered(page, visit.cancel.question, question, yes, no);
      await no.click();
      await expectState(page, confirmed);
      await cancel.click();
      await expect(question).toBeVisible();
      const { reference = "" } =
        (await story.site.stored()).find(({ email }) => email === address) ?? {};
      await story.desk.act(reference, firstTick, "Nadia");
      await yes.click();
      await expectInFirstView(page, page.getByText(visit.cancel.tooLate));
      await expectState(page, states["in-progress"]);

      await openLink(page, story, "cancels@uni.example");
      await confirm.click();
      await cancel.click();
      await yes.click();
      await expectState(page, states.cancelled);

      story.site.wait({ hours: 49 });
      await page.goto(tooOld);
      const again = button(page, visit.newLink.button);
      await expectInFirstView(page, heading(page, visit.linkExpired.title), again);
      await again.click();
      const { sentTitle: title, sentText: text } = visit.newLink;
      await expectState(page, { title, text });
    });
  });
}

test.describe("on a phone in portrait", () => {
  test.use({ viewport: upright });

  test("expands the sections below the form on tap", async ({ page }) => {
    await page.goto(paths.deletion);
    await expectInFirstView(page, heading(page, form.title), page.getByLabel(form.emailLabel));
    for (const title of [words.stepsTitle, words.before.title, words.table.title]) {
      await page.locator("summary").getByText(title, { exact: true }).click();
    }
    await expect(page.getByText(words.steps[1]?.text ?? "")).toBeVisible();
    await expect(page.getByText(lastToKnow)).toBeVisible();
    await expect(page.getByRole("table")).toBeVisible();
    await page.getByRole("link", { name: form.mailboxClosed }).click();
    await expectInFirstView(page, heading(page, words.closedMailbox.title));
    const { link, subject } = words.closedMailbox;
    const email = await page.getByRole("link", { name: link }).getAttribute("href");
    const { pathname, searchParams } = new URL(email ?? "");
    expect(pathname).toBe(campus.settings.email);
    expect(searchParams.get("subject")).toBe(subject);
    expect(searchParams.get("body")).toMatch(/:\r\n/);
  });

  test("labels every expandable section for screen readers", async ({ page }) => {
    await page.goto(paths.deletion);
    await page.getByRole("link", { name: form.settle }).click();
    await expect(page.getByText(lastToKnow)).toBeVisible();
    for (const name of [words.before.title, words.stepsTitle, words.table.title]) {
      await expect(page.getByRole("group", { name })).toBeVisible();
    }
  });

  test("recovers from an offline error, then starts another request at the first field", async ({
    page,
    context,
    server,
    noise,
  }) => {
    noise.expect(/net::ERR_INTERNET_DISCONNECTED/);
    await page.goto("/faq");
    await fillIn(page, server.url);
    await context.setOffline(true);
    await button(page, form.submit).click();
    await expectAnswered(page, problems.summaryTitle, page.getByText(problems.offline));
    await context.setOffline(false);
    await button(page, form.submit).click();
    await page.getByRole("link", { name: success.again }).click();
    await expect(page.getByLabel(form.emailLabel)).toBeFocused();
    await expectInFirstView(page, heading(page, form.title), page.getByLabel(form.emailLabel));
    await expect(page.getByText(words.notice)).toBeVisible();
    await expect(page).toHaveTitle(new RegExp(`^${RegExp.escape(words.title)}`));
    await page.getByRole("link", { name: form.cancel, exact: true }).click();
    await expect(page).toHaveURL(/\/faq$/);
  });
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(`on a wide screen ${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
    test.use({ javaScriptEnabled });

    test("expands every section next to the form", async ({ page }) => {
      await page.goto(paths.deletion);
      await expect(page.getByText(words.steps[1]?.text ?? "")).toBeVisible();
      await expect(page.getByText(lastToKnow)).toBeVisible();
      await expect(page.getByRole("table")).toBeVisible();
      for (const name of [words.before.title, words.stepsTitle, words.table.title]) {
        await expect(page.getByRole("heading", { name })).toHaveCount(1);
      }
      await expect(page.locator("main summary").filter({ visible: true })).toHaveCount(0);
      await page.setViewportSize({ width: 900, height: 800 });
      await expect(page.locator("main summary").filter({ visible: true })).toHaveCount(3);
    });
  });
}
