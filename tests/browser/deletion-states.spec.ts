import type { Page } from "@playwright/test";
import { createMailWriters } from "../../server/deletion-requests/mails/mail-writer.ts";
import { sampleMessages } from "../../server/deletion-requests/mails/sample-messages.ts";
import { openSiteBundle } from "../../server/site-bundle.ts";
import { expect, statusLine, test } from "../harness/browser.ts";
import { buildDir, calendar, campus, say } from "../harness/campus.ts";
import type { DeletionState } from "../harness/deletion-scenario.ts";
import { textOf } from "../harness/html.ts";
import { sideways } from "../harness/in-page.ts";

// Checks what the pages of single states of a deletion request show and print.
// tests/http/languages.test.ts checks the text of every state, and every-page.spec.ts checks what all
// pages have in common.

const { language, email } = campus.settings;
const { visit } = campus.deletion;
const { due } = campus.mail.facts;
const { ahead, promised, by } = campus.mail.route;

const it = test.extend<{ open: (state: DeletionState) => Promise<void> }>({
  open: async ({ page, requestsIn }, use) => {
    const scenario = await requestsIn(language);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await use(async (state) => {
      await page.goto(scenario.site.publicUrl + scenario.states[state]);
    });
    await page.goto("about:blank");
  },
});

const lastStop = (page: Page) => page.getByRole("listitem").filter({ hasText: ahead.completed });
const date = ".+";

it("shows an overdue notice without scrolling", async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await open("overdue");
  const late = page.getByText(textOf(visit.overdue));
  await expect(late).toBeInViewport({ ratio: 1 });
  await expect(late.getByRole("link")).toHaveAttribute("href", `mailto:${email}`);
  await expect(lastStop(page)).toHaveText(new RegExp(say(promised, { date })));
  await expect(lastStop(page)).not.toHaveText(
    new RegExp(`^${ahead.completed}${say(by, { date })}`),
  );
  await expect(page.getByText(due, { exact: true })).toHaveCount(0);
});

it("shows the due date once, next to the route", async ({ page, open }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open("confirmed");
  const panel = page.locator("#answer");
  const date = panel.locator("b.display");
  expect(await date.evaluate((element) => getComputedStyle(element).fontSize)).toBe("26px");
  // Only as a number of its own, because a reference can contain 29.
  await expect(panel.getByText(/(?<![A-Z0-9:])29(?![A-Z0-9:])|২৯/)).toHaveCount(1);
  const [from, road] = [await date.boundingBox(), await panel.getByRole("list").boundingBox()];
  expect(road?.x).toBeGreaterThan((from?.x ?? 0) + (from?.width ?? 0));
  await expect(panel.getByRole("link", { name: visit.cancel.link })).toBeVisible();
});

it("prints the collapsed list of deleted data expanded", async ({ page, open }) => {
  await open("completed");
  const fold = page.locator("#answer ~ section details");
  const kinds = fold.locator("li");
  await expect(kinds.first()).toBeHidden();
  const count = await kinds.count();
  await fold.locator("summary").click();
  await expect(kinds.filter({ visible: true })).toHaveCount(count);
  await fold.locator("summary").click();
  await page.emulateMedia({ media: "print" });
  await expect(kinds.filter({ visible: true })).toHaveCount(count);
});

it("links to the form from an expired visit, a closed panel and a refusal", async ({
  page,
  open,
  noise,
}) => {
  noise.expect(statusLine(410));
  for (const state of ["visit-expired", "panel-closed", "refused"] as const) {
    await open(state);
    await expect(page.getByRole("link", { name: visit.unknown.button })).toBeVisible();
  }
});

it("fits deletion pages on a phone at twice the root font size", async ({ page, open, noise }) => {
  noise.expect(statusLine(410));
  await page.setViewportSize({ width: 360, height: 640 });
  for (const state of [
    "submitted",
    "to-confirm",
    "confirmed",
    "completed",
    "visit-expired",
  ] as const) {
    await open(state);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    expect.soft(await page.evaluate(sideways), state).toEqual([]);
  }
});

it("prints a receipt on one sheet", async ({ page, open }) => {
  await open("completed");
  const paper = await page.pdf({ format: "A4" });
  expect(paper.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
});

it("prints the site's name and support address with a request", async ({ page, open }) => {
  await page.emulateMedia({ media: "print" });
  await open("refused");
  const product = page.locator("[data-product]");
  expect(await product.evaluate((sheet) => getComputedStyle(sheet, "::before").content)).toContain(
    campus.settings.product,
  );
  await expect(page.getByRole("main").getByRole("link", { name: email }).first()).toBeVisible();
});

test("fits emails on the smallest phone with centered button labels", async ({ page }) => {
  const built = await openSiteBundle(buildDir);
  const write = createMailWriters(built, "https://rides.university.example");
  await page.setViewportSize({ width: 320, height: 640 });
  for (const message of sampleMessages(calendar.holidays)) {
    await page.setContent(write(message, "", { hasPages: true }).html);
    const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(pageWidth, message.kind).toBeLessThanOrEqual(320);
    for (const [left, right] of await page.locator(".button").evaluateAll(spaceBesideLines)) {
      expect.soft(Math.abs(left - right), message.kind).toBeLessThanOrEqual(1);
    }
  }
});

/** Returns the space to the left and right of each line of a button's label. */
function spaceBesideLines(buttons: Element[]): [number, number][] {
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
