import { sql } from "kysely";
import { completionOf } from "../../server/deletion-requests/life/checklist.ts";
import { expect, type Locator, type Page, statusLine, test } from "../harness/browser.ts";
import { campus, dataList } from "../harness/campus.ts";
import { textOf } from "../harness/html.ts";
import { openSiteWithMail, type SiteWithMail } from "../harness/site-with-mail.ts";

// After every act on the deletion pages the first view of a phone says what happened and what comes next, and title and
// focus say the same: with script on an upright phone, and without on one held sideways.

const words = campus.deletion;
const { form, problems, success, visit } = words;
const { route } = campus.mail;
const address = "ayesha.rahman@uni.example";
/** What is said up to the first number or date in it. */
const [openMail = ""] = String(success.next.confirmed).split("{");
const [tooMany = ""] = String(problems.tooMany).split("{");
const lastToKnow = textOf(words.before.items.at(-1) ?? "");

const upright = { width: 360, height: 640 };
const ways = [
  ["an upright phone with script", { viewport: upright, javaScriptEnabled: true }],
  [
    "a phone held sideways without script",
    { viewport: { width: 844, height: 390 }, javaScriptEnabled: false },
  ],
] as const;

/** Fills the form in and sends it. */
async function send(page: Page, { site }: SiteWithMail, email = address): Promise<void> {
  await page.goto(`${site.publicUrl}/delete-my-account`);
  await page.getByLabel(form.emailLabel).fill(email);
  await page.getByLabel(form.reasonLabel).selectOption("other");
  await page.getByLabel(form.confirmLabel).check();
  await page.getByRole("button", { name: form.submit }).click();
}

/** The link of the newest mail; what was sent must have been answered. */
async function lastLink({ site, mail }: SiteWithMail): Promise<string> {
  await site.rounds.runOnce();
  const mails = mail.received.filter((one) => one.to.includes(address));
  return /https?:\S+\?link=[\w-]+/.exec(mails.at(-1)?.mail.text ?? "")?.[0] ?? "";
}

async function openConfirmed(page: Page, story: SiteWithMail): Promise<void> {
  await send(page, story);
  await expect(heading(page, success.title)).toBeVisible();
  await page.goto(await lastLink(story));
  await page.getByRole("button", { name: visit.confirm.button }).click();
  await expect(heading(page, visit.status.states.confirmed.title)).toBeVisible();
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name });
const stop = (page: Page, title: string) =>
  page.getByRole("listitem").filter({ has: page.getByText(title, { exact: true }) });

/** Everything named lies whole between the site's header and the lower edge of the screen. */
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

/** The answer has the focus, and the document's title begins with it. */
async function expectTold(page: Page, title: string): Promise<void> {
  await expect(page.locator("#answer")).toBeFocused();
  await expect.poll(() => page.title()).toMatch(new RegExp(`^${RegExp.escape(title)}`));
}

