import { execFile, spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { prepareLedger } from "../../server/deletion-requests/ledger/chain.ts";
import { addressCommand, checkingCommands } from "../../server/deletion-requests/ledger/proof.ts";
import { paths } from "../../server/http/paths.ts";
import { createKeys, parseKeys } from "../../server/keys/keys.ts";
import { campus, root } from "../harness/campus.ts";
import { confirmedRequest } from "../harness/deletion-form.ts";
import { type DeletionWalk, walkDeletion } from "../harness/deletion-walk.ts";
import { folder, folderForEachTest } from "../harness/folder.ts";
import { textOf } from "../harness/html.ts";
import { openTestSite } from "../harness/test-site.ts";

// A receipt is checked as docs/checking-a-receipt.md says, with exactly the lines that stand there: its script everywhere, the
// lines for a shell where their programs are.

const run = promisify(execFile);
const manual = await readFile(join(root, "docs/checking-a-receipt.md"), "utf8");
const blocks = (language: string) =>
  [...manual.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(
    ([, lines = ""]) => lines,
  );
const [fetchKey = "", check = "", whom = ""] = blocks("sh");
const [script = ""] = blocks("js");
const [curl, openssl] = ["curl", "openssl"].map((name) => !spawnSync(name, ["version"]).error);

let walk: DeletionWalk;
let visit: string;
let receipt: string;
beforeAll(async () => {
  walk = await walkDeletion();
  const { address } = await walk.open("completed");
  visit = new URLSearchParams(address.split("?")[1]).get("visit") ?? "";
  receipt = await walk.site.read(`${paths.deletionReceipt}?visit=${visit}`);
});
afterAll(() => walk[Symbol.asyncDispose]());

folderForEachTest();
beforeEach(async () => {
  await writeFile(join(folder, "receipt.txt"), receipt);
  await writeFile(join(folder, "check-receipt.mjs"), script);
  await writeFile(join(folder, "key.pem"), await walk.site.read(paths.receiptKey(1)));
});

/** Runs lines of the manual where the receipt lies. Fails as a shell does that stops at the first failure. */
async function sh(lines: string): Promise<string> {
  return (await run("sh", ["-ec", lines], { cwd: folder })).stdout;
}

describe("a receipt", () => {
  const node = () =>
    run(process.execPath, ["check-receipt.mjs", "receipt.txt", "key.pem"], { cwd: folder });

  test.runIf(curl && openssl)("is genuine, by curl and openssl", async () => {
    await sh(fetchKey.replaceAll("https://rides.example", walk.site.publicUrl));
    const said = await sh(check);
    expect(said).toContain("Signature Verified Successfully");
    expect(textOf(await walk.site.read(`${paths.deletion}?visit=${visit}`))).toContain(
      said.trim().split(" ").at(-1),
    );
  });

  test("is genuine, by a few lines of a script", async () => {
    expect(script.trim().split("\n").length).toBeLessThanOrEqual(17);
    expect((await node()).stdout).toMatch(/^genuine [0-9a-f]{64}\n$/);
  });

  test.each([
    ["whose date was changed", /^Due: .*$/m, "Due: 2027-01-01"],
    ["of another request", /(What: completed\nReference: ).*$/m, "$1AAAA-AAAA\r"],
    ["that says more than it did", /^Address: .*$/m, "$&\nData: accounts/identity none"],
    ["whose signature is another's", /^Signature: ..../m, "Signature: AAAA"],
    ["with a second signature", /^Signature: .*$/m, "$&\n$&"],
    ["with a signature and more", /^Signature: .*$/m, "$& more"],
    ["with a second entry behind it", /$/, "\nDeletion ledger, entry 999\nWhat: completed\n"],
    ["with the beginning of a second", /$/, "\nDeletion ledger, entry 999"],
  ])("%s is not genuine", async (_, from, to) => {
    expect(receipt).toMatch(from);
    await writeFile(join(folder, "receipt.txt"), receipt.replace(from, to));
    await expect(node()).rejects.toMatchObject({ stdout: expect.stringMatching(/^NOT GENUINE/) });
    if (openssl) await expect(sh(check)).rejects.toThrow();
  });

  test.runIf(openssl)(
    "says by openssl what it says by a script of whose account it was",
    async () => {
      await sh(check);
      const said = await sh(whom.replace("ADDRESS", "completed@uni.example"));
      expect(receipt).toContain(`Address: ${said.trim().split(" ").at(-1)}`);
    },
  );
});

test("is one file: what is downloaded is what the mail had with it, byte by byte and by name", async () => {
  const { headers } = await walk.site.ask(`${paths.deletionReceipt}?visit=${visit}`);
  const sent = walk.received.findLast(({ to }) => to.includes("completed@uni.example"));
  const files = sent?.mail.attachments ?? [];
  const texts = files.map(({ content }) => Buffer.from(content as ArrayBuffer).toString("utf8"));
  expect(texts).toEqual([receipt]);
  expect(headers.get("content-disposition")).toContain(`"${files[0]?.filename}"`);
  expect(receipt).not.toContain(campus.mail.completed.proof);
});

test("the keys' address says how to check, with the lines of the manual, and shows every key", async () => {
  const text = await walk.site.read(paths.receiptKeys);
  const commands = text.split("\n").flatMap((line) => (line.startsWith("  ") ? [line.trim()] : []));
  expect(commands).toEqual([...checkingCommands, addressCommand]);
  expect(`${commands.join("\n")}\n`).toBe(`${check}${whom}`);
  const pem = await walk.site.read(paths.receiptKey(1));
  expect(text).toContain(`${walk.site.publicUrl}${paths.receiptKey(1)}\n${pem}`);
  expect(receipt).toContain(`Key: ${walk.site.publicUrl}${paths.receiptKey(1)}\n`);
  await walk.site.read(paths.receiptKey(2), 404);
});

test("a key that was replaced stays published", async () => {
  await using site = await openTestSite();
  const before = await site.read(paths.receiptKey(1));
  const later = createKeys(parseKeys(`2:${"B".repeat(42)}A`) ?? []);
  await prepareLedger(site.database, later, site.clock());
  expect(await site.read(paths.receiptKey(1))).toBe(before);
  expect(await site.read(paths.receiptKey(2))).not.toBe(before);
});

test("below the keys stands how the ledger ended by day, of each day that is over", async () => {
  await using site = await openTestSite();
  const reference = await confirmedRequest(site, "anika@uni.example");
  const act = { type: "refuse", reason: "no-account", explanation: "" } as const;
  await site.services.desk.act(reference, act, "Nadia");
  site.wait({ hours: 24 });
  const [newest] = await site.services.ledgerHeads();
  expect(newest).toBeDefined();
  const text = await site.read(paths.receiptKeys);
  expect(text).toContain(`\n${newest?.day} ${newest?.hash}\n`);
});
