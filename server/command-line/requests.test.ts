import { copyFile, mkdir, readdir, stat, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../database/database.ts";
import { toCsvLine } from "../deletion-requests/ledger/csv.ts";
import {
  createTestKeys,
  openOffice,
  type TestOffice,
} from "../deletion-requests/office.fixture.ts";
import { findRequest } from "../deletion-requests/store/finding.ts";
import { sampleCompletion } from "../deletion-requests/telling/sample-messages.ts";
import { sealFile } from "../keys/sealed-file.ts";
import { runCommand as runBackup } from "./backup.ts";
import { runCommand as runLedger } from "./ledger.ts";
import { runCommand } from "./requests.ts";

let office: TestOffice;

beforeEach(async () => {
  office = await openOffice();
});

afterEach(() => office.close());

const run = (...words: string[]) => runCommand(words, office);

const complete = (reference: string, address = "anika@uni.example") =>
  run(
    ...["act", "complete", reference, `address=${address}`, "account=user", "at-accounts=done"],
    ...["at-rides=done", "at-papers=none", "at-wallet=done", "--as", "nadia"],
  );

test("a sealed copy opens with the other key, and leaves no open one behind", async () => {
  const { reference } = await office.submit();
  const keyFile = join(office.folder, "backup-key");
  const made = await runBackup(["new-key", keyFile]);
  const key = String(made.out).trim();
  const sealed = join(office.folder, "copy.sealed");
  expect((await runCommand(["backup", sealed, "--seal-for", key], office)).out).toMatch(
    /, sealed\.\n/,
  );
  expect(await readdir(office.folder)).not.toContain("copy.sealed.open");
  const out = join(office.folder, "restored", "requests.sqlite");
  await mkdir(dirname(out));
  expect((await runBackup(["open", sealed, keyFile, out])).code).toBe(0);
  const restored = await openDatabase({ dataDir: dirname(out), mustExist: true });
  if (!restored.ok) throw new Error(restored.problem);
  expect(await findRequest(restored.database.read, { reference })).toMatchObject({ reference });
  await restored.database.close();
  expect((await runCommand(["backup", sealed, "--seal-for", "short"], office)).code).toBe(2);
});

test("an operator takes a request up and completes it, and the person gets the receipt", async () => {
  expect((await run("list")).out).toBe("No requests.\n");
  const reference = await office.submitConfirmed({ feedback: "=1+1\n\u200bsecond line" });
  expect((await run("list")).out).toMatch(
    /^REFERENCE +STATE +DUE +LEFT .*\n.{9} +confirmed +2026-12-06 +10 business days left +- +anika@uni\.example +2026-11-22 10:00 +other +once\n$/,
  );
  expect((await run("show", reference.toLowerCase())).out).toContain("  > =1+1\n  > second line\n");
  expect(await run("act", "take", reference, "--as", "Nadia")).toEqual({
    code: 0,
    out: `${reference}: take is done. It is in progress, due 2026-12-06, 10 business days left. Next: npm run requests -- act complete ${reference} --as Nadia\n`,
  });
  // Asked without more, it shows whose it is, and changes nothing.
  const asked = await run("act", "complete", reference, "--as", "Nadia");
  expect(asked.code).toBe(3);
  expect(asked.out).toMatch(/is the account of\n\n {6}anika@uni\.example\n/);
  expect(asked.out).toContain("[ ] wallet TELL THEM: payments");
  expect((await run("list")).out).toMatch(/ in progress +2026-12-06 /);
  expect(await complete(reference)).toEqual({
    code: 0,
    out: `${reference}: complete is done. It is done, receipt at 10:10, due 2026-12-06, 10 business days left. Until 10:10 nobody hears: npm run requests -- act undo ${reference} --as Nadia\n`,
  });
  await office.rounds.runOnce();
  expect(office.sent.map((mail) => mail.kind)).not.toContain("completed");
  office.pass({ minutes: 10 });
  await office.rounds.runOnce();
  expect(office.newest("completed").to).toBe("anika@uni.example");
  const shown = (await run("show", reference)).out;
  expect(shown).toMatch(/operator Nadia +take +confirmed +in-progress/);
  expect(shown).toMatch(/system +erase/);
  expect(shown).not.toContain("anika");
});

test("due soonest comes first, unconfirmed ones apart, ended ones last", async () => {
  const ended = await office.submitConfirmed({ email: "ended@uni.example" });
  await run("act", "refuse", ended, "reason=no-account", "--as", "Nadia");
  await office.rounds.runOnce();
  office.pass({ days: 3 });
  await office.submit({ email: "unconfirmed@uni.example" });
  const late = await office.submitConfirmed({ email: "late@uni.example" });
  const soon = await office.submitConfirmed({ email: "soon@uni.example" });
  await run("act", "later", late, "reason=time", "days=5", "explanation=Exams.", "--as", "Nadia");
  const references = (await office.queue()).map((request) => request.reference);
  expect(references.slice(0, 2)).toEqual([soon, late]);
  expect(references[3]).toBe(ended);
});

test("the queue comes in pages, each behind the last request of the one before", async () => {
  const names = Array.from({ length: 60 }, (_, number) => `s${number}@uni.example`);
  await Promise.all(names.map((email) => office.submit({ email })));
  const working = await office.submitConfirmed({ email: "first@uni.example" });
  const first = String((await run("list")).out);
  const references = (text: string) => text.match(/^[0-9A-Z]{4}-[0-9A-Z]{4}(?= )/gm) ?? [];
  expect(references(first)).toHaveLength(50);
  expect(references(first)[0]).toBe(working);
  const next = /^There are more: npm run requests -- list --after (.{9})$/m.exec(first)?.[1] ?? "";
  expect(next).toBe(references(first).at(-1));
  const second = String((await run("list", "--after", next)).out);
  expect(references(second)).toHaveLength(11);
  expect(second).not.toContain("There are more");
  expect(new Set([...references(first), ...references(second)]).size).toBe(61);
  expect(references(String((await run("list", "--only", "confirmed")).out))).toEqual([working]);
  expect((await run("list", "--only", "ended")).out).toBe("No requests.\n");
  expect((await run("list", "--only", "x")).code).toBe(2);
  expect((await run("list", "--after", "K7RM-4XQP")).code).toBe(1);
});

test("a request is found by any of its references, and by its address whatever became of it", async () => {
  const ended = await office.submitConfirmed();
  await run("act", "refuse", ended, "reason=no-account", "--as", "Nadia");
  office.pass({ days: 31 });
  await office.rounds.runOnce();
  expect(await office.readFolder()).not.toContain("anika");
  const open = await office.submit({ email: "Anika@uni.example" });
  const again = await office.submit();
  const found = String((await run("find", "ANIKA@uni.example")).out);
  expect(found).toMatch(
    new RegExp(`^REFERENCE.*\\n${ended} +refused .*\\n${again.reference} +unconfirmed `),
  );
  expect((await run("find", open.reference)).out).toContain("2 times");
  expect((await run("find", "nobody@uni.example")).code).toBe(1);
});

test("who deleted, copied or exported stays to be read, though the request is gone", async () => {
  const { reference } = await office.submit();
  await run("delete", reference, "--as", "Nadia");
  for await (const _ of (await run("export", "--as", "Tuli")).out as AsyncIterable<string>);
  await run("backup", join(office.folder, "copy.sqlite"));
  const journal = String((await run("journal")).out);
  expect(journal).toMatch(/account \w+ +backup +-\n/);
  expect(journal).toMatch(/Tuli +export +open\n/);
  expect(journal).toMatch(new RegExp(`Nadia +delete +${reference}\\n`));
  office.setClock("2028-11-23T04:00:00Z");
  await office.rounds.runOnce();
  expect((await run("journal")).out).toBe("Nothing has been entered.\n");
});

test("figures of a month are those of that month", async () => {
  await office.submitConfirmed();
  office.pass({ days: 30 });
  await office.submit({ email: "kabir@uni.example" });
  const month = async (name: string) => String((await run("figures", "--month", name)).out);
  expect(await month("2026-11")).toMatch(/^Received +1\nConfirmed +1\n/);
  expect(await month("2026-12")).toMatch(/^Received +1\nConfirmed +0\n/);
  expect(await month("2026-10")).toMatch(/^Received +0\n/);
  expect((await run("figures", "--month", "December")).code).toBe(2);
});

test("what an act still needs is said by its fields, and what they say is not taken as something else", async () => {
  const reference = await office.submitConfirmed();
  const problem = async (...words: string[]) =>
    (await run("act", ...words, "--as", "Nadia")).problem;
  expect(await problem("refuse", reference)).toMatch(/reason=no-account \| .* \| other/);
  expect(await problem("refuse", reference, "reason=other")).toContain('explanation="TEXT"');
  expect(await problem("later", reference, "reason=time", "days=0")).toContain("days=N");
  expect(await problem("note", reference, `note=${"x".repeat(2001)}`)).toContain("2000 characters");
  expect(await problem("cancel", reference, "because=x")).toContain("nothing called because");
  expect(await problem("cancel", reference, "because")).toContain("is no field");
  expect(await problem("cancle", reference)).toContain("Did you mean cancel?");
});

test("nobody acts without a name, and what is impossible is told in a sentence", async () => {
  const { reference } = await office.submit();
  expect((await run("act", "take", reference)).problem).toMatch(/^Say who you are/);
  expect(await run("act", "take", reference, "--as", "Nadia")).toEqual({
    code: 1,
    problem:
      "It is not confirmed yet: only its person can confirm it, with the link in the mail.\n",
  });
  expect((await run("act", "take", "K7RM-4XQP", "--as", "Nadia")).problem).toMatch(
    /^There is no request/,
  );
});

test("resend mails the link again, retry what could not be delivered", async () => {
  office.answer = () => ({ kind: "failed", problem: "recipient refused (550)", permanent: true });
  const { reference } = await office.submit();
  await office.rounds.runOnce();
  expect((await run("list")).out).toMatch(/confirm +.{9} +recipient refused \(550\)/);
  office.answer = () => ({ kind: "delivered" });
  expect((await run("retry", reference, "--as", "Nadia")).out).toBe("1 mail will be sent again.\n");
  expect((await run("act", "resend", reference, "--as", "Nadia")).code).toBe(0);
  await office.rounds.runOnce();
  expect(office.sent.filter((mail) => mail.kind === "confirm")).toHaveLength(2);
  await run("retry", "--as", "Nadia");
  await office.rounds.runOnce();
  expect((await run("retry", "--as", "Nadia")).out).toBe("No mail waits to be sent again.\n");
});

test.each([
  ["a backup", (file: string) => run("backup", file)],
  ["an export", (file: string) => runLedger(["export", file], office)],
])(
  "%s takes away what is as old as no copy may be, and nothing that is not ours",
  async (_, make) => {
    const folder = join(office.folder, "copies");
    const aside = join(office.folder, "before-restore-2026-10-01T020000Z");
    for (const made of [folder, aside]) await mkdir(made);
    const age = (path: string, days: number) => {
      const at = new Date(Date.now() - days * 86_400_000);
      return utimes(path, at, at);
    };
    const put = async (name: string, days: number, from?: string) => {
      if (from) await copyFile(from, join(folder, name));
      else await writeFile(join(folder, name), "Tuition fees");
      await age(join(folder, name), days);
    };
    const [key] = office.keys.fileKeys();
    const open = join(office.folder, "a-copy");
    const sealed = join(office.folder, "a-sealed-copy");
    await office.database.copyTo(open);
    await sealFile(open, sealed, key?.sealing ?? "");
    const other = new DatabaseSync(join(office.folder, "other"));
    other.exec("create table requests (id int)");
    other.close();
    await put("29-days.sealed", 29, sealed);
    await put("400-days.sqlite", 400, open);
    await put("28-days.sealed", 28, sealed);
    await put("requests.sqlite", 400, open);
    await put("thesis.sqlite", 400, join(office.folder, "other"));
    await put("notes.sealed", 400);
    await age(aside, 29);

    const outcome = await make(join(folder, "new"));
    expect(outcome).toMatchObject({
      code: 0,
      out: expect.stringContaining("3 old copies were removed"),
    });
    expect((await readdir(folder)).sort()).toEqual([
      "28-days.sealed",
      "new",
      "notes.sealed",
      "requests.sqlite",
      "thesis.sqlite",
    ]);
    expect(await readdir(office.folder)).not.toContain(basename(aside));
  },
);

test("a backup is a whole database of its own, for this user only", async () => {
  const reference = await office.submitConfirmed();
  const path = join(office.folder, "copy", "requests.sqlite");
  await mkdir(join(office.folder, "copy"));
  expect((await run("backup", path)).code).toBe(0);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await run("backup", path)).toEqual({
    code: 1,
    problem: `The file ${path} is there already. Choose a new name.\n`,
  });
  const copy = await openDatabase({ dataDir: join(office.folder, "copy") });
  if (!copy.ok) throw new Error(copy.problem);
  expect(await findRequest(copy.database.read, { reference })).toMatchObject({
    state: "confirmed",
  });
  await copy.database.close();
});

