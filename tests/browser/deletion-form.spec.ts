import { queryTestDatabase } from "../../server/platform/database/database.fixture.ts";
import { expect, type Page, statusLine, tabTo, test } from "../harness/browser.ts";
import { addressIn, campus, editions } from "../harness/campus.ts";

const address = "/delete-my-account";
const { form: words, problems, success } = campus.deletion;

/** A reason that requires no explanation. */
const [wish = ""] = Object.keys(words.reasons);

const email = (page: Page) => page.getByLabel(words.emailLabel);
const reason = (page: Page) => page.getByLabel(words.reasonLabel);
const feedback = (page: Page) => page.getByLabel(words.feedbackLabel);
const confirmation = (page: Page) => page.getByRole("checkbox");
const submit = (page: Page) => page.locator("#deletion-form button[type=submit]");
const panel = (page: Page) => page.getByRole("heading", { name: success.title });

/** Opens the form and waits until its script has loaded. */
async function arrive(page: Page, url = address): Promise<void> {
  await page.goto(url);
  await expect(page.locator("#deletion-form[data-ready]")).toBeAttached();
}

async function fill(page: Page, typed = "ayesha.rahman@uni.example"): Promise<void> {
  await email(page).fill(typed);
  await reason(page).selectOption(wish);
  await feedback(page).fill("I moved to another city.");
  await confirmation(page).check();
}

const typedIn = (page: Page) =>
  page
    .locator("#deletion-form")
    .evaluate((form: HTMLFormElement) => Object.fromEntries(new FormData(form)));

/** Counts the stored submissions for an email address. */
const storedFor = async (dataDir: string, typed: string) =>
  (await queryTestDatabase(dataDir, `select id from submissions where email = '${typed}'`)).length;

test("submits the deletion form by keyboard alone", async ({ page, server }) => {
  await arrive(page);
  await tabTo(page, email(page));
  await page.keyboard.type("keys@uni.example");
  await tabTo(page, reason(page));
  await page.keyboard.press("ArrowDown");
  await tabTo(page, feedback(page));
  await page.keyboard.type("No mouse.");
  await tabTo(page, confirmation(page));
  await page.keyboard.press("Space");
  await expect(submit(page)).toBeEnabled();
  await tabTo(page, submit(page));
  await page.keyboard.press("Enter");
  await expect(panel(page)).toBeVisible();
  expect(await storedFor(server.dataDir, "keys@uni.example")).toBe(1);
});

test("prompts for resubmission if the browser filled in the honeypot", async ({
  page,
  server,
  noise,
}) => {
  noise.expect(statusLine(422));
  await arrive(page);
  await fill(page, "filled@uni.example");
  await page.locator("#website").fill("https://uni.example");
  await submit(page).click();
  await expect(page.getByRole("alert")).toContainText(problems.honeypot);
  await submit(page).click();
  await expect(panel(page)).toBeVisible();
  expect(await storedFor(server.dataDir, "filled@uni.example")).toBe(1);
});

test("disables the button until all required fields are filled in", async ({ page }) => {
  await arrive(page);
  await expect(submit(page)).toBeDisabled();
  await email(page).fill("ayesha@uni.example");
  await expect(submit(page)).toBeDisabled();
  await reason(page).selectOption("other");
  await expect(submit(page)).toBeDisabled();
  await confirmation(page).check();
  await expect(submit(page)).toBeEnabled();
  await confirmation(page).uncheck();
  await expect(submit(page)).toBeDisabled();
  await confirmation(page).check();
  await email(page).fill("");
  await expect(submit(page)).toBeDisabled();
});

