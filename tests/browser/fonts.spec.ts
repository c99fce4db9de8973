import { devices } from "@playwright/test";
import { expect, type Page, test } from "../harness/browser.ts";
import { addressIn, campus } from "../harness/campus.ts";
import { confirmedRequestOn } from "../harness/deletion-form.ts";

// The test fonts contain only Latin letters (tests/harness/faces.ts).

/** Returns the fonts that the browser used to render an element's text. */
async function facesOf(page: Page, selector: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("DOM.enable");
  await session.send("CSS.enable");
  const { root } = await session.send("DOM.getDocument");
  const { nodeId } = await session.send("DOM.querySelector", { nodeId: root.nodeId, selector });
  const { fonts } = await session.send("CSS.getPlatformFontsForNode", { nodeId });
  return fonts.map(({ familyName }) => familyName);
}

const [other] = campus.translations;
if (!other) throw new Error("The campus has only one language");
const translated = (path: string) => addressIn(other.settings.language, path);

test("loads a web font for characters that no installed font covers", async ({ page }) => {
  for (const [what, path, selector] of [
    ["the name of the other language", "/", "header a[lang]"],
    ["a price", "/", "#features dd"],
    ["the title of the landing page", translated("/"), "h1"],
    ["the text of a page", translated("/faq"), "main p"],
  ] as const) {
    await page.goto(path);
    const element = page.locator(selector).filter({ hasText: /\p{Script=Bengali}/u });
    await element.first().evaluate((found) => found.setAttribute("data-looked-at", ""));
    await expect.poll(() => facesOf(page, "[data-looked-at]"), what).toContain("Noto Sans Bengali");
  }
});

test("shows Bangla to operators whose computer has no Bengali font", async ({
  page,
  server,
  signInAs,
}) => {
  const { form } = campus.operator.desk;
  await signInAs("Nadia");
  const reference = await confirmedRequestOn(server, "letters@uni.example");
  await page.goto(`/operator/requests/${reference}`);
  const fold = page.locator("details#cancel");
  await fold.locator("summary").click();
  await fold.locator("textarea").fill("কখন");
  await fold.getByRole("button", { name: form.preview }).click();
  await page.locator("main article pre").waitFor();
  await expect.poll(() => facesOf(page, "main article pre")).toContain("Noto Sans Bengali");
});

test("loads only the display font on a phone with fonts for every script", async ({
  browser,
  server,
}) => {
  const context = await browser.newContext(devices["Pixel 7"]);
  const page = await context.newPage();
  const loaded: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith(".woff2")) loaded.push(request.url());
  });
  await page.goto(server.url + translated("/"), { waitUntil: "networkidle" });
  expect(loaded).toEqual([expect.stringContaining("bricolage")]);
  await context.close();
});
