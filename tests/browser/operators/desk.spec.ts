import type { Page } from "@playwright/test";
import {
  desktop,
  expect,
  expectAccessible,
  phone,
  statusLine,
  test,
} from "../../harness/browser.ts";
import { campus, say } from "../../harness/campus.ts";
import { confirmedRequestOn } from "../../harness/confirmed-request.ts";

// A day's work on the operators' pages, as somebody does it: by keyboard alone, and with one thumb on a phone.

const { acts, keys, problems, request: words, told } = campus.operator.desk;
const timeLeft = new RegExp(
  words.left
    .split(/\{\w+\}/)
    .map(RegExp.escape)
    .join("\\d+"),
);

test("a request is taken, completed and undone by keyboard alone", async ({
  page,
  server,
  signInAs,
}) => {
  const email = "keyboard@uni.example";
  const reference = await confirmedRequestOn(server, email);
  await page.setViewportSize(desktop);
  await signInAs("Nadia");
  await page.goto("/operator");
  await page.waitForLoadState();
  const row = page.getByRole("listitem").filter({ hasText: reference });
  await row.getByRole("button", { name: acts.take }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(reference));
  await expect(page.locator("#told")).toContainText(say(told.take, { reference }));
  await expect(page.locator("#told")).toBeFocused();
  await page.waitForLoadState();
  for (const place of await page.locator("fieldset[data-place]").all()) {
    await place.locator("input[value=done]").focus();
    await page.keyboard.press("Space");
  }
  await page.locator("#address").focus();
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  const form = page.locator("#complete");
  // Enter shows the receipt first.
  await page.keyboard.press("Enter");
  await expect(form.locator("pre")).toContainText(reference);
  await form.getByRole("button", { name: acts.complete, exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#told")).toContainText(say(told.complete, { reference }));
  await expect(page.getByRole("timer")).toHaveText(timeLeft);
  await page.locator("#told").getByRole("button", { name: acts.undo }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#told")).toContainText(say(told.undo, { reference }));
});

test("`/` goes to searching, `j` and `k` along the requests, `?` shows the keys", async ({
  page,
  server,
  signInAs,
}) => {
  await confirmedRequestOn(server, "first-key@uni.example");
  await confirmedRequestOn(server, "second-key@uni.example");
  await page.setViewportSize(desktop);
  await signInAs("Nadia");
  await page.goto("/operator");
  const requests = page.locator("[data-request]");
  await expect(async () => {
    await page.locator("h1").click();
    await page.keyboard.press("/");
    await expect(page.getByRole("searchbox")).toBeFocused({ timeout: 1000 });
  }).toPass();
  await page.locator("h1").click();
  await page.keyboard.press("j");
  await expect(requests.nth(0)).toBeFocused();
  await page.keyboard.press("j");
  await expect(requests.nth(1)).toBeFocused();
  await page.keyboard.press("k");
  await expect(requests.nth(0)).toBeFocused();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: keys.title })).toBeVisible();
  await expectAccessible(page);
});