test("stores one request if the form is resubmitted after a lost response", async ({
  page,
  server,
  noise,
}) => {
  noise.expect(/net::ERR_CONNECTION_RESET/);
  await arrive(page);
  await fill(page, "twice@uni.example");
  // Drop the first response.
  let requests = 0;
  await page.route("**/deletion-requests", async (route) => {
    requests++;
    const response = await route.fetch();
    if (requests === 1) await route.abort("connectionreset");
    else await route.fulfill({ response });
  });
  await submit(page).click();
  await expect(page.getByText(problems.offline).first()).toBeVisible();
  await submit(page).click();
  await expect(panel(page)).toBeVisible();
  expect(requests).toBe(2);
  expect(await storedFor(server.dataDir, "twice@uni.example")).toBe(1);
});

test("stores no form input in the browser after submission", async ({ page }) => {
  await arrive(page);
  await fill(page, "private@uni.example");
  const first = await typedIn(page);
  await submit(page).click();
  await expect(panel(page)).toBeVisible();
  await expect(page.locator("#answer")).toContainText("private@uni.example");
  const left = await page.evaluate(async () => ({
    html: document.documentElement.outerHTML.replace("private@uni.example", ""),
    local: JSON.stringify(localStorage),
    session: JSON.stringify(sessionStorage),
    state: JSON.stringify(history.state),
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
    address: location.href,
  }));
  expect(JSON.stringify(left)).not.toContain("private@uni");
  expect(JSON.stringify(left)).not.toContain("another city");
  expect(left).toMatchObject({ local: "{}", session: "{}", databases: 0, caches: 0 });

  await page.getByRole("link", { name: success.again }).click();
  await expect(email(page)).toHaveValue("");
  await expect(reason(page)).toHaveValue("");
  await expect(feedback(page)).toHaveValue("");
  await expect(confirmation(page)).not.toBeChecked();
  await expect(submit(page)).toBeDisabled();
  await expect(page).toHaveURL(/\/delete-my-account$/);
  expect((await typedIn(page)).formKey).not.toBe(first.formKey);
  await fill(page, "another@uni.example");
  await submit(page).click();
  await expect(panel(page)).toBeVisible();
  await page.reload();
  await expect(panel(page)).toBeVisible();
  await expect(page.getByText("a•••••@uni.example")).toBeVisible();
  await expect(page.getByText("another@uni.example")).toHaveCount(0);
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("preserves all form input when the visitor corrects the email address after submission", async ({
      page,
      server,
    }) => {
      const [wrong, right] = javaScriptEnabled
        ? ["wrong@uni.example", "right@uni.example"]
        : ["wrong.too@uni.example", "right.too@uni.example"];
      if (javaScriptEnabled) await arrive(page);
      else await page.goto(address);
      await fill(page, wrong);
      await submit(page).click();
      await expect(panel(page)).toBeVisible();
      await page.getByRole("button", { name: success.wrongAddress }).click();
      await expect(email(page)).toHaveValue(wrong);
      if (javaScriptEnabled) await expect(email(page)).toBeFocused();
      await expect(reason(page)).toHaveValue(wish);
      await expect(feedback(page)).toHaveValue("I moved to another city.");
      await expect(confirmation(page)).toBeChecked();
      await email(page).fill(right);
      await submit(page).click();
      await expect(panel(page)).toBeVisible();
      await expect(page.locator("#answer")).toContainText(right);
      expect(await storedFor(server.dataDir, right)).toBe(1);
    });
  });
}

test("returns to the home page on Cancel if there is no previous page", async ({
  page,
  context,
  server,
}) => {
  await page.goto("/faq");
  const opened = context.waitForEvent("page");
  await page.evaluate((url) => {
    open(url, "_blank", "noopener");
  }, server.url + address);
  const fresh = await opened;
  await expect(fresh.locator("#deletion-form[data-ready]")).toBeAttached();
  expect(await fresh.evaluate(() => history.length)).toBe(1);
  await fresh.getByRole("link", { name: words.cancel, exact: true }).click();
  await expect(fresh).toHaveURL(/:\d+\/$/);
});

