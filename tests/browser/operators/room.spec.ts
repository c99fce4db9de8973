import { expect, type Page, statusLine, test } from "../../harness/browser.ts";
import { campus } from "../../harness/campus.ts";
import { confirmedRequestOn } from "../../harness/confirmed-request.ts";
import { signInBrowser } from "../../harness/sign-in.ts";
import { walkThrough } from "../../harness/walk-through.ts";

// What a large screen has room for is used, and on a phone what comes next is in view.

const { acts, enter, problems, together } = campus.operator.desk;

test("a large screen has a further column on a request and on Health", async ({
  page,
  server,
  signInAs,
}) => {
  const reference = await confirmedRequestOn(server, "room@uni.example");
  await page.setViewportSize({ width: 1920, height: 1000 });
  await signInAs("Nadia");
  await page.goto(`/operator/requests/${reference}`);
  expect(await columnsOf(page, "main section")).toBeGreaterThanOrEqual(3);
  await page.goto("/operator/health");
  expect(await columnsOf(page, "main ul > li")).toBe(3);
});

test("on a phone the first request can be taken without scrolling, and its answer leads on to it", async ({
  page,
  context,
  serverWith,
}) => {
  // Of its own: elsewhere it is not the first.
  const server = await serverWith({});
  const reference = await confirmedRequestOn(server, "thumb-first@uni.example");
  await page.setViewportSize({ width: 360, height: 640 });
  await signInBrowser(context, server, "Nadia");
  const take = page.getByRole("button", { name: acts.take, exact: true });
  for (const path of [`/operator/requests/${reference}`, "/operator"]) {
    await page.goto(server.url + path);
    const bar = await page.locator("nav > ul").boundingBox();
    const button = await take.boundingBox();
    expect((button?.y ?? 0) + (button?.height ?? 0), path).toBeLessThanOrEqual(bar?.y ?? 0);
  }
  await take.click();
  await expect(page.getByRole("heading", { level: 1, name: reference })).toBeVisible();
});

test("in a drill with trouble too, a phone's first view has the next step of a request and its whole banner", async ({
  page,
  desk,
}) => {
  const steps = ["new", "late", "held", "reopened", "done", "to-approve"];
  for (const { name, show } of desk.scenes) {
    if (!steps.includes(name.slice("request-".length))) continue;
    for (const width of [320, 360]) {
      await page.setViewportSize({ width, height: 640 });
      await show(page);
      const bar = await page.locator("nav > ul").boundingBox();
      const next = await page.locator("main form button[type=submit]").first().boundingBox();
      expect((next?.y ?? 640) + (next?.height ?? 0), `${name} at ${width}`).toBeLessThanOrEqual(
        bar?.y ?? 0,
      );
      // What says so is still read, and its way out is as high as a thumb.
      await expect(page.getByText(campus.operator.frame.drill)).toBeInViewport({ ratio: 1 });
      const way = await page.locator("header aside a").boundingBox();
      expect(way?.height, `${name} at ${width}`).toBeGreaterThanOrEqual(44);
    }
  }
});

test("a page of a few words has a drawing beside them where there is room, and none on a phone", async ({
  page,
  noise,
  signInAs,
}) => {
  noise.expect(statusLine(404));
  await signInAs("Nadia", "admin");
  const few = [
    "/operator/sign-out",
    "/operator/touch",
    "/operator/batch",
    "/operator/subject",
    "/operator/requests/2222-2222",
  ];
  for (const path of few) {
    await page.setViewportSize({ width: 1920, height: 1000 });
    await page.goto(path);
    const drawing = page.locator("main img");
    const title = await page.getByRole("heading", { level: 1 }).boundingBox();
    const box = await drawing.boundingBox();
    expect(box?.x, path).toBeGreaterThan((title?.x ?? 0) + 600);
    expect(box?.width, path).toBeGreaterThan(600);
    expect(box?.y, path).toBe(title?.y);
    await page.setViewportSize({ width: 360, height: 640 });
    await expect(drawing, path).toBeHidden();
  }
});

