import { createPublicKey, verify } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { startMailServer } from "../faults/mail-server.fixture.ts";
import { expect, test } from "../harness/browser.ts";
import { campus } from "../harness/campus.ts";
import { prepareExample } from "../harness/example-account-system.ts";
import { passUndo } from "../harness/pass-undo.ts";

// A deletion from the form to the last trace, with the real server, a real mail server and the example account system,
// each a process or a socket of its own, by the real clock.

const words = campus.deletion;
const email = "ayesha.rahman@uni.example";

test("form, mail, confirmation, account system, receipt, its signature and erasure", async ({
  page,
  serverWith,
}) => {
  const mail = await startMailServer();
  const example = await prepareExample();
  const site = await serverWith({ SMTP_URL: mail.url, ...example.sent });
  await example.receive(site.url);
  example.enter("u-1", email);
  const linkIn = async (subject: RegExp) => {
    const find = () => mail.received.findLast((one) => subject.test(one.mail.subject ?? ""));
    await expect.poll(find, { timeout: 120_000 }).toBeDefined();
    return /https?:\S*\?link=[\w-]+/.exec(find()?.mail.text ?? "")?.[0] ?? "";
  };

  await page.goto(`${site.url}/delete-my-account`);
  await page.getByLabel(words.form.emailLabel).fill(email);
  await page.getByLabel(words.form.reasonLabel).selectOption(words.form.reasons.other);
  await page.getByLabel(words.form.confirmLabel).check();
  await page.getByRole("button", { name: words.form.submit }).click();
  await expect(page.getByRole("heading", { name: words.success.title })).toBeVisible();

  await page.goto(await linkIn(/^Confirm the deletion/));
  await page.getByRole("button", { name: words.visit.confirm.button }).click();
  await expect.poll(() => passUndo(site.dataDir), { timeout: 120_000 }).toBe(1);
  expect(example.count("u-1")).toBe(0);
  await page.goto(await linkIn(/^Done/));
  await expect(page.getByText(words.visit.status.states.completed.text)).toBeVisible();

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: words.visit.receipt.download }).click(),
  ]);
  const receipt = (await readFile(await download.path(), "utf8")).replaceAll("\r", "");
  const [entry = ""] = /^Deletion ledger, entry (?:.+\n)+/m.exec(receipt) ?? [];
  const place = /^Key: (.+)$/m.exec(receipt)?.[1] ?? "";
  const signature = /^Signature: (.+)$/m.exec(receipt)?.[1] ?? "";
  const key = createPublicKey(await (await fetch(place)).text());
  expect(verify(null, Buffer.from(entry), key, Buffer.from(signature, "base64"))).toBe(true);
  // What the account system said is what is signed.
  expect(entry).toContain("accounts/identity deleted");

  // Nothing of the person is left, in either system.
  const readSite = async () => {
    const names = await readdir(site.dataDir, { recursive: true, withFileTypes: true });
    const files = names.filter((one) => one.isFile());
    const texts = await Promise.all(
      files.map((one) => readFile(join(one.parentPath, one.name), "latin1").catch(() => "")),
    );
    return texts.join("\n");
  };
  await expect
    .poll(async () => (await readSite()).includes(email), { timeout: 120_000 })
    .toBe(false);
  expect(await example.readFolder()).not.toContain(email);

  await page.goto("about:blank");
  await example[Symbol.asyncDispose]();
  await mail.close();
});
