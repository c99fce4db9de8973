import { execFile, spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { publishKeys } from "../../server/deletion-requests/ledger/entries.ts";
import { addressCommand, checkingCommands } from "../../server/deletion-requests/ledger/proof.ts";
import { createKeys, parseKeys } from "../../server/platform/crypto/keys.ts";
import { paths } from "../../server/platform/http/paths.ts";
import { campus, root } from "../harness/campus.ts";
import { type DeletionScenario, openDeletionScenario } from "../harness/deletion-scenario.ts";
import { folder, folderForEachTest } from "../harness/folder.ts";
import { textOf } from "../harness/html.ts";
import { openTestSite } from "../harness/test-site.ts";

// Runs the script and the commands in docs/check-a-receipt.md. Skips the shell commands on systems
// without curl or openssl.

const run = promisify(execFile);
const manual = await readFile(join(root, "docs/check-a-receipt.md"), "utf8");
const blocks = (language: string) =>
  [...manual.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(
    ([, lines = ""]) => lines,
  );
const [fetchKey = "", check = "", whom = ""] = blocks("sh");
const [script = ""] = blocks("js");
const [curl, openssl] = ["curl", "openssl"].map((name) => !spawnSync(name, ["version"]).error);

let scenario: DeletionScenario;
let visit: string;
let receipt: string;
beforeAll(async () => {
  scenario = await openDeletionScenario();
  const { address } = await scenario.open("completed");
  visit = new URLSearchParams(address.split("?")[1]).get("visit") ?? "";
  receipt = await scenario.site.read(`${paths.deletionReceipt}?visit=${visit}`);
});
afterAll(() => scenario[Symbol.asyncDispose]());

folderForEachTest();

/** Runs shell commands in the receipt's folder. Throws if a command fails. */
async function sh(lines: string): Promise<string> {
  return (await run("sh", ["-ec", lines], { cwd: folder })).stdout;
}

const node = () =>
  run(process.execPath, ["check-receipt.mjs", "receipt.txt", "key.pem"], { cwd: folder });

async function save(receiptText: string, key: string): Promise<void> {
  await writeFile(join(folder, "receipt.txt"), receiptText);
  await writeFile(join(folder, "check-receipt.mjs"), script);
  await writeFile(join(folder, "key.pem"), key);
}

const released = (name: string) => readFile(join(root, "tests/http/receipts", name), "utf8");

/** The commands that version 1.12 printed in its receipts, except the one that printed a hash. */
const releasedCommands = `
tr -d '\\r' < receipt.txt > plain.txt
sed -n '/^Deletion ledger, entry /,/^$/p' plain.txt | grep . > entry.txt
sed -n 's/^Signature: //p' plain.txt | openssl base64 -d -A > entry.sig
openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in entry.txt -sigfile entry.sig`;

describe.each([
  ["of this version", async () => [receipt, await scenario.site.read(paths.receiptKey(1))]],
  ["of version 1.12", () => Promise.all([released("receipt-1.12.txt"), released("key-1.12.pem")])],
])("a receipt %s", (_, read) => {
  async function saved(change = (text: string) => text): Promise<void> {
    const [text = "", key = ""] = await read();
    await save(change(text), key);
  }

  test.runIf(openssl)("openssl verifies the receipt offline", async () => {
    await saved();
    expect(await sh(check)).toContain("Signature Verified Successfully");
  });

  test("the documented script verifies the receipt", async () => {
    await saved();
    expect((await node()).stdout).toBe("genuine\n");
  });

  test("the receipt verifies with Windows line endings", async () => {
    await saved((text) => text.replaceAll(/\r?\n/g, "\r\n"));
    expect((await node()).stdout).toBe("genuine\n");
    if (openssl) expect(await sh(check)).toContain("Signature Verified Successfully");
  });

  test.each([
    ["a changed date", /^Due: .*$/m, "Due: 2027-01-01"],
    ["another reference", /(What: completed\nReference: ).*$/m, "$1AAAA-AAAA"],
    ["an additional line", /^Address: .*$/m, "$&\nData: accounts/identity none"],
    ["another signature", /^Signature: ..../m, "Signature: AAAA"],
    ["a second signature", /^Signature: .*$/m, "$&\n$&"],
    ["text behind the signature", /^Signature: .*$/m, "$& more"],
    ["a second receipt below", /$/, "\nDeletion receipt\nWhat: completed\n"],
    ["a line below", /$/, "\nDeletion receipt"],
  ])("the receipt fails verification with %s", async (__, from, to) => {
    await saved((text) => {
      expect(text).toMatch(from);
      return text.replace(from, to);
    });
    await expect(node()).rejects.toMatchObject({ stdout: "NOT GENUINE\n" });
    if (openssl) await expect(sh(check)).rejects.toThrow();
  });

  test.runIf(openssl)("the receipt contains the hash of its email address", async () => {
    await saved();
    const output = await sh(whom.replace("ADDRESS", "completed@uni.example"));
    const [text] = await read();
    expect(text).toContain(`Address: ${output.trim().split(" ").at(-1)}`);
  });
});

test.runIf(openssl)("verifies a version 1.12 receipt with version 1.12's commands", async () => {
  await save(await released("receipt-1.12.txt"), await released("key-1.12.pem"));
  expect(await sh(releasedCommands)).toContain("Signature Verified Successfully");
});

test.runIf(curl && openssl)("verifies a receipt with the key at its published URL", async () => {
  await save(receipt, "");
  await sh(fetchKey.replaceAll("https://rides.example", scenario.site.publicUrl));
  expect(await sh(check)).toContain("Signature Verified Successfully");
});

test("explains verification on the page of a completed request", async () => {
  const html = await scenario.site.read(`${paths.deletion}?visit=${visit}`);
  const text = textOf(html);
  for (const command of checkingCommands) expect(text).toContain(command);
  expect(html).toContain(`href="${paths.receiptKey(1)}"`);
  expect(text).not.toMatch(/SHA-256|[0-9a-f]{64}/);
});

test("offers a download identical to the emailed receipt", async () => {
  const { headers } = await scenario.site.ask(`${paths.deletionReceipt}?visit=${visit}`);
  const sent = scenario.received.findLast(({ to }) => to.includes("completed@uni.example"));
  const files = sent?.mail.attachments ?? [];
  const texts = files.map(({ content }) => Buffer.from(content as ArrayBuffer).toString("utf8"));
  expect(texts).toEqual([receipt]);
  expect(headers.get("content-disposition")).toContain(`"${files[0]?.filename}"`);
  expect(receipt).not.toContain(campus.mail.completed.proof);
});

test("shows the documented commands and every key on the keys page", async () => {
  const text = await scenario.site.read(paths.receiptKeys);
  const commands = text.split("\n").flatMap((line) => (line.startsWith("  ") ? [line.trim()] : []));
  expect(commands).toEqual([...checkingCommands, addressCommand]);
  expect(`${commands.join("\n")}\n`).toBe(`${check}${whom}`);
  const pem = await scenario.site.read(paths.receiptKey(1));
  expect(text).toContain(`${scenario.site.publicUrl}${paths.receiptKey(1)}\n${pem}`);
  expect(receipt).toContain(`Key: ${scenario.site.publicUrl}${paths.receiptKey(1)}\n`);
  await scenario.site.read(paths.receiptKey(2), 404);
});

test("still publishes the old receipt key after a new key replaces it", async () => {
  await using site = await openTestSite();
  const before = await site.read(paths.receiptKey(1));
  const later = createKeys(parseKeys(`2:${"B".repeat(42)}A`) ?? []);
  await publishKeys(site.database, later, site.clock());
  expect(await site.read(paths.receiptKey(1))).toBe(before);
  expect(await site.read(paths.receiptKey(2))).not.toBe(before);
});