test("removes the email address of an app's link from the address bar and the history", async ({
  page,
}) => {
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  await arrive(page, `${address}#email=nadia%40uni.example`);
  await expect(email(page)).toHaveValue("nadia@uni.example");
  await expect(page).toHaveURL(/\/delete-my-account$/);
  expect(urls.join(" ")).not.toContain("nadia");
  await page.reload();
  expect(page.url()).not.toContain("nadia");
});

test.describe("before the form's script loads", () => {
  test("disables the button from first paint until the form is complete", async ({
    page,
    noise,
  }) => {
    noise.expect(/net::ERR_FAILED/);
    await page.route("**/assets/*.js", (route) => route.abort());
    await page.goto(address);
    await expect(submit(page)).toBeDisabled();
    await fill(page, "slow@uni.example");
    await expect(submit(page)).toBeEnabled();
    await submit(page).click();
    await expect(panel(page)).toBeVisible();
    await expect(page.locator("#answer")).toContainText("slow@uni.example");
  });

  test("preserves form input when the script loads", async ({ page }) => {
    const { promise: mayArrive, resolve: arriveNow } = Promise.withResolvers<void>();
    await page.route("**/assets/*.js", async (route) => {
      await mayArrive;
      await route.continue();
    });
    await page.goto(address, { waitUntil: "commit" });
    await fill(page, "early@uni.example");
    const before = await typedIn(page);
    await expect(submit(page)).toBeEnabled();
    arriveNow();
    await expect(page.locator("#deletion-form[data-ready]")).toBeAttached();
    expect(await typedIn(page)).toEqual(before);
    await expect(submit(page)).toBeEnabled();
    await submit(page).click();
    await expect(panel(page)).toBeVisible();
  });
});

test("creates a new form key on each load of the cached page", async ({ page }) => {
  const keys: unknown[] = [];
  for (let load = 0; load < 2; load++) {
    await arrive(page, address);
    keys.push((await typedIn(page)).formKey);
  }
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[0]).not.toBe(keys[1]);
});

for (const language of editions.map(({ settings }) => settings.language)) {
  test(`restores all form input after navigating back (${language})`, async ({ page }) => {
    await arrive(page, addressIn(language, address));
    await page.locator("#email").fill("ayesha.rahman@uni.example");
    await page.locator("#reason").selectOption(wish);
    await page.locator("#feedback").fill("I moved to another city.");
    await confirmation(page).check();
    const before = await typedIn(page);
    await page.goto("/faq");
    await page.goBack();
    await expect(page.locator("#deletion-form[data-ready]")).toBeAttached();
    const { formKey: _, ...typed } = await typedIn(page);
    expect(typed).toMatchObject({
      email: before.email,
      reason: wish,
      feedback: "I moved to another city.",
      confirmation: "yes",
    });
    await expect(submit(page)).toBeEnabled();
  });
}

test("pretends to submit for two seconds in demo mode", async ({ page, serverWith }) => {
  const demo = await serverWith({ DELETION_MODE: "simulated" });
  await page.clock.install();
  await arrive(page, demo.url + address);
  await expect(page.getByText(words.simulatedNotice)).toBeVisible();
  await fill(page, "demo@uni.example");
  const urls: string[] = [];
  page.on("request", (request) => {
    // Scrolling may still load pictures.
    if (request.resourceType() !== "image") urls.push(request.url());
  });
  // From here on, the test controls the clock.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
  await submit(page).click();
  await expect(submit(page)).toHaveText(words.processing, { useInnerText: true });
  await page.clock.runFor(1_900);
  await expect(submit(page)).toHaveText(words.processing, { useInnerText: true });
  await page.clock.runFor(200);
  await expect(panel(page)).toBeVisible();
  await expect(page.getByText(words.simulatedNotice)).toBeVisible();
  expect(urls).toEqual([]);
  expect(await storedFor(demo.dataDir, "demo@uni.example")).toBe(0);
  await page.getByRole("link", { name: success.again }).click();
  await expect(email(page)).toHaveValue("");
});
