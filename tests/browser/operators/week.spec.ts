import type { Locator, Page } from "@playwright/test";
import { expect, phone, test } from "../../harness/browser.ts";
import { campus, say } from "../../harness/campus.ts";
import { confirmedRequest } from "../../harness/deletion-form.ts";
import { operatorCookie, signIn } from "../../harness/sign-in.ts";
import { openTestSite } from "../../harness/test-site.ts";

// Weeks at the desk as they are, each acted out on a phone from the first press to the last.

const { acts, card, told, toldSeveral, together } = campus.operator.desk;
/** A week's ten requests take fewer presses than this. */
const mostPresses = 36;

test.describe.configure({ timeout: 600_000 });

/** A site on this machine with so many confirmed requests that wait for somebody. */
async function walkDesk(count: number) {
  const site = await openTestSite({ listen: true });
  const addressOf = (index: number) => `anika.${index}.rahman@uni.example`;
  const references: string[] = [];
  for (let index = 0; index < count; index++) {
    references.push(await confirmedRequest(site, addressOf(index)));
  }
  return { site, references, addressOf, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
}

/** Nadia at a phone, who sees at most its first view before each press. */
async function atPhone(page: Page, { site }: Awaited<ReturnType<typeof walkDesk>>) {
  const { token } = await signIn(site.database, site.clock(), "Nadia", "operator");
  await page.context().addCookies([operatorCookie(site.publicUrl, token)]);
  await page.setViewportSize(phone);
  const count = { presses: 0 };
  async function press(what: Locator): Promise<void> {
    count.presses++;
    await what.click();
  }
  return {
    count,
    press,
    button: (label: string) => page.getByRole("button", { name: label, exact: true }),
    row: (reference: string) => page.locator("li", { hasText: reference }),
    /** Opens a request by its row, and waits for its page: folds of both look alike. */
    async read(reference: string): Promise<void> {
      await press(page.locator("li", { hasText: reference }).getByRole("link"));
      await page.waitForURL(`**/${reference}`);
    },
    /** Opens a fold of a request, chooses a reason and presses its button. */
    async decide(act: "later" | "refuse", reason: string): Promise<void> {
      const fold = page.locator(`details#${act}`);
      await press(fold.locator("summary"));
      const why = fold.locator("label", { has: page.locator(`input[value=${reason}]`) });
      await press(why);
      await expect(why.locator("input")).toBeChecked();
      await press(fold.getByRole("button", { name: acts[act], exact: true }));
    },
    /** Says from place to place that all is deleted, and of whom, and calls it done. */
    async complete(addresses: string): Promise<void> {
      for (const place of await page.locator("fieldset[data-place]").all()) {
        await press(place.locator("label", { has: page.locator("input[value=done]") }));
      }
      count.presses++;
      // Copied from the account's own page, and pasted: one long press.
      await page.locator("#complete-address").fill(addresses);
      await press(page.locator("label", { has: page.locator("input[name=account][value=user]") }));
      await press(page.getByRole("button", { name: acts.complete, exact: true }));
    },
    today: () => press(page.locator(".desk-nav a[href='/operator']")),
    open: () => page.goto(`${site.publicUrl}/operator`),
    says: (text: string) => expect(page.locator("#told")).toContainText(text),
  };
}

test("a week with ten requests, of which one waits and one is refused, takes few presses", async ({
  page,
}, info) => {
  await using walk = await walkDesk(10);
  const { site, references, addressOf } = walk;
  const [owing = "", unknown = "", ...others] = references;
  const nadia = await atPhone(page, walk);
  const { press, button } = nadia;
  await nadia.open();
  // The first can be taken without scrolling.
  await expect(nadia.row(owing).getByRole("button", { name: acts.take })).toBeInViewport({
    ratio: 1,
  });
  await press(page.getByText(card.chooseAll));
  await press(button(together.take));
  await nadia.says(say(toldSeveral.take, { count: 10 }));
  await nadia.read(owing);
  await nadia.decide("later", "dues");
  await nadia.says(say(told.later, { reference: owing }));
  await nadia.today();
  await nadia.read(unknown);
  await nadia.decide("refuse", "no-account");
  await nadia.says(say(told.refuse, { reference: unknown }));
  await nadia.today();
  // The other eight are deleted, and called done together.
  await press(page.getByText(card.chooseAll));
  await press(button(together.complete));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    say(together.completeTitle, { count: 8 }),
  );
  const addresses = others.map((reference) => addressOf(references.indexOf(reference)));
  await nadia.complete(addresses.join("\n"));
  await nadia.says(say(toldSeveral.complete, { count: 8 }));
  for (const reference of others) {
    await expect(page.locator("#told")).toContainText(reference);
    expect(await site.services.desk.find(reference)).toMatchObject({ done: expect.anything() });
  }
  const measured = `${nadia.count.presses} presses for ten requests, of at most ${mostPresses - 1}`;
  info.annotations.push({ type: "measured", description: measured });
  process.stdout.write(`${measured}\n`);
  expect(nadia.count.presses).toBeLessThan(mostPresses);
  // A slip is undone first thing on Today, too.
  await nadia.today();
  const undo = page.locator("main").getByRole("button", { name: acts.undo }).first();
  await expect(undo).toBeInViewport({ ratio: 1 });
  await press(undo);
  await expect(page.locator("#told").getByRole("link")).toHaveCount(1);
  await page.goto("about:blank");
});

test("exam weeks: what cannot be done in time gets a later date in one act, its mail shown before", async ({
  page,
}) => {
  await using walk = await walkDesk(3);
  walk.site.wait({ hours: 13 * 24 });
  const nadia = await atPhone(page, walk);
  await nadia.open();
  await nadia.press(page.getByRole("link", { name: together.extend }));
  const form = page.locator("main form");
  await form.locator("label", { has: page.locator("input[value=time]") }).click();
  await form.getByRole("textbox").fill("We all have exams until Thursday.");
  await form.getByRole("textbox").blur();
  await expect(form.locator("pre")).toContainText("We all have exams until Thursday.");
  await nadia.press(nadia.button(acts.later));
  await nadia.says(say(toldSeveral.later, { count: 3 }));
  for (const reference of walk.references) {
    const story = await walk.site.services.desk.tell(reference);
    expect(story?.events.at(-1)).toMatchObject({ type: "extend", name: "Nadia" });
  }
  await page.goto("about:blank");
});
