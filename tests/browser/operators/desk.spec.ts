import {
  desktop,
  expect,
  type Locator,
  phone,
  statusLine,
  tabTo,
  test,
} from "../../harness/browser.ts";
import { campus, say } from "../../harness/campus.ts";
import { confirmedRequestOn } from "../../harness/deletion-form.ts";
import { signInBrowser } from "../../harness/sign-in.ts";

// Operators work by keyboard alone, or with one thumb on a phone.

const {
  acts,
  problems,
  sending,
  together: bar,
  told: results,
  toldSeveral: resultsOfSeveral,
} = campus.operator.desk;

test("takes, completes and undoes requests by keyboard alone", async ({ page, serverWith }) => {
  const server = await serverWith({});
  const emails = ["keyboard@uni.example", "keys@uni.example"];
  const references = [];
  for (const email of emails) references.push(await confirmedRequestOn(server, email));
  /** Selects every request in the list and presses a button of the batch bar. */
  const together = async (label: string) => {
    await page.waitForLoadState();
    await tabTo(page, page.locator("[data-choose-all]"));
    await page.keyboard.press("Space");
    await tabTo(page, page.getByRole("button", { name: label }));
    await page.keyboard.press("Enter");
  };
  await page.setViewportSize(desktop);
  await signInBrowser(page.context(), server, "Nadia");
  await page.goto(`${server.url}/operator`);
  await together(bar.take);
  await expect(page.locator("#told")).toBeFocused();
  // The links of a large batch fill more than a phone's screen.
  await expect(page.locator("#told").locator("a, button").first()).toHaveRole("button");
  await together(bar.complete);
  const both = page.locator("[data-place=account] input[value=both]");
  await expect(both).toBeVisible();
  // No radio button is selected yet, so Tab focuses the first of the three.
  await tabTo(page, page.locator("[data-place=account] input").first());
  await page.keyboard.press("ArrowUp");
  await expect(both).toBeChecked();
  for (const place of await page.locator("[data-place]:has(input[value=done])").all()) {
    await tabTo(page, place.locator("input[value=done]"));
    await page.keyboard.press("Space");
  }
  await tabTo(page, page.locator("#complete-address"));
  await page.keyboard.type(emails.join(" "));
  await tabTo(page, page.locator("form:has([data-place]) button[name=preview]"));
  // Enter previews the receipt instead of sending it right away.
  await page.keyboard.press("Enter");
  await expect(page.locator("pre")).toContainText(references[0] ?? "");
  const send = say(sending.sendSeveral.complete, { count: 2 });
  await tabTo(page, page.getByRole("button", { name: send }));
  await page.keyboard.press("Enter");
  const undo = say(bar.undo, { count: 2 });
  await tabTo(page, page.locator("#told").getByRole("button", { name: undo }));
  await page.keyboard.press("Enter");
  await expect(page.locator("#told")).toContainText(say(resultsOfSeveral.undo, { count: 2 }));
});

