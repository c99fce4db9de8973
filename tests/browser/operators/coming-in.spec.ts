import { expect, findFaults, type Page, phone, statusLine, test } from "../../harness/browser.ts";
import { campus, say } from "../../harness/campus.ts";
import { runToEnd, type ServerProcess } from "../../harness/server-process.ts";

// People come in with a device of their own.

const { door, frame } = campus.operator;

async function invite({ dataDir, url }: ServerProcess): Promise<string> {
  const settings = { DATA_DIR: dataDir, PUBLIC_URL: url };
  const words = ["invite", "Nadia", "nadia@uni.example"];
  const { stdout } = await runToEnd("server/command-line/operators.ts", settings, words);
  return /http\S+/.exec(stdout)?.[0] ?? "";
}

/**
 * Chromium's virtual authenticator stands for a phone's fingerprint, and always recognises its person.
 * @returns puts another phone in its place, without its passkeys
 */
async function giveDevice(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  const first = await cdp.send("WebAuthn.addVirtualAuthenticator", { options });
  return async function lose(): Promise<void> {
    await cdp.send("WebAuthn.removeVirtualAuthenticator", first);
    await cdp.send("WebAuthn.addVirtualAuthenticator", { options });
  };
}

// A whole day at the door: invited, out and in again, on another device, and without the phone.
test("a passkey opens the door", async ({ page, serverWith, noise }) => {
  test.slow();
  noise.expect(statusLine(403));
  noise.expect(statusLine(401));
  const server = await serverWith({});
  await page.setViewportSize(phone);
  const lose = await giveDevice(page);
  const link = await invite(server);
  const makePasskey = async () => {
    await page.waitForLoadState();
    await page.getByRole("button", { name: door.enrol.button }).click();
  };
  const expectTitle = (name: string) =>
    expect(page.getByRole("heading", { level: 1, name })).toBeVisible();

  await page.goto(link);
  await makePasskey();
  await page.getByRole("heading", { name: door.codes.title }).waitFor();
  const codes = await page.locator("code").allTextContents();
  expect(await findFaults(page), "axe on the codes").toEqual([]);
  await page.getByRole("link", { name: door.codes.goOn }).click();
  await expectTitle(frame.pages.today.title);

  // Another device comes in by a link of its own, pasted into the tab of a dead one.
  await page.goto(`${server.url}/operator/me`);
  await page.waitForLoadState();
  await page.getByRole("button", { name: door.me.addOther }).click();
  const another = (await page.locator("main .desk-link").textContent()) ?? "";
  await page.goto(link);
  await expect(page.getByText(door.problems["invitation-used"])).toBeVisible();
  await page.evaluate((hash) => {
    location.hash = hash;
  }, new URL(another).hash);
  await expect(page.getByText(door.enrol.device)).toBeVisible();

  await page.goto(`${server.url}/operator/people`);
  await page.locator("[popovertarget=operator-more]").click();
  await page.getByRole("button", { name: door.signOut.button }).click();
  await expect(page).toHaveURL(/\/operator\/sign-in$/);
  await page.goto(`${server.url}/operator/people`);
  await expect(page).toHaveURL(/\/operator\/sign-in\?to=/);
  await page.waitForLoadState();
  await page.getByRole("button", { name: door.signIn.button }).click();
  await expectTitle(frame.pages.people.title);

  await lose();
  await page.context().clearCookies();
  await page.goto(`${server.url}/operator/sign-in`);
  await page.getByText(door.lost.title).click();
  await page.getByLabel(door.lost.label).fill(codes[3]?.toUpperCase() ?? "");
  await page.getByRole("button", { name: door.lost.button }).click();
  await expectTitle(say(door.enrol.hello, { name: "Nadia" }));
  await makePasskey();
  await page.getByRole("link", { name: frame.pages.me.title }).click();
  await expect(page.getByText(say(door.me.codesLeft, { count: 9 }))).toBeVisible();
  const passkeys = page.locator("section:has(#passkeys)").getByRole("listitem");
  await expect(passkeys).toHaveCount(2);
  await expect(passkeys.last()).toContainText(door.me.here);
});
