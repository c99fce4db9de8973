import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { bySystem, firstTick } from "../../server/deletion-requests/service.fixture.ts";
import { readChecklist } from "../../server/deletion-requests/state-machine/checklist.ts";
import { fillChecklist } from "../../server/deletion-requests/test-campus.fixture.ts";
import { undoMinutes } from "../../server/periods.ts";
import { dateAt } from "../../server/platform/calendar/business-days.ts";
import { paths } from "../../server/platform/http/paths.ts";
import { expect, test } from "../harness/browser.ts";
import {
  addressIn,
  calendar,
  campus,
  dataList,
  editions,
  isFirstCampus,
} from "../harness/campus.ts";
import { expectToFitEveryWidth } from "../harness/every-page.ts";
import { openSiteWithMail } from "../harness/site-with-mail.ts";

// A student's complete journey with a real browser, mail server and database; only the clock is
// simulated. Runs in every language: without JavaScript in the first campus's default language, and
// with JavaScript in all others.

const address = "ayesha.rahman@uni.example";

/** Lists the files in a data folder that contain the text. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes(text));
}

for (const words of editions) {
  const { language } = words.settings;
  const isFirst = language === campus.settings.language;
  const { form, success, visit } = words.deletion;
  const { states } = visit.status;

  test.describe(`in ${language}`, () => {
    test.use({ javaScriptEnabled: !(isFirst && isFirstCampus) });

    test("completes a request from the form to the receipt and the erasure", async ({ page }) => {
      await page.emulateMedia({ reducedMotion: "reduce" });
      await using story = await openSiteWithMail({}, page);
      const { site, desk, mail } = story;
      /** Checks the title of the student's newest email and opens its link. */
      const follow = async ({ title }: { title: string }) => {
        const link = await story.linkTo(address);
        const newest = mail.received.findLast(({ to }) => to.includes(address))?.mail.text ?? "";
        expect(newest).toContain(title);
        await page.goto(site.publicUrl + link);
        return { link, text: newest };
      };
      // every-page.spec.ts covers the first campus.
      const fits = async (name: string) => {
        if (!isFirstCampus) await expectToFitEveryWidth({ page, name, isReadable: true });
      };

      await page.goto(site.publicUrl + addressIn(language, paths.deletion));
      await page.getByLabel(form.emailLabel).fill(address);
      await page.getByLabel(form.reasonLabel).selectOption(form.reasons.other);
      await page.getByLabel(form.feedbackLabel).fill("Moving to Rangpur, thank you.");
      await page.getByLabel(form.confirmLabel).check();
      await page.getByRole("button", { name: form.submit }).click();
      await expect(page.getByRole("heading", { name: success.title })).toBeVisible();
      await fits("sent");

      const { link } = await follow(words.mail.confirm);
      await expect(page).toHaveURL(/\/delete-my-account\?visit=/);
      const token = new URL(link, site.publicUrl).searchParams.get("link") ?? "";
      expect(await page.content()).not.toContain(token);
      await page.getByRole("button", { name: visit.confirm.button }).click();
      await expect(page.getByText(states.confirmed.text)).toBeVisible();
      await fits("confirmed");

      // The page and the email state the same due date. Only the email includes the year; only the
      // page joins day and month with a no-break space.
      const due = page.locator("#answer b.display");
      const [before = "", after = ""] = String(words.mail.route.by).split("{date}");
      const promised = (await due.innerText())
        .replaceAll("\u00a0", " ")
        .slice(before.length, -after.length || undefined);
      const dayAndMonth = promised.split(" ").slice(-2).join(" ");
      const confirmed = await follow(words.mail.confirmed);
      expect(confirmed.text.replaceAll("\u00a0", " ")).toContain(dayAndMonth);
      expect(mail.received.some(({ to }) => to[0] === campus.settings.email)).toBe(true);

      const [{ reference = "" } = {}] = await site.stored();
      await desk.act(reference, firstTick, "Nadia");
      site.wait({ minutes: undoMinutes });
      await follow(words.mail["in-progress"]);
      await expect(page.getByText(states["in-progress"].text)).toBeVisible();
      await expect(page.getByRole("link", { name: visit.cancel.link })).toHaveCount(0);

      const on = dateAt(calendar, site.clock());
      const { completion } = readChecklist(dataList, fillChecklist(dataList), on);
      await bySystem(site.foundation, reference, { type: "complete", completion });
      const receipt = await follow(words.mail.completed);
      expect(receipt.text).toContain(reference);
      await expect(page.getByText(states.completed.text)).toBeVisible();
      await expect(page.locator("html")).toHaveAttribute("lang", language);
      await expect(page.getByRole("table")).toBeVisible();
      await fits("completed");
      const download = page.waitForEvent("download");
      await page.getByRole("link", { name: visit.receipt.download }).click();
      const file = readFileSync(await (await download).path(), "utf8");
      for (const text of [reference, ...words.dataKinds.map(({ kind }) => kind)]) {
        expect(file).toContain(text);
      }

      // After delivery of the receipt, no trace of the student is left in the database, its log,
      // the server's log or the files.
      site.wait({ minutes: 5 });
      await site.rounds.runOnce();
      for (const trace of [address, "ayesha.rahman", "Rangpur"]) {
        expect(filesWith(site.dataDir, trace)).toEqual([]);
      }
      for (const trace of [address, "ayesha.rahman", "Rangpur", token]) {
        expect(site.logLines.filter((line) => line.includes(trace))).toEqual([]);
      }
      await page.goto(site.publicUrl + receipt.link);
      await expect(page.getByText(states.completed.text)).toBeVisible();
      await expect(page.getByText("@uni.example")).toHaveCount(0);
    });
  });
}
