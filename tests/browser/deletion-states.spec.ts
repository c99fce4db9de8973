import type { Locator } from "@playwright/test";
import { sampleWords } from "../../server/command-line/sample-words.ts";
import { sampleMessages } from "../../server/deletion-requests/telling/sample-messages.ts";
import { createMailWriters } from "../../server/services.ts";
import { openSiteBundle } from "../../server/site-bundle.ts";
import { expect, test } from "../harness/browser.ts";
import { buildDir, calendar, campus, say } from "../harness/campus.ts";
import { textOf } from "../harness/html.ts";

// What single states of a deletion request say; what holds for all of them is asked in every-page.spec.ts.

const { language } = campus.settings;

test.beforeEach(async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
});

test.afterEach(({ page }) => page.goto("about:blank"));

test("who was promised a day that has passed reads so before anything else", async ({
  page,
  requestsIn,
}) => {
  const walk = await requestsIn(language);
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(walk.site.publicUrl + walk.states.overdue);
  const late = page.getByText(textOf(campus.deletion.visit.overdue));
  await expect(late).toBeInViewport({ ratio: 1 });
  await expect(late).toHaveCount(1);
  const { email } = campus.settings;
  await expect(late.getByRole("link")).toHaveAttribute("href", `mailto:${email}`);
  const { ahead, promised, by } = campus.mail.route;
  const lastStop = page.getByRole("listitem").filter({ hasText: ahead.completed });
  const date = ".+";
  await expect(lastStop).toHaveText(new RegExp(say(promised, { date })));
  await expect(lastStop).not.toHaveText(new RegExp(`^${ahead.completed}${say(by, { date })}`));
  await expect(page.getByText(campus.deletion.visit.facts.due, { exact: true })).toHaveCount(0);
});

test("who is written to elsewhere sees where, and what to do if it was not them", async ({
  page,
  requestsIn,
}) => {
  const walk = await requestsIn(language);
  await page.goto(walk.site.publicUrl + walk.states.entered);
  const { entered, facts } = campus.deletion.visit;
  const contact = page.getByRole("term").filter({ hasText: facts.contact });
  await expect(contact.locator("+ dd")).toContainText("@home.example");
  await expect(page.getByText(textOf(entered.notYou))).toBeVisible();
});

test("whose account is gone, but for a last look, reads that it is done and when the receipt leaves", async ({
  page,
  requestsIn,
}) => {
  const walk = await requestsIn(language);
  await page.goto(walk.site.publicUrl + walk.states.done);
  const { title } = campus.deletion.visit.status.done;
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await expect(page).toHaveTitle(new RegExp(`^${title}`));
  const { ahead, final } = campus.mail.route;
  const lastStop = page.getByRole("listitem").filter({ hasText: ahead.completed });
  await expect(lastStop).toHaveText(new RegExp(say(final, { date: ".+" })));
  await expect(page.getByText(campus.deletion.visit.facts.due, { exact: true })).toHaveCount(0);
});

test("a refusal and a moved date are told with the words of whoever decided so", async ({
  page,
  requestsIn,
}) => {
  const walk = await requestsIn(language);
  const { explanation } = sampleWords(campus);
  for (const state of ["refused", "extended"] as const) {
    await page.goto(walk.site.publicUrl + walk.states[state]);
    await expect(page.getByText(explanation), state).toBeVisible();
  }
});

test("a receipt has its proof beside it, and its table below both as wide as the page", async ({
  page,
  requestsIn,
}) => {
  const walk = await requestsIn(language);
  await page.setViewportSize({ width: 960, height: 900 });
  await page.goto(walk.site.publicUrl + walk.states.completed);
  const { receipt } = campus.deletion.visit;
  const placeOf = async (part: Locator) => {
    const box = await part.boundingBox();
    if (!box) throw new Error(`${part} is not shown`);
    return { x: box.x, end: box.x + box.width, y: box.y, bottom: box.y + box.height };
  };
  const panel = await placeOf(page.locator("#answer"));
  const proof = await placeOf(page.getByRole("heading", { name: receipt.proof.title }));
  const table = await placeOf(page.getByRole("main").getByRole("table"));
  const header = await placeOf(page.locator("header .page-width"));
  expect(proof.x).toBeGreaterThan(panel.end);
  expect(proof.bottom).toBeLessThan(panel.bottom);
  expect(table.y).toBeGreaterThan(panel.bottom);
  expect([table.x, table.end]).toEqual([header.x, header.end]);
});

test("on paper a request says whose page it is, and where to write", async ({
  page,
  requestsIn,
}) => {
  const walk = await requestsIn(language);
  await page.emulateMedia({ media: "print" });
  await page.goto(walk.site.publicUrl + walk.states.refused);
  const product = page.locator("[data-product]");
  expect(await product.evaluate((sheet) => getComputedStyle(sheet, "::before").content)).toContain(
    campus.settings.product,
  );
  const { email } = campus.settings;
  await expect(page.getByRole("main").getByRole("link", { name: email }).first()).toBeVisible();
});

test("no mail is wider than the smallest phone, and the lines of its button stand in the middle", async ({
  page,
}) => {
  const { theme, ...built } = await openSiteBundle(buildDir);
  const write = createMailWriters({ ...built, look: theme }, "https://rides.university.example");
  await page.setViewportSize({ width: 320, height: 640 });
  for (const message of sampleMessages(calendar)) {
    await page.setContent(write(message, "", { hasPages: true }).html);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(wide, message.kind).toBeLessThanOrEqual(320);
    for (const [left, right] of await page.locator(".button").evaluateAll(roomBesideLines)) {
      expect.soft(Math.abs(left - right), message.kind).toBeLessThanOrEqual(1);
    }
  }
});

/** How much room each line of a button has on its left and on its right. */
function roomBesideLines(buttons: Element[]): [number, number][] {
  return buttons.flatMap((button) => {
    const box = button.getBoundingClientRect();
    const words = document.createRange();
    words.selectNodeContents(button);
    return [...words.getClientRects()].map((line): [number, number] => [
      line.left - box.left,
      box.right - line.right,
    ]);
  });
}