for (const [way, { viewport, javaScriptEnabled }] of ways) {
  test.describe(`on ${way}:`, () => {
    test.use({ viewport, javaScriptEnabled });

    test("a sent form is answered with the reference and the next step", async ({ page }) => {
      await using story = await openSiteWithMail({}, page);
      await send(page, story);
      await expectInFirstView(
        page,
        heading(page, success.title),
        page.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/),
        stop(page, route.reached.received),
        stop(page, route.ahead.confirmed).getByText(openMail),
      );
      await expectTold(page, success.title);
      await expect(page.getByText(words.notice)).toBeHidden();
      await expect(page.getByText(words.lead)).toBeHidden();
      await expect(heading(page, words.title)).toBeVisible();
    });

    test("what is refused is said first, with the field that it is about", async ({
      page,
      noise,
    }) => {
      noise.expect(statusLine(422));
      await using story = await openSiteWithMail({}, page);
      await send(page, story, "ayesha@localhost");
      const summary = page.getByRole("alert");
      await expectInFirstView(
        page,
        summary.getByText(problems.summaryTitle),
        summary.getByRole("link", { name: problems.emailMalformed }),
      );
      await expectTold(page, problems.summaryTitle);
      const email = page.getByLabel(form.emailLabel);
      await expect(email).toHaveValue("ayesha@localhost");
      await expect(email).toHaveAccessibleDescription(new RegExp(problems.emailMalformed));
      await summary.getByRole("link").click();
      await expect(email).toBeFocused();
      await expectInFirstView(page, email);
    });

    test("too many requests, or a store that takes none, are told with what to do", async ({
      page,
      noise,
    }) => {
      noise.expect(statusLine(429));
      noise.expect(statusLine(503));
      await using story = await openSiteWithMail(
        { submissionLimit: { count: 1, windowMs: 600_000 } },
        page,
      );
      await sql`PRAGMA query_only = ON`.execute(story.site.kysely);
      await send(page, story);
      await expectInFirstView(page, page.getByText(problems.notStored));
      await expectTold(page, problems.summaryTitle);
      await page.getByRole("button", { name: form.submit }).click();
      await expectInFirstView(page, page.getByText(tooMany));
      await expectTold(page, problems.summaryTitle);
      await expect(page.getByLabel(form.emailLabel)).toHaveValue(address);
      await expect(page.getByLabel(form.reasonLabel)).toHaveValue("other");
      await expect(page.getByLabel(form.confirmLabel)).toBeChecked();
      await expect(page.getByRole("button", { name: form.submit })).toBeEnabled();
    });

    test("a link asks its question, and the pressed button is answered", async ({
      page,
      noise,
    }) => {
      noise.expect(statusLine(503));
      await using story = await openSiteWithMail({}, page);
      await send(page, story);
      await expect(heading(page, success.title)).toBeVisible();
      await page.goto(await lastLink(story));
      const confirm = page.getByRole("button", { name: visit.confirm.button });
      await expectInFirstView(page, heading(page, visit.confirm.title));
      if (viewport.height > viewport.width) await expectInFirstView(page, confirm);
      expect(await page.title()).toMatch(visit.confirm.title);

      await sql`PRAGMA query_only = ON`.execute(story.site.kysely);
      await confirm.click();
      await expectInFirstView(page, page.getByText(visit.notStored));
      await expectTold(page, problems.summaryTitle);
      await sql`PRAGMA query_only = OFF`.execute(story.site.kysely);

      await confirm.click();
      await expectInFirstView(
        page,
        heading(page, visit.status.states.confirmed.title),
        page.getByText(visit.status.states.confirmed.text),
        page.getByRole("listitem").and(page.locator("[aria-current=step]")),
      );
      await expectTold(page, visit.status.states.confirmed.title);
    });

    test("asked whether to cancel, I see the question and both answers, then what came of it", async ({
      page,
    }) => {
      await using story = await openSiteWithMail({}, page);
      await openConfirmed(page, story);
      await page.getByRole("link", { name: visit.cancel.link }).click();
      await expectInFirstView(
        page,
        page.getByRole("heading", { level: 1, name: visit.cancel.question }),
        page.getByRole("button", { name: visit.cancel.yes }),
        page.getByRole("link", { name: visit.cancel.no }),
      );
      await expectTold(page, visit.cancel.question);
      await page.getByRole("link", { name: visit.cancel.no }).click();
      await expectTold(page, visit.status.states.confirmed.title);
      await page.getByRole("link", { name: visit.cancel.link }).click();
      await page.getByRole("button", { name: visit.cancel.yes }).click();
      await expectInFirstView(
        page,
        heading(page, visit.status.states.cancelled.title),
        page.getByText(visit.status.states.cancelled.text),
      );
      await expectTold(page, visit.status.states.cancelled.title);
    });

    test("too late to cancel is said with where the request is", async ({ page, noise }) => {
      noise.expect(statusLine(409));
      await using story = await openSiteWithMail({}, page);
      await openConfirmed(page, story);
      await page.getByRole("link", { name: visit.cancel.link }).click();
      await expect(heading(page, visit.cancel.question)).toBeVisible();
      await take(story);
      await page.getByRole("button", { name: visit.cancel.yes }).click();
      await expectInFirstView(
        page,
        page.getByText(visit.cancel.tooLate),
        heading(page, visit.status.states["in-progress"].title),
        page.getByText(visit.status.states["in-progress"].text),
      );
      await expectTold(page, visit.status.states["in-progress"].title);
    });

    test("a link that is too old offers a new one, and says that it is on its way", async ({
      page,
    }) => {
      await using story = await openSiteWithMail({}, page);
      await send(page, story);
      await expect(heading(page, success.title)).toBeVisible();
      const link = await lastLink(story);
      story.site.wait({ hours: 49 });
      await page.goto(link);
      const again = page.getByRole("button", { name: visit.newLink.button });
      await expectInFirstView(page, heading(page, visit.linkExpired.title), again);
      await again.click();
      await expectInFirstView(
        page,
        heading(page, visit.newLink.sentTitle),
        page.getByText(visit.newLink.sentText),
      );
      await expectTold(page, visit.newLink.sentTitle);
    });
  });
}

