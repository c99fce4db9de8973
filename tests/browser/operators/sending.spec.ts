import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../../harness/browser.ts";
import { campus, say } from "../../harness/campus.ts";
import { chooseDay, confirmedRequestOn } from "../../harness/deletion-form.ts";

// Operators preview each email before they send it, on a phone, by touch.

const { acts, form, sending, told: results } = campus.operator.desk;

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

async function isHit(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    // Move the button away from the bar at the edge of the screen.
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const { x, y, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    return element === hit || element.contains(hit);
  });
}

/** Returns the positions of an element's top and bottom on the page, in pixels. */
const placeOf = (target: Locator) =>
  target.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top: top + scrollY, bottom: bottom + scrollY };
  });

const sendingButtons = (within: Locator) =>
  within.locator("button[type=submit]:not([name=preview], [name=edit])");

async function openFold(page: Page, reference: string, act: string): Promise<Locator> {
  await page.goto(`/operator/requests/${reference}`);
  const fold = page.locator(`details#${act}`);
  await fold.locator("summary").tap();
  return fold;
}

for (const act of ["later", "refuse", "cancel"] as const) {
  test(`${act}: shows the email and any new due date above the send button`, async ({
    page,
    server,
    signInAs,
  }) => {
    await signInAs("Nadia");
    const reference = await confirmedRequestOn(server, `${act}.phone@uni.example`);
    const fold = await openFold(page, reference, act);
    await expect(sendingButtons(fold)).toHaveCount(0);
    await expect(fold.locator("input:checked")).toHaveCount(0);
    if (act !== "cancel") await fold.locator("input[value=other]").tap();
    if (act === "later") await chooseDay(fold);
    await fold.locator("textarea").fill("A fare is open since May.");
    const show = fold.getByRole("button", { name: form.preview });
    await expect.poll(() => isHit(show)).toBe(true);
    await show.tap();

    const email = page.locator("main article");
    await expect(email).toContainText("A fare is open since May.");
    const send = sendingButtons(page.locator("main form"));
    const { bottom } = await placeOf(email);
    expect((await placeOf(send)).top).toBeGreaterThan(bottom);
    if (act === "later") expect((await placeOf(page.locator("dl"))).bottom).toBeLessThan(bottom);
    await expect.poll(() => isHit(send)).toBe(true);
    await send.tap();
    await expect(page.locator("#told")).toContainText(say(results[act], { reference }));
  });
}

test('restores the text after "Change it" and previews the edited email', async ({
  page,
  server,
  signInAs,
}) => {
  await signInAs("Nadia");
  const reference = await confirmedRequestOn(server, "change.phone@uni.example");
  const fold = await openFold(page, reference, "cancel");
  const words = fold.locator("textarea");
  await words.fill("You wrote to us.");
  await fold.getByRole("button", { name: form.preview }).tap();
  await page.getByRole("button", { name: sending.edit }).tap();
  await expect(words).toHaveValue("You wrote to us.");
  await words.fill("You called us.");
  await fold.getByRole("button", { name: form.preview }).tap();
  await expect(page.locator("main article")).toContainText("You called us.");
});

test("previews and sends an email without JavaScript", async ({
  browser,
  server,
  page,
  signInAs,
}) => {
  await signInAs("Nadia");
  const reference = await confirmedRequestOn(server, "plain.phone@uni.example");
  const context = await browser.newContext({ javaScriptEnabled: false, hasTouch: true });
  await context.addCookies(await page.context().cookies());
  const plain = await context.newPage();
  await plain.goto(`${server.url}/operator/requests/${reference}`);
  const fold = plain.locator("details#cancel");
  await fold.locator("summary").tap();
  await fold.getByRole("button", { name: form.preview }).tap();
  await plain.getByRole("button", { name: sending.send.cancel }).tap();
  await expect(plain.locator("#told")).toContainText(say(results.cancel, { reference }));
  await context.close();
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with" : "without";
  test(`previews the email on Enter in a checklist ${how} JavaScript`, async ({
    browser,
    server,
    page,
    signInAs,
  }) => {
    await signInAs("Nadia");
    const email = `enter.${how}@uni.example`;
    const reference = await confirmedRequestOn(server, email);
    const context = await browser.newContext({ javaScriptEnabled });
    await context.addCookies(await page.context().cookies());
    const desk = await context.newPage();
    await desk.goto(`${server.url}/operator/requests/${reference}`);
    await desk.getByRole("button", { name: acts.take, exact: true }).click();
    await expect(desk.locator("#told")).toBeVisible();
    const account = desk.locator("[data-place=account]");
    await account.locator("input[value=both]").check();
    const places = desk.locator("[data-place]:has(input[value=done])");
    for (const place of await places.all()) await place.locator("input[value=done]").check();
    await desk.locator("#complete-address").fill(email);
    await desk.locator("#complete-address").press("Enter");
    await expect(desk.getByRole("button", { name: sending.send.complete })).toBeVisible();
    await expect(desk.locator("main article")).toContainText(reference);
    await context.close();
  });
}
