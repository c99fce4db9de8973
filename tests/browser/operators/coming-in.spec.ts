import { expect, expectAccessible, phone, statusLine, test } from "../../harness/browser.ts";
import { enrol, giveDevice } from "../../harness/device.ts";
import { untilTakenOver } from "../../harness/page-state.ts";
import { runToEnd, type ServerProcess } from "../../harness/server-process.ts";

// People come in with a device of their own.

async function operators(server: ServerProcess, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runToEnd(
    "server/command-line/operators.ts",
    { DATA_DIR: server.dataDir, PUBLIC_URL: server.url },
    args,
  );
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return stdout;
}

async function invite(server: ServerProcess, name: string, ...flags: string[]): Promise<string> {
  const said = await operators(
    server,
    "invite",
    name,
    `${name.toLowerCase()}@uni.example`,
    ...flags,
  );
  return /http\S+/.exec(said)?.[0] ?? "";
}

test("somebody is invited, makes a passkey, signs out and in, and loses the phone", async ({
  page,
  serverWith,
  noise,
}) => {
  // A whole day at the door, looked at by axe on five pages.
  test.slow();
  noise.expect(statusLine(403));
  noise.expect(statusLine(401));
  const server = await serverWith({});
  await page.setViewportSize(phone);
  const device = await giveDevice(page);
  expect((await page.request.get(`${server.url}/operator`)).status()).toBe(404);
  const link = await invite(server, "Nadia");

  const codes = await enrol(page, link);
  expect(codes).toHaveLength(10);
  await expectAccessible(page, "codes");
  await page.getByRole("link", { name: "I have kept them" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Today" })).toBeVisible();

  await page.goto("about:blank");
  await page.goto(link);
  await expect(page.getByText("This link was used already.")).toBeVisible();

  await page.goto(`${server.url}/operator/me`);
  await expect(page.getByText("10 codes are left.")).toBeVisible();
  await expectAccessible(page, "my account");

  await page.goto(`${server.url}/operator/sign-out`);
  await page.locator("main").getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/operator\/sign-in$/);
  await page.goto(`${server.url}/operator/people`);
  await expect(page).toHaveURL(/\/operator\/sign-in\?to=/);
  await expectAccessible(page, "sign in");
  await untilTakenOver(page);
  await page.getByRole("button", { name: "Sign in with your passkey" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "People" })).toBeVisible();
  await expectAccessible(page, "people");

  await device.lose();
  await page.context().clearCookies();
  await page.goto(`${server.url}/operator/sign-in`);
  await page.getByText("Lost your phone?").click();
  await page.getByLabel("Recovery code").fill(codes[3]?.toUpperCase() ?? "");
  await page.getByRole("button", { name: "Use this code" }).click();
  await expect(page.getByRole("heading", { name: "Hello, Nadia" })).toBeVisible();
  await untilTakenOver(page);
  await page.getByRole("button", { name: "Make my passkey" }).click();
  await page.getByRole("link", { name: "My account" }).click();
  await expect(page.getByText("9 codes are left.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Take away/ })).toHaveCount(2);
  await page
    .getByRole("button", { name: /^Take away/ })
    .first()
    .click();
  await expect(page.getByRole("button", { name: /^Take away/ })).toHaveCount(1);

  await page.goto(`${server.url}/operator/people/trail`);
  await expect(page.getByText("used a recovery code")).toBeVisible();
  await expectAccessible(page, "trail");
});

test("a keeper invites, and whoever is removed is out at once", async ({
  page,
  browser,
  serverWith,
  noise,
}) => {
  noise.expect(statusLine(401));
  const server = await serverWith({});
  await giveDevice(page);
  await enrol(page, await invite(server, "Nadia"));
  await page.goto(`${server.url}/operator/people`);
  await page.getByLabel("Name, as it stands in trails").fill("Rafi");
  await page.getByLabel("Mail address").fill("rafi@uni.example");
  await page.getByRole("button", { name: "Make the link" }).click();
  const link = await page.locator("code").textContent();

  const other = await browser.newContext();
  const rafi = await other.newPage();
  await giveDevice(rafi);
  await enrol(rafi, link ?? "");
  await rafi.goto(`${server.url}/operator`);
  await expect(rafi.getByRole("heading", { level: 1, name: "Today" })).toBeVisible();
  expect((await rafi.goto(`${server.url}/operator/people`))?.status()).toBe(403);

  await page.goto(`${server.url}/operator/people`);
  await page.locator("summary").filter({ hasText: "Rafi" }).click();
  await page.getByRole("button", { name: "Remove Rafi" }).click();
  await expect(page.getByText("Rafi has left the team.")).toBeVisible();
  await rafi.goto(`${server.url}/operator`);
  await expect(rafi).toHaveURL(/sign-in/);
  await untilTakenOver(rafi);
  await rafi.getByRole("button", { name: "Sign in with your passkey" }).click();
  await expect(rafi.getByText("This passkey opens nothing here.")).toBeVisible();
  await other.close();
});
