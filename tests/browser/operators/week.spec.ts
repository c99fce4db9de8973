import type { Locator, Page } from "@playwright/test";
import { expect, phone, test } from "../../harness/browser.ts";
import { campus, say } from "../../harness/campus.ts";
import { chooseDay, confirmedRequest } from "../../harness/deletion-form.ts";
import { operatorCookie, signIn } from "../../harness/sign-in.ts";
import { openTestSite } from "../../harness/test-site.ts";

// An operator works through a full week on a phone.

const { acts, card, told: results, toldSeveral: resultsOfSeveral, together } = campus.operator.desk;
const mostPresses = 35;

/** Simulates an operator on a phone who taps only what is in view. */
function atPhone(page: Page) {
  const count = { presses: 0 };
  async function press(what: Locator, position?: { x: number; y: number }): Promise<void> {
    count.presses++;
    await expect(what).toBeInViewport({ ratio: 1 });
    await what.click({ position });
  }
  /** Scrolls through an email's preview to the send button, and sends the email. */
  async function send(show: Locator): Promise<void> {
    await show.scrollIntoViewIfNeeded();
    await press(show);
    await expect(page.locator("pre")).toContainText("\n");
    const button = page.locator("main form button").first();
    await button.scrollIntoViewIfNeeded();
    await press(button);
  }
  return {
    count,
    press,
    button: (label: string) => page.getByRole("button", { name: label, exact: true }),
    /**
     * Opens a request from its row in the list. Waits for the request's page, because both pages
     * have similar expandable sections.
     */
    async read(reference: string): Promise<void> {
      await press(page.getByRole("listitem").filter({ hasText: reference }), { x: 60, y: 4 });
      await page.waitForURL(`**/${reference}`);
    },
    /**
     * Expands the form of an act on a request's page, chooses a reason (and a day for "later"),
     * then previews and sends the email.
     */
    async decide(act: "later" | "refuse", reason: string): Promise<void> {
      const fold = page.locator(`details#${act}`);
      await press(fold.locator("summary"));
      await press(fold.locator("label", { has: page.locator(`input[value=${reason}]`) }));
      if (act === "later") {
        count.presses++;
        await chooseDay(fold);
      }
      await send(fold.locator("button[name=preview]"));
    },
    /**
     * Completes a request: fills in the checklist (kind of account, everything deleted in every
     * data store), enters the email addresses and sends the receipt.
     */
    async complete(addresses: string): Promise<void> {
      const account = page.locator("[data-place=account]");
      await expect(account).toBeVisible();
      await press(account.locator("label", { has: page.locator("input[value=both]") }));
      for (const place of await page.locator("[data-place]:has(input[value=done])").all()) {
        await press(place.locator("label", { has: page.locator("input[value=done]") }));
      }
      count.presses++;
      // Pasting the email address from the account's admin page counts as one long press.
      await page.locator("#complete-address").fill(addresses);
      await send(page.locator("form button[name=preview]"));
    },
    today: () => press(page.locator(".desk-nav a[href='/operator']")),
    says: (text: string) => expect(page.locator("#told")).toContainText(text),
  };
}

test("lets an operator handle a week's ten requests with few taps", async ({ page }) => {
  await using site = await openTestSite({ listen: true });
  const addresses = Array.from({ length: 10 }, (_, number) => `anika.${number}.rahman@uni.example`);
  const references: string[] = [];
  for (const address of addresses) references.push(await confirmedRequest(site, address));
  const [owing = "", unknown = "", ...otherReferences] = references;
  const { token } = await signIn(site.foundation, site.clock(), "Nadia", "operator");
  await page.context().addCookies([operatorCookie(site.publicUrl, token)]);
  await page.setViewportSize(phone);
  await page.goto(`${site.publicUrl}/operator`);
  const nadia = atPhone(page);
  const { press, button } = nadia;
  await expect(button(together.take)).toBeHidden();
  await press(page.getByText(card.chooseAll));
  await press(button(together.take));
  await nadia.says(say(resultsOfSeveral.take, { count: 10 }));
  await nadia.read(owing);
  await nadia.decide("later", "dues");
  await nadia.says(say(results.later, { reference: owing }));
  await nadia.today();
  await nadia.read(unknown);
  await nadia.decide("refuse", "no-account");
  await nadia.says(say(results.refuse, { reference: unknown }));
  await nadia.today();
  // The other eight requests are completed as a batch.
  await press(page.getByText(card.chooseAll));
  await press(button(together.complete));
  await nadia.complete(addresses.slice(2).join("\n"));
  await nadia.says(say(resultsOfSeveral.complete, { count: 8 }));
  for (const reference of otherReferences) await nadia.says(reference);
  const { presses } = nadia.count;
  process.stdout.write(`${presses} taps for ten requests (limit: ${mostPresses})\n`);
  expect(presses).toBeLessThanOrEqual(mostPresses);
  // Undo is at the top of Today.
  await nadia.today();
  await press(page.getByRole("button", { name: acts.undo }).first());
  await expect(page.locator("#told").getByRole("link")).toHaveCount(1);
  await page.goto("about:blank");
});