async function take(story: SiteWithMail): Promise<void> {
  const [reference = ""] = (await story.site.stored()).map((submission) => submission.reference);
  await story.desk.act(reference, { type: "take" }, "Nadia");
}

const complete = async (story: SiteWithMail) => {
  const [reference = ""] = (await story.site.stored()).map((submission) => submission.reference);
  const on = Temporal.PlainDate.from("2026-11-22");
  const completion = completionOf(dataList, { accounts: ["User"] }, on);
  await story.desk.report(reference, { type: "complete", completion });
};

test.describe("on an upright phone,", () => {
  test.use({ viewport: upright });

  test("everything to know before the form can be unfolded", async ({ page }) => {
    await page.goto("/delete-my-account");
    for (const title of [words.stepsTitle, words.before.title, words.table.title]) {
      await page.getByText(title, { exact: true }).click();
    }
    await expect(page.getByText(words.steps[1]?.text ?? "")).toBeVisible();
    await expect(page.getByText(lastToKnow)).toBeVisible();
    await expect(page.getByRole("table")).toBeVisible();
    await page.getByRole("link", { name: words.toForm }).click();
    await expectInFirstView(page, heading(page, form.title), page.getByLabel(form.emailLabel));
    await page.getByRole("link", { name: form.mailboxClosed }).click();
    await expectInFirstView(page, heading(page, words.closedMailbox.title));
  });

  test("offline is told first, with what to do", async ({ page, context, noise }) => {
    noise.expect(/net::ERR_INTERNET_DISCONNECTED/);
    await page.goto("/delete-my-account");
    await expect(page.locator("#deletion-form[data-hydrated]")).toBeAttached();
    await page.getByLabel(form.emailLabel).fill(address);
    await page.getByLabel(form.reasonLabel).selectOption("other");
    await page.getByLabel(form.confirmLabel).check();
    await context.setOffline(true);
    await page.getByRole("button", { name: form.submit }).click();
    await expectInFirstView(page, page.getByText(problems.offline));
    await expectTold(page, problems.summaryTitle);
    await context.setOffline(false);
  });

  test("another request begins at its first field, and Cancel still goes back", async ({
    page,
    server,
  }) => {
    await page.goto("/faq");
    await page.goto(`${server.url}/delete-my-account`);
    await expect(page.locator("#deletion-form[data-hydrated]")).toBeAttached();
    await page.getByLabel(form.emailLabel).fill(address);
    await page.getByLabel(form.reasonLabel).selectOption("other");
    await page.getByLabel(form.confirmLabel).check();
    await page.getByRole("button", { name: form.submit }).click();
    await page.getByRole("link", { name: success.again }).click();
    await expect(page.getByLabel(form.emailLabel)).toBeFocused();
    await expectInFirstView(page, heading(page, form.title), page.getByLabel(form.emailLabel));
    await expect(page.getByText(words.notice)).toBeVisible();
    await expect(page).toHaveTitle(new RegExp(`^${RegExp.escape(words.meta.title)}`));
    await page.getByRole("link", { name: form.cancel, exact: true }).click();
    await expect(page).toHaveURL(/\/faq$/);
  });
});

test("on a wide screen everything to know before is open, with script and without", async ({
  page,
  browser,
  server,
}) => {
  const plain = await browser.newPage({ javaScriptEnabled: false });
  for (const one of [page, plain]) {
    await one.goto(`${server.url}/delete-my-account`);
    await expect(one.getByText(words.steps[1]?.text ?? "")).toBeVisible();
    await expect(one.getByText(lastToKnow)).toBeVisible();
    await expect(one.getByRole("table")).toBeVisible();
  }
  await plain.close();
});

test("the receipt prints on one sheet", async ({ page }) => {
  await using story = await openSiteWithMail({}, page);
  await openConfirmed(page, story);
  await take(story);
  await complete(story);
  await page.reload();
  await expect(heading(page, visit.status.states.completed.title)).toBeVisible();
  const paper = await page.pdf({ format: "A4" });
  expect(paper.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
});