test("a chosen row brings a bar that stays in view, and a row opens wherever it is pressed", async ({
  page,
  server,
  signInAs,
}) => {
  const reference = await confirmedRequestOn(server, "somebody-with-a-name@students.uni.example");
  await signInAs("Nadia");
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 640 });
    await page.goto("/operator");
    const bar = page.getByRole("button", { name: together.complete });
    await expect(bar).toBeHidden();
    const row = page.getByRole("listitem").filter({ hasText: reference });
    await row.getByRole("checkbox").check();
    await page.evaluate(() => scrollTo(0, 0));
    await expect(bar).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await row.click({ position: { x: 60, y: 4 } });
    await expect(page).toHaveURL(new RegExp(reference));
  }
});

test("what is wrong with a new request stands beside its fields", async ({
  page,
  noise,
  signInAs,
}) => {
  noise.expect(statusLine(422));
  await signInAs("Nadia");
  await page.goto("/operator/requests/new");
  await page.locator("main form").evaluate((form) => {
    (form as HTMLFormElement).noValidate = true;
  });
  await page.getByRole("button", { name: enter.button }).click();
  for (const label of [enter.old, enter.contact]) {
    const field = page.getByLabel(label, { exact: true });
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(field).toHaveAccessibleDescription(new RegExp(problems.emailMissing));
  }
  const beside = page.locator("main form").getByText(problems.proof);
  await expect(beside).toBeVisible();
  // Above, they stand in the order of the fields.
  const told = await page
    .locator("#told a")
    .evaluateAll((all) => all.map((one) => one.getAttribute("href")?.split("#")[1] ?? ""));
  const fields = await page.locator("main form [id]").evaluateAll((all) => all.map(({ id }) => id));
  expect(told).toEqual(fields.filter((id) => told.includes(id)));
  // Whoever goes to a field by its problem still reads it there.
  await page.locator("#told").getByRole("link", { name: problems.reason }).click();
  const reason = page.getByLabel(enter.reason, { exact: true });
  await expect(reason).toBeFocused();
  await expect(reason).toHaveAccessibleDescription(problems.reason);
  await expect(reason).toHaveAttribute("aria-invalid", "true");
  await expect(reason).toHaveValue("");
});

test("on a phone the button of several at once is under the thumb, and a problem leads to its field", async ({
  page,
  noise,
  server,
  signInAs,
}) => {
  noise.expect(statusLine(422));
  const references = [
    await confirmedRequestOn(server, "several-one@uni.example"),
    await confirmedRequestOn(server, "several-two@uni.example"),
  ];
  await page.setViewportSize({ width: 360, height: 640 });
  await signInAs("Nadia");
  const query = references.map((reference) => `&r=${reference}`).join("");
  for (const act of ["take", "complete"] as const) {
    await page.goto(`/operator/batch?act=${act}${query}`);
    const button = page.locator("main form button[type=submit]");
    if (act === "complete") await walkThrough(page);
    await expect(button).toBeInViewport({ ratio: 1 });
    const bar = await page.locator("nav > ul").boundingBox();
    const box = await button.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0), act).toBeLessThanOrEqual(bar?.y ?? 0);
    // Their line goes from edge to edge, and both stand in one.
    for (const width of [320, 360, 760]) {
      await page.setViewportSize({ width, height: 640 });
      const under = await button.locator("..").boundingBox();
      const edges = [under?.x, under?.width].map((one) => Math.round(one ?? -1));
      expect(edges, `${act} at ${width}`).toEqual([0, width]);
      const own = await button.boundingBox();
      const back = await button.locator("+ a").boundingBox();
      // A button under the pointer is lifted.
      expect(Math.abs((back?.y ?? 99) - (own?.y ?? 0)), `${act} at ${width}`).toBeLessThan(2);
    }
    await page.setViewportSize({ width: 360, height: 640 });
    await page.locator("main form").evaluate((form) => {
      (form as HTMLFormElement).noValidate = true;
    });
    await button.click();
    await page.locator("#told").waitFor();
  }
  await expect(page.locator("#told")).toBeFocused();
  await page.locator("#told").getByRole("link", { name: problems.addressMissing }).click();
  const field = page.locator("#addresses");
  await expect(field).toBeFocused();
  await expect(field).toHaveAccessibleDescription(new RegExp(problems.addressMissing));
  await expect(field).toHaveAttribute("aria-invalid", "true");
});

/** At how many different places from the left these begin. */
async function columnsOf(page: Page, selector: string): Promise<number> {
  const lefts = await page
    .locator(selector)
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
  return new Set(lefts).size;
}
