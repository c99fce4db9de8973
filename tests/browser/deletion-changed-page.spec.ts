import type { Route } from "@playwright/test";
import { paths } from "../../server/platform/http/paths.ts";
import { expect, type Page, statusLine, test } from "../harness/browser.ts";
import { addressIn, editionIn, editions } from "../harness/campus.ts";

// Translators, password managers and grammar checkers modify a page during use, and connections
// fail. Even then, the form must submit without losing input.

const typed = {
  email: "nadia.rahman@uni.example",
  reason: "other",
  feedback: "আমি অন্য শহরে চলে গেছি। I moved.",
};

const submit = (page: Page) => page.locator("#deletion-form button[type=submit]").last();

async function fill(page: Page, change: Partial<typeof typed> = {}): Promise<void> {
  const { email, reason, feedback } = { ...typed, ...change };
  await page.locator("#email").fill(email);
  await page.locator("#reason").selectOption(reason);
  await page.locator("#feedback").fill(feedback);
  await page.locator("#confirmation").check();
}

async function expectKept(page: Page, change: Partial<typeof typed> = {}): Promise<void> {
  const { email, reason, feedback } = { ...typed, ...change };
  await expect(page.locator("#email")).toHaveValue(email);
  await expect(page.locator("#reason")).toHaveValue(reason);
  await expect(page.locator("#feedback")).toHaveValue(feedback);
  await expect(page.locator("#confirmation")).toBeChecked();
  await expect(submit(page)).toBeEnabled();
}

/**
 * Wraps every text node, present or future, in two `<font>` elements, as Chrome's translator does.
 */
function translatePage(): void {
  const turn = (root: Node) => {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      const parent = text.parentElement;
      if (!text.data.trim() || !parent || parent.closest("script, style, font")) continue;
      const outer = document.createElement("font");
      const inner = document.createElement("font");
      outer.append(inner);
      text.replaceWith(outer);
      inner.textContent = text.data;
    }
  };
  turn(document.body);
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === "characterData") turn(target.parentNode ?? document.body);
      for (const node of addedNodes) turn(node.parentNode ?? document.body);
    }
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}

/**
 * Adds elements to the form, as browser extensions do: an icon after a field, a helper before the
 * text area, and another at the start of the form.
 */
function addExtensions(): void {
  const put = (name: string) => Object.assign(document.createElement(name), { textContent: "★" });
  document.getElementById("email")?.after(put("div"));
  document.getElementById("feedback")?.before(put("grammarly-extension"));
  document.getElementById("deletion-form")?.prepend(put("div"));
  document.getElementById("deletion-form")?.setAttribute("data-lpignore", "true");
  document.getElementById("email")?.setAttribute("data-lastpass-icon-root", "");
}

/** Moves the form's nodes to new elements and merges adjacent text nodes, as reader modes do. */
function moveNodes(): void {
  const boxes = [
    ...document.querySelectorAll("#deletion-form label, #deletion-form p, #deletion-form button"),
  ];
  for (const box of boxes) {
    const around = document.createElement("span");
    around.append(...box.childNodes);
    box.append(around);
  }
  document.getElementById("deletion-form")?.normalize();
}

const changes = {
  "a translation": translatePage,
  extensions: addExtensions,
  "moved nodes": moveNodes,
};