test("only an unconfirmed request can be deleted", async () => {
  const { reference } = await office.submit();
  expect((await run("delete", reference, "--as", "Nadia")).code).toBe(0);
  expect(await office.readFolder()).not.toContain("anika");
  const confirmed = await office.submitConfirmed();
  expect((await run("delete", confirmed, "--as", "Nadia")).code).toBe(1);
  expect(await office.queue()).toHaveLength(1);
});

test("figures tell how it goes", async () => {
  for (const email of ["a@uni.example", "b@uni.example", "c@uni.example"]) {
    await office.submitConfirmed({ email });
  }
  const [first, second] = await office.queue();
  await run("act", "take", first?.reference ?? "", "--as", "Nadia");
  await run("act", "take", second?.reference ?? "", "--as", "Nadia");
  office.pass({ days: 4 });
  await complete(first?.reference ?? "", first?.email);
  office.pass({ minutes: 10 });
  await office.rounds.runOnce();
  office.pass({ days: 16 });
  await complete(second?.reference ?? "", second?.email);
  office.pass({ minutes: 10 });
  await office.rounds.runOnce();
  expect((await run("figures")).out).toBe(
    `Received         3
Confirmed        3
Never confirmed  0 expired, 0 waiting
Done on time     1 of 2 (50 %)
Median days      12.0
Extended         0
Put on hold      0
Cancelled        0
Refused          0
Opened again     0
Why they leave   other 3
Open by age      0 up to 3 days, 0 up to 7, 0 up to 14, 1 older
Overdue          1
On hold          0
Mail             leaves
`,
  );
});