test("restores a note typed on a phone after the tab closed", async ({
  context,
  page,
  server,
  signInAs,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signInAs("Nadia");
  const reference = await confirmedRequestOn(server, "draft@uni.example");
  await page.goto(`/operator/requests/${reference}`);
  await page.locator("#note > summary").click();
  const kept = page.waitForResponse((answer) => answer.url().endsWith(`/${reference}/draft`));
  await page.locator("#note-note").fill("They wrote twice");
  expect((await kept).status()).toBe(204);
  await page.close();
  const again = await context.newPage();
  await again.goto(`/operator/requests/${reference}`);
  await expect(again.locator("#note-note")).toHaveValue("They wrote twice");
  await again.locator("#note").getByRole("button").click();
  await expect(again.locator("#told")).toBeVisible();
  await again.goto(`/operator/requests/${reference}`);
  await expect(again.locator("#note")).not.toHaveAttribute("open");
});

test("ignores the second tap of a double tap on a phone", async ({ page, server, signInAs }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signInAs("Nadia");
  const reference = await confirmedRequestOn(server, "double-tap@uni.example");
  await page.goto(`/operator/requests/${reference}`);
  const tapTwice = async (target: Locator) => {
    await target.click({ trial: true });
    const { x = 0, y = 0, width = 0, height = 0 } = (await target.boundingBox()) ?? {};
    const [atX, atY] = [x + width / 2, y + height / 2];
    await page.mouse.click(atX, atY);
    await page.waitForFunction(() => document.body.style.pointerEvents === "none");
    await page.mouse.click(atX, atY);
  };
  const answered = page.locator("[data-place] [type=radio]:checked");
  await tapTwice(page.getByRole("button", { name: acts.take, exact: true }));
  await expect(page.locator("#told")).toBeVisible();
  await expect(answered).toHaveCount(0);
  await tapTwice(page.locator("fieldset[data-place]").first().locator("label").first());
  await expect(answered).toHaveCount(1);
});

// If the response is lost, the page can't know whether saving failed, and a retry must submit the
// same note.
test("stores a note once if the form is resubmitted after a lost response", async ({
  page,
  server,
  signInAs,
  noise,
}) => {
  noise.expect(/ERR_|Failed to load resource/);
  await signInAs("Nadia");
  const reference = await confirmedRequestOn(server, "lost-answer@uni.example");
  await page.goto(`/operator/requests/${reference}`);
  await page.waitForLoadState();
  await page.locator("details#note summary").click();
  await page.locator("#note-note").fill("She called at one.");
  const isPosted = { lost: false };
  await page.route("**", async (route) => {
    if (route.request().method() !== "POST" || isPosted.lost) return route.continue();
    isPosted.lost = true;
    await route.fetch();
    return route.abort();
  });
  const write = page.getByRole("button", { name: acts.note });
  await write.click();
  await expect(page.locator("#told")).toContainText(problems.unknownTitle);
  await expect(page.locator("#told")).toContainText(problems.stillHere);
  await write.click();
  await expect(page.getByText(results.note)).toBeVisible();
  await expect(page.getByText("She called at one.")).toHaveCount(1);
});

test("focuses and scrolls to an invalid field far down a page", async ({
  page,
  signInAs,
  noise,
}) => {
  noise.expect(statusLine(422));
  await page.setViewportSize(phone);
  await signInAs("Nadia");
  await page.goto("/operator/me");
  await page.locator("input[name=from]").fill("2026-12-25");
  await page.locator("input[name=until]").fill("2026-12-21");
  await page.locator("form:has(input[name=from]) button").click();
  const until = page.locator("input[name=until]");
  await expect(until).toHaveAttribute("aria-invalid", "true");
  await page.evaluate(untilScrolled);
  await expect(until).toBeFocused();
  await expect(until).toBeInViewport({ ratio: 1 });
});

/** Waits until the page has kept its position for twenty frames, so that no smooth scroll is running. */
function untilScrolled(): Promise<void> {
  return new Promise((still) => {
    let [last, frames] = [scrollY, 0];
    const look = () => {
      frames = scrollY === last ? frames + 1 : 0;
      last = scrollY;
      if (frames < 20) requestAnimationFrame(look);
      else still();
    };
    look();
  });
}

for (const size of [
  { width: 640, height: 360 },
  { width: 320, height: 200 },
]) {
  test(`reaches the page and every link of the menu in a window of ${size.width} by ${size.height} pixels`, async ({
    page,
    signInAs,
  }) => {
    await page.setViewportSize(size);
    await signInAs("Nadia", "admin");
    await page.goto("/operator/me");
    await page.locator("[popovertarget=operator-more]").click();
    for (const link of await page.locator("#operator-more a").all()) {
      await link.scrollIntoViewIfNeeded();
      await expect(link).toBeInViewport({ ratio: 1 });
    }
    await page.keyboard.press("Escape");
    await page.locator("main form button").last().scrollIntoViewIfNeeded();
    await expect(page.locator(".desk-nav > ul")).not.toBeInViewport();
  });
}
