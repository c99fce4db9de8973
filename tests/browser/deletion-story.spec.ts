import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { completionOf } from "../../server/deletion-requests/life/checklist.ts";
import { expect, type Page, test } from "../harness/browser.ts";
import { campus, dataList } from "../harness/campus.ts";
import { openSiteWithMail, type SiteWithMail } from "../harness/site-with-mail.ts";

// A student's whole story with a real browser, a real SMTP server and a real database; only the clock is ours.

const address = "ayesha.rahman@uni.example";
const words = campus.deletion;

async function ask(page: Page, { site }: SiteWithMail, email = address): Promise<string> {
  await page.goto(`${site.publicUrl}/delete-my-account`);
  await page.getByLabel(words.form.emailLabel).fill(email);
  await page.getByLabel(words.form.reasonLabel).selectOption(words.form.reasons.other);
  await page.getByLabel(words.form.feedbackLabel).fill("Moving to Rangpur, thank you.");
  await page.getByLabel(words.form.confirmLabel).check();
  await page.getByRole("button", { name: words.form.submit }).click();
  await expect(page.getByRole("heading", { name: words.success.title })).toBeVisible();
  const panel = await page.getByRole("status").filter({ hasText: words.success.title }).innerText();
  return /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(panel)?.[0] ?? "";
}

/** The newest mail to the student whose subject matches, once everything that is owed has been sent. */
async function readMail({ site, mail }: SiteWithMail, subject: RegExp) {
  await site.rounds.runOnce();
  const found = mail.received.filter(
    (one) => one.to.includes(address) && subject.test(one.mail.subject ?? ""),
  );
  const newest = found.at(-1)?.mail;
  expect(newest, `a mail "${subject.source}"`).toBeDefined();
  return { text: newest?.text ?? "", html: newest?.html ?? "", count: found.length };
}

function linkIn(mail: { text: string }): string {
  return /https?:\/\/\S*\/delete-my-account\?link=[\w-]+/.exec(mail.text)?.[0] ?? "";
}

/** Every file in the data folder that holds the text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes(text));
}

// With script it is walked in every other language in any-campus.spec.ts.
test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a student asks, confirms, is told of the work, gets a receipt, and is then forgotten", async ({
    page,
  }) => {
    await using story = await openSiteWithMail({}, page);
    const { site, desk, mail } = story;
    const reference = await ask(page, story);

    const confirmMail = await readMail(story, /^Confirm the deletion/);
    expect(confirmMail.text).toContain(reference);
    const link = linkIn(confirmMail);
    await page.goto(link);
    await expect(page).toHaveURL(/\/delete-my-account\?visit=/);
    await expect(page.getByText(reference)).toBeVisible();
    await page.getByRole("button", { name: words.visit.confirm.button }).click();
    await expect(page.getByText("10 business days", { exact: true })).toBeVisible();

    // The promise is the same date on the page, in the mail and for the operator.
    const shown = page.locator("dl div").filter({ hasText: words.visit.facts.due });
    // On the page the day and its month are held together.
    const due = /\w+, \d+ \w+ \d{4}$/m.exec(
      (await shown.innerText()).replaceAll("\u00a0", " "),
    )?.[0];
    const confirmed = await readMail(story, /^Confirmed/);
    expect(confirmed.text).toContain(due);
    expect(mail.received.some((one) => one.to[0] === campus.settings.email)).toBe(true);

    const taken = await desk.act(reference, { type: "take" }, "Nadia");
    expect(taken.kind).toBe("done");
    await readMail(story, /begun to delete/);
    await page.reload();
    await expect(page.getByText(words.visit.status.states["in-progress"].text)).toBeVisible();
    await expect(page.getByRole("link", { name: words.visit.cancel.link })).toHaveCount(0);

    await desk.report(reference, {
      type: "complete",
      completion: completionOf(
        dataList,
        { accounts: ["User"] },
        Temporal.PlainDate.from("2026-11-22"),
      ),
    });
    const receipt = await readMail(story, /^Done/);
    expect(receipt.text).toContain(reference);
    await page.goto(linkIn(receipt));
    await expect(page.getByText(words.visit.status.states.completed.text)).toBeVisible();
    await expect(page.getByRole("table")).toBeVisible();
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: words.visit.receipt.download }).click();
    const file = readFileSync(await (await download).path(), "utf8");
    expect(file).toContain(reference);
    for (const row of campus.dataKinds) expect(file).toContain(row.kind);

    // Delivered, so the person is forgotten: in the database, its log, the server's log and the files.
    site.wait({ minutes: 5 });
    await site.rounds.runOnce();
    for (const trace of [address, "ayesha.rahman", "Rangpur"]) {
      expect(filesWith(site.dataDir, trace)).toEqual([]);
      expect(site.logLines.filter((line) => line.includes(trace))).toEqual([]);
    }
    await page.goto(linkIn(receipt));
    await expect(page.getByText(words.visit.status.states.completed.text)).toBeVisible();
    await expect(page.getByText("@uni.example")).toHaveCount(0);
  });
});

test("the pages behind a link are stored nowhere, indexed nowhere and tell no other site", async ({
  page,
}) => {
  await using story = await openSiteWithMail({}, page);
  await ask(page, story);
  const link = linkIn(await readMail(story, /^Confirm the deletion/));
  const redirect = await story.site.ask(link);
  expect(redirect.status).toBe(303);
  for (const response of [redirect, await story.site.ask(redirect.headers.get("location") ?? "")]) {
    expect(response.headers.get("cache-control")).toContain("no-store");
    expect(response.headers.get("referrer-policy")).toBe("same-origin");
  }
  await page.goto(link);
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
  const token = new URL(link).searchParams.get("link") ?? "";
  expect(await page.content()).not.toContain(token);
  expect(story.site.logLines.filter((line) => line.includes(token))).toEqual([]);
});