test("an export is safe to open in a spreadsheet", async () => {
  await office.submit({ feedback: '=HYPERLINK("x")\nline' });
  const { out = "" } = await run("export");
  const exported = typeof out === "string" ? out : (await Array.fromAsync(out)).join("");
  expect(exported).toContain(`,"'=HYPERLINK(""x"")\nline",2026-11-22T04:00:00Z,`);
  expect(toCsvLine(["+8801", "@x", "a,b", " -1", "ok", "\t=1"])).toBe(
    `"'+8801","'@x","a,b","' -1",ok,"'\t=1"\r\n`,
  );
});

test.each([
  [["show"]],
  [["list", "x"]],
  [["delete"]],
  [["dance"]],
  [["show", "a", "b"]],
  [["take", "--loud"]],
])("%j is not understood", async (words) => {
  expect((await runCommand(words, office)).code).toBe(2);
});

test("an address that may be among entries of a missing key is no request that is not there", async () => {
  const reference = await office.submitConfirmed();
  await office.desk.act(reference, { type: "take" }, "Nadia");
  await office.desk.report(reference, { type: "complete", completion: sampleCompletion });
  await office.rounds.runOnce();
  const ask = (keys: typeof office.keys) =>
    runCommand(["find", "kabir@uni.example"], { ...office, keys });
  expect(await ask(office.keys)).toMatchObject({ code: 1 });
  expect(await ask(createTestKeys(2))).toMatchObject({
    code: 4,
    problem: expect.stringMatching(/^Cannot tell whether there is a request of kabir/),
  });
});
