import { findFaults } from "../../harness/axe.ts";
import { expect, type Page, phone, statusLine, test } from "../../harness/browser.ts";
import { campus, say } from "../../harness/campus.ts";
import { runToEnd, type ServerProcess } from "../../harness/server-process.ts";

// Operators enroll a device and sign in with it.

const { door, frame } = campus.operator;

async function invite({ dataDir, url }: ServerProcess): Promise<string> {
  const settings = { DATA_DIR: dataDir, PUBLIC_URL: url };
  const words = ["invite", "Nadia", "nadia@uni.example"];
  const { stdout } = await runToEnd("server/cli/operators.ts", settings, words);
  return /http\S+/.exec(stdout)?.[0] ?? "";
}

/**
 * Adds Chromium's virtual authenticator, whose user verification always succeeds.
 * @returns a function that replaces this authenticator with a new one, which has no passkeys
 */
async function addAuthenticator(page: Page) {
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

/** Presses a button that needs JavaScript, once its script has loaded. */
async function press(page: Page, name: string): Promise<void> {
  await page.waitForLoadState();
  await page.getByRole("button", { name }).click();
}

const expectTitle = (page: Page, name: string) =>
  expect(page.getByRole("heading", { level: 1, name })).toBeVisible();

/**
 * Enrolls Nadia's phone with her invitation. Returns the invitation's link, her recovery codes and a
 * function `lose` that replaces the phone.
 */
async function enrolDevice(page: Page, server: ServerProcess) {
  await page.setViewportSize(phone);
  const lose = await addAuthenticator(page);
  const link = await invite(server);
  await page.goto(link);
  await press(page, door.enrol.button);
  await page.getByRole("heading", { name: door.codes.title }).waitFor();
  return { lose, link, codes: await page.locator("code").allTextContents() };
}

test("enrolls a device, creates a link for a second one and signs in again after signing out", async ({
  page,
  serverWith,
  noise,
}) => {
  noise.expect(statusLine(403));
  // Chromium logs which data it clears on sign-out.
  noise.expect(/^info: Clear-Site-Data header/);
  const server = await serverWith({});
  const { link } = await enrolDevice(page, server);
  expect(await findFaults(page), "axe on the codes").toEqual([]);
  await page.getByRole("link", { name: door.codes.goOn }).click();
  await expectTitle(page, frame.pages.today.title);

  await page.goto(`${server.url}/operator/me`);
  await press(page, door.me.addOther);
  await expect(page.locator("#told:has(.desk-link)")).toBeFocused();
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
  await press(page, door.signIn.button);
  await expectTitle(page, frame.pages.people.title);
});

test("enrolls a new phone with a recovery code", async ({ page, serverWith }) => {
  const server = await serverWith({});
  const { lose, codes } = await enrolDevice(page, server);
  await lose();
  await page.context().clearCookies();
  await page.goto(`${server.url}/operator/sign-in`);
  await page.getByText(door.lost.title).click();
  await page.getByLabel(door.lost.label).fill(codes[3]?.toUpperCase() ?? "");
  await page.getByRole("button", { name: door.lost.button }).click();
  await expectTitle(page, say(door.enrol.hello, { name: "Nadia" }));
  await press(page, door.enrol.button);
  await page.getByRole("link", { name: frame.pages.me.title }).click();
  await expect(page.getByText(say(door.me.codesLeft, { count: 9 }))).toBeVisible();
  const passkeys = page.locator("section:has(#passkeys)").getByRole("listitem");
  await expect(passkeys).toHaveCount(2);
  await expect(passkeys.last()).toContainText(door.me.here);
});

/** Nonstandard passkey responses of some browsers and password managers. */
const passkeyAnswers = {
  "whose toJSON throws": () =>
    answerAs((made) => Object.create(PublicKeyCredential.prototype, made)),
  "without toJSON": () => answerAs((made) => Object.create(null, made)),
  "in a browser without JSON helpers": () => {
    Reflect.deleteProperty(PublicKeyCredential, "parseCreationOptionsFromJSON");
    Reflect.deleteProperty(PublicKeyCredential, "parseRequestOptionsFromJSON");
    Reflect.deleteProperty(PublicKeyCredential.prototype, "toJSON");
  },
};

declare function answerAs(build: (made: PropertyDescriptorMap) => object): void;

/**
 * Makes `credentials.create` and `credentials.get` return an object built by the test, like
 * password managers.
 */
function defineAnswerAs(): void {
  Object.assign(window, {
    answerAs(build: (made: PropertyDescriptorMap) => object) {
      const { credentials } = navigator;
      for (const name of ["create", "get"] as const) {
        const ask = credentials[name].bind(credentials) as (options: object) => Promise<unknown>;
        credentials[name] = async (options?: object) => {
          const made = (await ask(options ?? {})) as PublicKeyCredential;
          const { id, rawId, type, response } = made;
          const values = Object.entries({ id, rawId, type, response });
          const described = values.map(([key, value]) => [key, { value, enumerable: true }]);
          return build(Object.fromEntries(described)) as Credential;
        };
      }
    },
  });
}

/**
 * Applies a patch only in secure contexts, where passkeys exist. The browser's initial blank page
 * isn't a secure context.
 */
const patched = (patch: () => void) =>
  `if (isSecureContext) { (${defineAnswerAs})(); (${patch})(); }`;

for (const [what, patch] of Object.entries(passkeyAnswers)) {
  test(`enrolls and signs in with a passkey ${what}`, async ({ page, serverWith }) => {
    const server = await serverWith({});
    await page.addInitScript(patched(patch));
    await enrolDevice(page, server);
    await page.context().clearCookies();
    await page.goto(`${server.url}/operator/people`);
    await press(page, door.signIn.button);
    await expectTitle(page, frame.pages.people.title);
  });
}

test("reports an unreadable passkey next to the button", async ({ page, serverWith }) => {
  const server = await serverWith({});
  const { lose } = await enrolDevice(page, server);
  const unreadable = () => answerAs(() => ({ id: "", type: "public-key", response: {} }));
  await page.addInitScript(patched(unreadable));
  await page.goto(`${server.url}/operator/me`);
  await press(page, door.me.addOther);
  const another = (await page.locator("main .desk-link").textContent()) ?? "";
  await page.context().clearCookies();
  await lose();
  await page.goto(another);
  await press(page, door.enrol.button);
  await expect(page.getByRole("status").filter({ hasText: door.unreadableNew })).toBeVisible();
  await page.goto(`${server.url}/operator/sign-in`);
  await press(page, door.signIn.button);
  await expect(page.getByRole("status").filter({ hasText: door.unreadable })).toBeVisible();
});
