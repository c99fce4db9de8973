import type { Locator } from "@playwright/test";
import { formatMessage } from "../../../server/language/message.ts";
import { desktop, expect, phone, test } from "../../harness/browser.ts";
import { campus } from "../../harness/campus.ts";
import { walkDesk } from "../../harness/desk-walk.ts";
import { walkThrough } from "../../harness/walk-through.ts";

const { desk } = campus.operator;
/** A week's ten requests take fewer presses than this. */
const mostPresses = 42;

test("a week with ten requests takes few presses on a phone", async ({ page, context }, info) => {
  test.setTimeout(600_000);
  await using walk = await walkDesk(10);
  const { site, references, addressOf } = walk;
  await context.addCookies([await walk.cookieOf("Nadia")]);
  await page.setViewportSize(phone);
  let presses = 0;
  async function press(what: Locator): Promise<void> {
    presses++;
    await what.click();
  }
  /** Copied from the account's own page, and pasted: one long press. */
  async function paste(where: Locator, text: string): Promise<void> {
    presses++;
    await where.fill(text);
  }
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const choose = (reference: string) =>
    page.getByLabel(desk.card.choose.replace("{reference}", reference));
  const openRequest = async (reference: string) => {
    await press(page.locator(`a[data-request]`, { hasText: reference }));
    await expect(page.getByRole("heading", { level: 1, name: reference })).toBeVisible();
  };
  const fold = (act: string) => page.locator(`details#${act}`);

  await page.goto(`${site.publicUrl}/operator`);
  await expect(page.locator("main")).toContainText(references[0] ?? "");
  await page.waitForLoadState();

  // All ten are taken at once.
  for (const reference of references) await press(choose(reference));
  await press(button(desk.together.take));
  await expect(page).toHaveURL(/\/operator\/batch\?/);
  await page.waitForLoadState();
  await press(page.locator("main form button[type=submit]").first());
  await expect(page).toHaveURL(/\/operator(\?|$)/);

  // One has an unpaid fare, of one there is no account.
  const [owing = "", unknown = "", ...others] = references;
  await openRequest(owing);
  await press(fold("later").locator("summary"));
  await press(fold("later").locator("label", { has: page.locator("input[value=dues]") }));
  await press(fold("later").getByRole("button", { name: desk.acts.later, exact: true }));
  await expect(page.locator("#told")).toContainText(desk.told.later.replace("{reference}", owing));
  await press(page.locator(".desk-nav a[href='/operator']"));
  await openRequest(unknown);
  await press(fold("refuse").locator("summary"));
  await press(fold("refuse").locator("label", { has: page.locator("input[value=no-account]") }));
  await press(fold("refuse").getByRole("button", { name: desk.acts.refuse, exact: true }));
  await expect(page.locator("#told")).toContainText(
    desk.told.refuse.replace("{reference}", unknown),
  );
  await press(page.locator(".desk-nav a[href='/operator']"));

  // The other eight are deleted, and called done together.
  for (const reference of others) await press(choose(reference));
  await press(button(desk.together.complete));
  await page.waitForLoadState();
  await walkThrough(page, press);
  const addresses = others.map((reference) => addressOf(references.indexOf(reference)));
  await paste(page.locator("#addresses"), addresses.join("\n"));
  await press(page.locator("label", { has: page.locator("input[name=account][value=user]") }));
  await press(
    button(formatMessage(campus.mail.locale, desk.together.completeAll, { count: others.length })),
  );
  await expect(page).toHaveURL(/\/operator(\?|$)/);
  for (const reference of others) {
    expect(await site.services.desk.find(reference)).toMatchObject({ done: expect.anything() });
  }

  const measured = `${presses} presses for ten requests, of at most ${mostPresses - 1}`;
  info.annotations.push({ type: "measured", description: measured });
  process.stdout.write(`${measured}\n`);
  expect(presses).toBeLessThan(mostPresses);
  // A page that still loads a picture would complain about a site that is gone.
  await page.goto("about:blank");
});

test("two at one request: the second is told who was first, and somebody removed comes no further", async ({
  page,
  context,
  browser,
  noise,
}) => {
  test.setTimeout(600_000);
  noise.expect(/Failed to load resource/);
  await using walk = await walkDesk(1);
  const { site } = walk;
  const [reference = ""] = walk.references;
  await context.addCookies([await walk.cookieOf("Nadia")]);
  const otherContext = await browser.newContext();
  await otherContext.addCookies([await walk.cookieOf("Rafi")]);
  const other = await otherContext.newPage();
  await page.setViewportSize(phone);
  await other.setViewportSize(desktop);
  const address = `${site.publicUrl}/operator/requests/${reference}`;
  await page.goto(address);
  await other.goto(address);
  const take = { name: desk.acts.take, exact: true };
  await other.getByRole("button", take).click();
  await expect(other.locator("#told")).toContainText(
    desk.told.take.replace("{reference}", reference),
  );
  await page.getByRole("button", take).click();
  await expect(page.locator("main")).toContainText("Rafi");
  expect(await site.services.desk.find(reference)).toMatchObject({ owner: "Rafi" });

  await site.services.team.remove("Rafi", "Nadia");
  await other.goto(address);
  await expect(other).toHaveURL(/\/operator\/sign-in/);
  await page.reload();
  await expect(page.getByRole("button", take)).toBeVisible();
  await otherContext.close();
});