/** Blocks the form's script until the returned function is called. */
async function delayScript(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

const ready = (page: Page) => expect(page.locator("#deletion-form[data-ready]")).toBeAttached();

/** Answers the form's requests in place of the server. */
const answerWith = (page: Page, answer: (route: Route) => Promise<void>) =>
  page.route(`**${paths.deletionRequests}*`, answer);

for (const { settings } of editions) {
  const { language } = settings;
  const { problems, success } = editionIn(language).deletion;
  const address = addressIn(language, paths.deletion);
  const panel = (page: Page) => page.locator("#answer[role=status]");

  for (const [what, change] of Object.entries(changes)) {
    for (const when of ["before", "after"]) {
      test(`loses no form input despite ${what} ${when} the script loads (${language})`, async ({
        page,
        context,
        noise,
      }) => {
        noise.expect(statusLine(422));
        noise.expect(/net::ERR_INTERNET_DISCONNECTED/);
        const arrive = await delayScript(page);
        await page.goto(`${address}#email=nadia.rahman%40uni.example`, { waitUntil: "commit" });
        await expect(page.locator("#email")).toHaveValue(typed.email);
        if (when === "before") {
          await page.evaluate(change);
          await fill(page);
        }
        arrive();
        await ready(page);
        if (when === "before") await expectKept(page);
        else {
          await page.evaluate(change);
          await fill(page);
        }

        // The server rejects the form. The next attempt fails offline, and the third succeeds. Then
        // the visitor starts a second request.
        await page.locator("#email").fill("nadia@localhost");
        await submit(page).click();
        await expect(page.getByRole("alert")).toContainText(problems.emailMalformed);
        await expectKept(page, { email: "nadia@localhost" });
        await page.locator("#email").fill(typed.email);
        await context.setOffline(true);
        await submit(page).click();
        await expect(page.getByRole("alert")).toContainText(problems.offline);
        await expectKept(page);
        await context.setOffline(false);
        await submit(page).click();
        await expect(panel(page)).toContainText(success.title);
        await panel(page).getByRole("link").last().click();
        await expect(page.locator("#email")).toHaveValue("");
        await expect(page.locator("#feedback")).toHaveValue("");
        await fill(page);
        await submit(page).click();
        await expect(panel(page)).toContainText(success.title);
      });
    }
  }

  test(`cleans up an email address on paste but not during typing (${language})`, async ({
    page,
    context,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(address);
    await ready(page);
    for (const copied of [
      "\u200bnadia.rahman@uni.example\u00a0",
      "mailto:nadia.rahman@uni.example",
      "Nadia <nadia.rahman@uni.example>, ",
      "nadia.rahman＠uni．example।",
      "nadia.rahman @\u2007uni.example\u200e",
    ]) {
      await page.evaluate((text) => navigator.clipboard.writeText(text), copied);
      await page.locator("#email").fill("");
      await page.locator("#email").press("ControlOrMeta+v");
      await expect(page.locator("#email")).toHaveValue(typed.email);
      expect(
        await page.locator("#email").evaluate((field: HTMLInputElement) => field.validity.valid),
      ).toBe(true);
    }
    await page.locator("#email").fill("");
    await page.locator("#email").pressSequentially("nadia.x@uni.example.");
    await page.keyboard.press("Home");
    for (let step = 0; step < 6; step++) await page.keyboard.press("ArrowRight");
    await page.keyboard.type("rah");
    await expect(page.locator("#email")).toHaveValue("nadia.rahx@uni.example.");
    await page.keyboard.press("Tab");
    await expect(page.locator("#email")).toHaveValue("nadia.rahx@uni.example");
  });

  test(`suggests a correction for a mistyped domain (${language})`, async ({ page, noise }) => {
    noise.expect(statusLine(422));
    const { takeSuggestion, sendSuggestion, sendTyped } = editionIn(language).deletion.form;
    await page.goto(address);
    await ready(page);
    await fill(page, { email: "nadia@uni.exmaple" });
    const take = page.getByRole("button", { name: takeSuggestion });
    await take.click();
    await expect(page.locator("#email")).toHaveValue("nadia@uni.example");
    await expect(take).toHaveCount(0);

    // The suggestion pushes the checkbox down. The click that blurs the email field must still
    // check the checkbox.
    await page.locator("#confirmation").uncheck();
    await page.locator("#email").fill("nadia@uni.exmaple");
    await page.locator("#confirmation").click();
    await expect(take).toBeVisible();
    await expect(page.locator("#confirmation")).toBeChecked();

    // Enter submits the form without blurring the field.
    await page.locator("#email").fill("nadia@gmial.com");
    await page.locator("#email").press("Enter");
    await expect(page.getByRole("alert")).toContainText("nadia@gmail.com");
    await expectKept(page, { email: "nadia@gmial.com" });
    await page.getByRole("button", { name: sendSuggestion }).click();
    await expect(panel(page)).toContainText("@gmail.com");

    await page.getByRole("link", { name: success.again }).click();
    await fill(page, { email: "nadia@uni" });
    await page.locator("#email").fill("nadia@yaho.com");
    await page.locator("#email").press("Enter");
    await page.getByRole("button", { name: sendTyped }).click();
    await expect(panel(page)).toContainText("@yaho.com");
  });

  test(`explains a proxy's error response (${language})`, async ({ page, noise }) => {
    noise.expect(statusLine(413));
    noise.expect(statusLine(429));
    noise.expect(statusLine(503));
    await page.goto(address);
    await ready(page);
    await fill(page);
    await answerWith(page, (route) =>
      route.fulfill({ status: 503, contentType: "text/html", body: "<h1>nginx</h1>" }),
    );
    await submit(page).click();
    await expect(page.getByRole("alert")).toContainText(problems.unanswered);
    await expectKept(page);
    // A proxy's error may also be JSON.
    for (const body of ["null", '"Too many requests"', "[]", '{"error":"rate limited"}']) {
      await page.unroute(`**${paths.deletionRequests}*`);
      await answerWith(page, (route) => route.fulfill({ status: 429, json: JSON.parse(body) }));
      // The alert of the former answer has the same text.
      const answered = page.waitForResponse(`**${paths.deletionRequests}*`);
      await submit(page).click();
      await answered;
      await expect(page.getByRole("alert")).toContainText(problems.unanswered);
    }
    await page.unroute(`**${paths.deletionRequests}*`);
    await answerWith(page, (route) =>
      route.fulfill({
        status: 413,
        contentType: "application/problem+json",
        body: JSON.stringify({ title: "Too large", detail: "Shorten your feedback." }),
      }),
    );
    await submit(page).click();
    await expect(page.getByRole("alert")).toContainText("Too large. Shorten your feedback.");
    await expectKept(page);
  });

  test(`posts the form normally if the script can't show the response (${language})`, async ({
    page,
  }) => {
    await page.goto(address);
    await ready(page);
    await fill(page);
    await answerWith(page, (route) =>
      route.fulfill({ json: { kind: "submitted", submitted: {} } }),
    );
    await submit(page).click();
    await expect(panel(page)).toContainText(success.title);
    await expect(panel(page)).toContainText(typed.email);
  });
}

test("prefills the email address from an app's link in any encoding", async ({ page }) => {
  for (const hash of [
    "nadia+rides@uni.example",
    "nadia%2Brides@uni.example",
    "nadia+rides%40uni.example",
    "nadia%252Brides%2540uni.example",
    "%E2%80%8Bnadia%2Brides%40uni.example%E2%80%8E",
  ]) {
    await page.goto("/faq");
    await page.goto(`${paths.deletion}#email=${hash}`);
    await ready(page);
    await expect(page.locator("#email")).toHaveValue("nadia+rides@uni.example");
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("suggests a correction for a mistyped domain only once", async ({ page, noise }) => {
    noise.expect(statusLine(422));
    const { sendSuggestion, sendTyped } = editionIn(editions[0]?.settings.language ?? "").deletion
      .form;
    for (const [answer, domain] of [
      [sendSuggestion, "@uni.example"],
      [sendTyped, "@uni.exmaple"],
    ] as const) {
      await page.goto(paths.deletion);
      await fill(page, { email: "nadia@uni.exmaple" });
      await submit(page).click();
      await expect(page.getByRole("alert")).toContainText("nadia@uni.example");
      await expectKept(page, { email: "nadia@uni.exmaple" });
      await page.getByRole("button", { name: answer }).click();
      await expect(page.locator("#answer[role=status]")).toContainText(domain);
    }
  });
});