test("with one thumb at 360: nothing is wider than the phone, every target is large, and a refusal shows its mail", async ({
  page,
  server,
  signInAs,
}) => {
  const reference = await confirmedRequestOn(server, "thumb@uni.example");
  await page.setViewportSize(phone);
  await signInAs("Nadia");
  for (const path of ["/operator", `/operator/requests/${reference}`]) {
    await page.goto(path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
  }
  await page.goto(`/operator/requests/${reference}`);
  await page.waitForLoadState();
  await page.getByText(acts.refuse, { exact: true }).first().click();
  const refuse = page.locator("#refuse");
  await refuse.getByRole("radio").first().click();
  await refuse.getByRole("textbox").fill("Nobody with this address rides with us.");
  await refuse.getByRole("textbox").blur();
  await expect(refuse.getByText("> Nobody with this address rides with us.")).toBeVisible();
  for (const target of await refuse.getByRole("button").all()) {
    const box = await target.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
  }
  await expectAccessible(page);
  await refuse.getByRole("button", { name: acts.refuse }).click();
  await expect(page.locator("#told")).toContainText(say(told.refuse, { reference }));
  await expect(page.locator("#told")).toBeFocused();
});

for (const { settings, mail } of campus.translations) {
  const { language } = settings;

  test(`somebody's request is entered in ${language}, and the desk shows their mails in it`, async ({
    page,
    signInAs,
    noise,
  }) => {
    noise.expect(statusLine(422));
    await page.setViewportSize(phone);
    await signInAs("Nadia");
    await page.goto("/operator/requests/new");
    await page.waitForLoadState();
    const { enter } = campus.operator.desk;
    const offered = page.getByRole("group", { name: enter.language });
    await expect(offered.getByRole("radio").first()).toBeChecked();
    const name = new Intl.DisplayNames([language], { type: "language" }).of(language) ?? "";
    await offered.getByRole("radio", { name }).check();
    await page.locator("#old").fill(`closed-${language}@uni.example`);
    await page.locator("#contact").fill(`closed-${language}@uni.example`);
    await page.locator("#proof input").first().check();
    await page.locator("#reason").selectOption({ index: 1 });
    await expectAccessible(page);
    // What is refused comes back as it was chosen.
    await page.getByRole("button", { name: enter.button }).click();
    await expect(page.getByText(problems.sameMailbox).first()).toBeVisible();
    await expect(offered.getByRole("radio", { name })).toBeChecked();
    await page.locator("#contact").fill("closed@home.example");
    await page.getByRole("button", { name: enter.button }).click();
    await expect(page).toHaveURL(/requests\/\w{4}-\w{4}/);
    await expect(page.locator("main")).toContainText(name);

    // A second person looks at it, and would refuse it.
    await signInAs("Rafi");
    await page.goto(page.url().split(/[?#]/)[0] ?? "");
    await page.waitForLoadState();
    await page.getByRole("button", { name: acts.approve }).click();
    await expect(page.locator("#told")).toBeFocused();
    await page.getByText(acts.refuse, { exact: true }).first().click();
    const refuse = page.locator("#refuse");
    await refuse.getByRole("radio").first().click();
    const subject = mail.refused.subject.split(/ ?[({]/)[0] ?? "";
    await expect(refuse.locator(`div[lang="${language}"] b`)).toContainText(subject);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
  });
}

/** A confirmed request of this address, on its page. */
async function openRequestOf(
  address: string,
  page: Page,
  server: Parameters<typeof confirmedRequestOn>[0],
): Promise<void> {
  const reference = await confirmedRequestOn(server, address);
  await page.goto(`/operator/requests/${reference}`);
  await page.waitForLoadState();
}

test("a form that cannot be sent stays with everything that was typed", async ({
  page,
  server,
  signInAs,
  noise,
}) => {
  noise.expect(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  await signInAs("Nadia");
  await openRequestOf("offline@uni.example", page, server);
  await page.locator("#note-note").fill("She called at noon.");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: acts.note }).click();
  await expect(page.getByText(problems.offline)).toBeVisible();
  await expect(page.locator("#told")).toContainText(problems.stillHere);
  await expect(page.locator("#note-note")).toHaveValue("She called at noon.");
  await page.context().setOffline(false);
  await page.getByRole("button", { name: acts.note }).click();
  await expect(page.getByText(told.note)).toBeVisible();
});

test("a note whose answer was lost is not said to be undone, and stands once when it is sent again", async ({
  page,
  server,
  signInAs,
  noise,
}) => {
  noise.expect(/ERR_|Failed to load resource/);
  await signInAs("Nadia");
  await openRequestOf("lost-answer@uni.example", page, server);
  await page.locator("#note-note").fill("She called at one.");
  const isPosted = { lost: false };
  await page.route("**", async (route) => {
    if (route.request().method() !== "POST" || isPosted.lost) return route.continue();
    isPosted.lost = true;
    await route.fetch();
    return route.abort();
  });
  await page.getByRole("button", { name: acts.note }).click();
  await expect(page.locator("#told")).toContainText(problems.unknownTitle);
  await expect(page.locator("#told")).not.toContainText(problems.title);
  await page.getByRole("button", { name: acts.note }).click();
  await expect(page.getByText(told.note)).toBeVisible();
  await expect(page.getByText("She called at one.")).toHaveCount(1);
});

test("a button that cannot be sent says nothing of what was typed", async ({
  page,
  server,
  signInAs,
  noise,
}) => {
  noise.expect(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  await signInAs("Nadia");
  await openRequestOf("offline-button@uni.example", page, server);
  await page.context().setOffline(true);
  await page.getByRole("button", { name: acts.take, exact: true }).click();
  await expect(page.locator("#told")).toContainText(problems.offline);
  await expect(page.locator("#told")).not.toContainText(problems.stillHere);
  await page.context().setOffline(false);
});

test("days away that cannot be sent stay as they were typed, and are entered when the server is back", async ({
  page,
  signInAs,
  noise,
}) => {
  noise.expect(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  await signInAs("Mitu");
  await page.goto("/operator/away");
  await page.waitForLoadState();
  await page.locator("#from").fill("2099-01-04");
  await page.locator("#until").fill("2099-01-06");
  await page.context().setOffline(true);
  const enter = page.locator("form:has(#from) button");
  await enter.click();
  await expect(page.getByText(problems.offline)).toBeVisible();
  await expect(page.locator("#from")).toHaveValue("2099-01-04");
  await page.context().setOffline(false);
  await enter.click();
  await expect(page.locator("#planned")).toBeFocused();
  await expect(page.locator("#from")).toHaveValue("");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`every state is accessible (${colorScheme})`, async ({ page, server, signInAs }) => {
    const email = `states-${colorScheme}@uni.example`;
    const reference = await confirmedRequestOn(server, email);
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(desktop);
    await signInAs("Nadia");
    for (const path of [
      "/operator",
      `/operator/requests/${reference}`,
      "/operator/requests/new",
      `/operator/batch?act=take&r=${reference}`,
      `/operator/batch?act=complete&r=${reference}`,
    ]) {
      await page.goto(path);
      await expectAccessible(page);
    }
    await page.goto(`/operator/requests/${reference}`);
    for (const act of await page.locator("details > summary").all()) await act.click();
    await expectAccessible(page);
  });
}
