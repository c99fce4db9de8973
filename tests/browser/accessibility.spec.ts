import {
  desktop,
  expect,
  expectAccessible,
  type Page,
  phone,
  statusLine,
  test,
} from "../harness/browser.ts";
import {
  campus,
  categoryPaths,
  missingPostPaths,
  pagePaths,
  postPaths,
} from "../harness/campus.ts";
import { filledForm } from "../harness/deletion-form.ts";
import { openSiteWithMail } from "../harness/site-with-mail.ts";

const { form: words, success, visit } = campus.deletion;

/** Looks at what is on the screen in both schemes, on a phone and on a desktop. */
async function expectAccessibleEverywhere(page: Page, state = ""): Promise<void> {
  for (const viewport of [phone, desktop]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await expectAccessibleAs(page, viewport, colorScheme, state);
    }
  }
}

/** Each size and each scheme once: enough where only the words differ from a page that is looked at in full. */
async function expectAccessibleTwice(page: Page, state = ""): Promise<void> {
  await expectAccessibleAs(page, phone, "light", state);
  await expectAccessibleAs(page, desktop, "dark", state);
}

async function expectAccessibleAs(
  page: Page,
  viewport: typeof phone,
  colorScheme: "light" | "dark",
  state: string,
): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
  await expectAccessible(page, `${state} (${viewport.width} px, ${colorScheme})`);
}

const alike = [...categoryPaths, ...postPaths.slice(1)];

for (const path of pagePaths) {
  test(`axe finds nothing on ${path}`, async ({ page }) => {
    await page.goto(path);
    if (alike.includes(path)) await expectAccessibleTwice(page);
    else await expectAccessibleEverywhere(page);
  });
}

for (const path of ["/nowhere", missingPostPaths[0] ?? "", "/delete-my-account?link=unknown"]) {
  test(`axe finds nothing on ${path}, where there is nothing`, async ({ page, noise }) => {
    noise.expect(statusLine(404));
    await page.goto(path);
    await expectAccessibleEverywhere(page);
  });
}

test("axe finds nothing on an empty category", async ({ page }) => {
  await page.goto("/blog?category=Cricket");
  await expectAccessibleEverywhere(page);
});

test("axe finds nothing with every question open", async ({ page }) => {
  await page.goto("/faq");
  await page.locator("main details").evaluateAll((all) => {
    for (const details of all as HTMLDetailsElement[]) {
      details.removeAttribute("name");
      details.open = true;
    }
  });
  await expectAccessibleEverywhere(page);
});

test("axe finds nothing with the menu open", async ({ page }) => {
  await page.setViewportSize(phone);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/faq");
  await page.getByRole("button", { name: campus.interface.nav.menu }).click();
  await expect(page.getByRole("navigation", { name: campus.interface.nav.label })).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expectAccessible(page, colorScheme);
  }
});

test("axe finds nothing on the deletion form while it is used", async ({ page, noise }) => {
  noise.expect(statusLine(422));
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/delete-my-account");
  await expect(page.locator("#deletion-form[data-hydrated]")).toBeAttached();
  const submit = page.locator("#deletion-form button[type=submit]");
  await page.getByLabel(words.emailLabel).fill("ayesha@localhost");
  await page.getByLabel(words.reasonLabel).selectOption("other");
  await page.getByLabel(words.feedbackLabel).fill("Words");
  await page.getByRole("checkbox").check();
  await expectAccessibleTwice(page, "filled in");

  await submit.click();
  await expect(page.getByRole("alert")).toBeFocused();
  await expectAccessibleTwice(page, "refused");

  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  await page.route("**/deletion-requests", async (route) => {
    await mayGoOn;
    await route.continue();
  });
  await page.getByLabel(words.emailLabel).fill("ayesha@uni.example");
  await submit.click();
  await expect(submit).toHaveText(words.processing);
  await expectAccessibleTwice(page, "being sent");

  goOn();
  await expect(page.getByRole("heading", { name: success.title })).toBeVisible();
  await expectAccessibleTwice(page, "submitted");
});

test("axe finds nothing on the demonstration", async ({ page, serverWith }) => {
  const demo = await serverWith({ DELETION_MODE: "simulated" });
  await page.goto(`${demo.url}/delete-my-account`);
  await expectAccessibleTwice(page);
});

test("axe finds nothing on the pages behind a mail's link", async ({ page }) => {
  // Ten looks by axe, each some seconds on a busy machine.
  test.slow();
  await using story = await openSiteWithMail({}, page);
  const { site, mail } = story;
  await fetch(`${site.publicUrl}/deletion-requests`, {
    method: "POST",
    body: new URLSearchParams(filledForm()),
  });
  await site.rounds.runOnce();
  const link = /https?:\S+\?link=[\w-]+/.exec(mail.received[0]?.mail.text ?? "")?.[0] ?? "";

  await page.goto(link);
  await expect(page.getByRole("heading", { name: visit.confirm.title })).toBeVisible();
  await expectAccessibleTwice(page, "to be confirmed");
  await page.getByRole("button", { name: visit.confirm.button }).click();
  await expect(
    page.getByRole("heading", { name: visit.status.states.confirmed.title }),
  ).toBeVisible();
  await expectAccessibleTwice(page, "confirmed");
  await page.getByRole("link", { name: visit.cancel.link }).click();
  await expect(page.getByRole("heading", { name: visit.cancel.question })).toBeVisible();
  await expectAccessibleTwice(page, "asked whether to cancel");
  await page.getByRole("button", { name: visit.cancel.yes }).click();
  await expect(page.getByText(visit.status.states.cancelled.text)).toBeVisible();
  await expectAccessibleTwice(page, "cancelled");
  await page.goto(link);
  await expect(page.getByRole("heading", { name: visit.requestEnded.title })).toBeVisible();
  await expectAccessibleTwice(page, "request ended");
});
