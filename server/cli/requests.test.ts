import { copyFile, mkdir, readdir, stat, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test, vi } from "vitest";
import { failed } from "../deletion-requests/service.fixture.ts";
import { service, serviceForEachTest } from "../deletion-requests/test-service.fixture.ts";
import { noticeHours } from "../periods.ts";
import { createTestKeys } from "../platform/crypto/keys.fixture.ts";
import { sealFile } from "../platform/crypto/sealed-file.ts";
import { unfinished } from "./copies.ts";
import { runCommand as runLedger } from "./ledger.ts";
import { runCommand as runOperators } from "./operators.ts";
import { runCommand } from "./requests.ts";

serviceForEachTest();

const run = (...words: string[]) => runCommand(words, service);
const outputOf = async (...words: string[]) => {
  const { out, problem } = await run(...words);
  return `${out ?? ""}${problem ?? ""}`;
};
const act = (...words: string[]) => outputOf("act", ...words, "--as", "Nadia");
const stateOf = async (reference: string) => (await service.desk.find(reference))?.state;

async function taken(email = "anika@uni.example"): Promise<string> {
  const reference = await service.submitConfirmed({ email });
  await act("take", reference);
  return reference;
}

test("gives no deadline for undoing an act that sends no email", async () => {
  const { reference } = (await service.enterClosed()).request;
  await service.round();
  await service.round({ hours: noticeHours });
  await service.desk.act(reference, { type: "approve", reply: "no" }, "Rahim");
  const output = await act("take", reference);
  expect(output).toContain(`We don't tell the person. To undo it: npm run requests -- act undo`);
  expect(output).not.toContain("before");
});

const complete = (reference: string, address = "anika@uni.example") =>
  act(
    ...["complete", reference, `address=${address}`, "account=user"],
    ...["at-accounts=done", "at-rides=done", "at-papers=none", "at-wallet=done"],
  );

describe("requests list", () => {
  test("lists open requests by due date, then unconfirmed requests, in pages", async () => {
    expect(await outputOf("list", "--help")).toContain("the requests after that one");
    expect(await outputOf("list")).toBe("No requests.\n");
    await service.submitMany(60, (number) => ({ email: `s${number}@uni.example` }));
    const late = await service.submitConfirmed({ email: "late@uni.example" });
    const soon = await service.submitConfirmed({ email: "soon@uni.example" });
    await act("later", late, "reason=time", "days=5", "explanation=Exams.");
    const first = await outputOf("list");
    const references = (text: string) => text.match(/^[0-9A-Z]{4}-[0-9A-Z]{4}(?= )/gm) ?? [];
    expect(references(first)).toHaveLength(50);
    expect(references(first).slice(0, 2)).toEqual([soon, late]);
    const next =
      /^There are more: npm run requests -- list --after (.{9})$/m.exec(first)?.[1] ?? "";
    const second = await outputOf("list", "--after", next);
    expect(second).not.toContain("There are more");
    expect(new Set([...references(first), ...references(second)]).size).toBe(62);
    expect(references(await outputOf("list", "--only", "confirmed"))).toEqual([soon, late]);
    expect(await outputOf("list", "--only", "ended")).toBe("No requests.\n");
    expect(await outputOf("list", "--only", "unconfirmed")).toContain("--only unconfirmed --after");
  });

  test("lists undelivered email with times in the campus's time zone", async () => {
    service.setClock("2026-11-26T19:00:00Z");
    service.answer = () => ({ ...failed("mail server down (ECONNREFUSED)"), isChannelWide: true });
    await service.submitMailed();
    expect(await outputOf("list")).toMatch(
      /Emails that have not gone out yet.*\n.*\nconfirm .* mail server down \(ECONNREFUSED\) +2026-11-27 01:00/,
    );
  });

  test("finds requests by any of their references or by email address, in any state", async () => {
    const ended = await service.submitConfirmed();
    expect(await act("refuse", ended, "reason=no-account")).toContain("We'll tell no one before");
    await service.round({ days: 31 });
    expect(await service.readFolder()).not.toContain("anika");
    const open = await service.submit({ email: "Anika@uni.example" });
    const again = await service.submit();
    expect(again.reference).not.toBe(open.reference);
    expect(await outputOf("list", "ANIKA@uni.example")).toMatch(
      new RegExp(`^REFERENCE.*\\n${ended} +refused .*\\n${again.reference} +unconfirmed `),
    );
    expect(await outputOf("list", open.reference.toLowerCase())).toContain("2 times");
    expect((await run("list", "nobody@uni.example")).code).toBe(1);
  });

  test("reports that it can't search ledger entries whose key is missing", async () => {
    await service.submitCompleted();
    await service.round();
    const keys = createTestKeys(2);
    expect(await runCommand(["list", "kabir@uni.example"], { ...service, keys })).toMatchObject({
      code: 4,
      problem: expect.stringMatching(/^We can't tell whether there is a request from kabir/),
    });
  });

  test("explains why a mistyped, unknown, expired or removed reference has no request", async () => {
    const { reference: expired } = await service.submitMailed();
    await service.round({ days: 7 });
    const { reference: removed } = await service.submit();
    await act("remove", removed);
    expect(await service.readFolder()).not.toContain("anika");
    expect(await outputOf("list", "K7RM-4X0P")).toContain("is not a reference");
    expect(await outputOf("list", "K7RM-4XQP")).toContain("There is no request with the reference");
    expect(await outputOf("list", expired)).toContain("expired because no one confirmed it");
    expect(await outputOf("list", removed)).toContain("an operator removed it");
    const confirmed = await service.submitConfirmed();
    expect(await act("remove", confirmed)).toContain("confirmed");
    expect(await stateOf(confirmed)).toBe("confirmed");
  });
});

describe("requests act", () => {
  test("takes and completes a request as on the operator pages", async () => {
    const reference = await service.submitConfirmed();
    expect(await act("take", reference)).toBe(
      `${reference}: take is done. It is confirmed, due 2026-12-06, 10 business days left. Next: npm run requests -- act complete ${reference} --as Nadia\n`,
    );
    // Without fields, the command only shows whose account it is and which places to check.
    const prompt = await run("act", "complete", reference, "--as", "Nadia");
    expect(prompt.code).toBe(3);
    expect(prompt.out).toMatch(/is the account of\n\n {6}anika@uni\.example\n/);
    expect(prompt.out).toContain("[ ] wallet TELL THEM: payments");
    expect(prompt.out).toMatch(/ at-accounts=done .*\n +at-rides=done /);
    expect(await complete(reference)).toBe(
      `${reference}: complete is done. It is done, receipt at 10:10, due 2026-12-06, 10 business days left. We'll tell no one before 10:10. To undo it: npm run requests -- act undo ${reference} --as Nadia\n`,
    );
    await service.round();
    expect(service.sent.map(({ kind }) => kind)).not.toContain("completed");
    const ticked = (await service.desk.readDetail(reference))?.events.at(-1);
    expect(ticked).toMatchObject({ name: "Nadia", places: ["accounts", "rides", "wallet"] });
    await service.round({ minutes: 10 });
    expect(service.newest("completed").to).toBe("anika@uni.example");
    expect(await service.readFolder()).not.toContain("anika");
  });

  test("doesn't complete a request with another account's address", async () => {
    const [anika, kabir] = [await taken(), await taken("kabir@uni.example")];
    expect(await complete(anika, "kabir@uni.example")).toMatch(
      new RegExp(
        `^STOP: .* We haven't changed anything .* That address belongs to request ${kabir}\\.`,
      ),
    );
    await service.round({ minutes: 10 });
    expect([await stateOf(anika), await stateOf(kabir)]).toEqual(["confirmed", "confirmed"]);
  });

  test("lists missing fields and rejects unknown fields", async () => {
    const reference = await service.submitConfirmed();
    expect(await act("refuse", reference)).toMatch(/reason=no-account \| .* \| other/);
    expect(await act("refuse", reference, "reason=other")).toContain('explanation="TEXT"');
    expect(await act("later", reference, "reason=dues", "days=0")).toContain("until=DATE");
    expect(await act("later", reference, "reason=time", "days=100")).toContain("at most here");
    expect(await act("later", reference, "reason=dues", "days=5", "until=2026-12-08")).toContain(
      "only with days=0",
    );
    expect(await act("note", reference, `note=${"x".repeat(2001)}`)).toContain("2000 characters");
    expect(await act("cancel", reference, "because=x")).toContain("no field called because");
    expect(await act("cancel", reference, "because")).toContain("is not a field");
    expect(await act("complete", reference, "at-walet=done")).toContain("no field called at-walet");
    expect(await act("cancle", reference)).toContain("There is no act called cancle");
    expect(await act("hand-over", reference)).toMatch(
      /^The account system does not have this request/,
    );
    expect(await act("take", "K7RM-4XQP")).toMatch(/^There is no request/);
    expect(await act("cancel", reference)).toContain("We'll tell no one before");
  });

  test("records an operator's name as the team spells it", async () => {
    const reference = await service.submitConfirmed();
    expect(await outputOf("act", "take", reference)).toMatch(/^Say who you are/);
    expect(await outputOf("act", "take", reference, "--as", "NADIA")).toContain("--as Nadia");
    expect(await outputOf("act", "take", reference, "--as", "Rahim")).toMatch(
      /^Nadia already has this request\. .* from=Nadia/,
    );
    const { out } = await runOperators(["remove", "nadia", "--as", "Rahim"], service);
    expect(out).toContain(reference);
    expect(await outputOf("act", "take", reference, "--as", "Nadia")).toContain(
      "No one on the team is called Nadia",
    );
    expect(await outputOf("act", "take", reference, "--as", "Rahim")).toContain("take is done");
    const add = ["add", "Samira", "--as", "Rahim"];
    await service.kysely.schema.alterTable("journal").renameTo("gone").execute();
    await expect(runOperators(add, service)).rejects.toThrow();
    await service.kysely.schema.alterTable("gone").renameTo("journal").execute();
    expect((await runOperators(add, service)).out).toContain("Samira can now work on requests");
  });
});

test("resends undelivered emails, or else the request's link", async () => {
  service.answer = () => failed("recipient refused (550)", { permanent: true });
  const { reference } = await service.submitMailed();
  expect(await outputOf("list")).toMatch(/confirm +.{9} +recipient refused \(550\)/);
  service.answer = () => ({ kind: "delivered" });
  expect(await act("resend", reference)).toContain("resend is done");
  await act("resend", reference);
  await service.round();
  expect(service.sent.filter((mail) => mail.kind === "confirm")).toHaveLength(2);
  // The email to retry is the alert to the team about the undelivered email.
  expect(await act("resend")).toBe("We are sending 1 email again.\n");
  await service.round();
  expect(await act("resend")).toBe("There are no emails to send again.\n");
  expect(await act("take")).toBe("Something is missing: act take REF.\n");
});

test("resends the undelivered email of an ended request even if asked for a new link", async () => {
  const reference = await taken();
  service.answer = () => failed("recipient refused (550)", { permanent: true });
  await complete(reference);
  await service.round({ minutes: 11 });
  service.answer = () => ({ kind: "delivered" });
  const before = service.sent.length;
  expect(await act("resend", reference, "anew=yes")).toContain("resend is done");
  await service.round();
  expect(service.sent.slice(before).map(({ kind }) => kind)).toEqual(["completed"]);
});

describe("requests backup", () => {
  test("writes a complete database that only this OS user can read, and overwrites no file", async () => {
    await service.submitConfirmed();
    const path = join(service.folder, "copy.sqlite");
    expect((await run("backup", path)).code).toBe(0);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await outputOf("backup", path)).toBe(
      `The file ${path} already exists. Choose a new name.\n`,
    );
    using copy = new DatabaseSync(path, { readOnly: true });
    expect(copy.prepare("select state from requests").all()).toEqual([{ state: "confirmed" }]);
  });

  test("reports a failed backup and deletes its files, even without a data folder", async () => {
    const folder = join(service.folder, "copies");
    await mkdir(folder);
    const withPostgres = { ...service, dataDir: join(folder, "none") };
    const copy = () => runCommand(["backup", join(folder, "new")], withPostgres);
    vi.spyOn(service.database, "copyTo").mockImplementationOnce(async (path) => {
      await writeFile(path, "anika@uni.example");
      throw Object.assign(new Error("disk is full"), { code: "ERR_SQLITE_ERROR" });
    });
    expect((await copy()).problem).toMatch(/can't write the file .*copies\/new \(disk is full\)/);
    expect(await readdir(folder)).toEqual([]);
    expect(await copy()).toMatchObject({ code: 0 });
  });
});

/**
 * Creates files of many ages in a folder: our backups, unrelated files, leftovers of killed
 * commands, and a folder that a restore moved aside 29 days ago.
 */
async function keepCopies(folder: string, aside: string): Promise<void> {
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
  const [key] = service.keys.fileKeys();
  const open = join(service.folder, "a-copy");
  const sealed = join(service.folder, "a-sealed-copy");
  await service.database.copyTo(open);
  await sealFile(open, sealed, key?.sealing ?? "");
  const other = new DatabaseSync(join(service.folder, "other"));
  other.exec("create table requests (id int)");
  other.close();
  await put("29-days.sealed", 29, sealed);
  for (const days of [0, 1]) {
    await mkdir(join(folder, `${unfinished}${days}`));
    await age(join(folder, `${unfinished}${days}`), days);
  }
  await put("400-days.sqlite", 400, open);
  await put("28-days.sealed", 28, sealed);
  await put("requests.sqlite", 400, open);
  await put("thesis.sqlite", 400, join(service.folder, "other"));
  await put("notes.sealed", 400);
  await age(aside, 29);
}

test.each([
  ["a backup", (file: string) => run("backup", file)],
  ["an export", (file: string) => runLedger(["export", file], service)],
])("%s deletes expired backups, but no other files", async (_, make) => {
  const folder = join(service.folder, "copies");
  const aside = join(service.folder, "before-restore-2026-10-01T020000Z");
  await keepCopies(folder, aside);
  const outcome = await make(join(folder, "new"));
  expect(outcome).toMatchObject({
    code: 0,
    out: expect.stringContaining("4 old copies were deleted"),
  });
  const left = ["28-days.sealed", "new", "notes.sealed", "requests.sqlite", "thesis.sqlite"];
  expect((await readdir(folder)).sort()).toEqual([...left, `${unfinished}0`]);
  expect(await readdir(service.folder)).not.toContain(basename(aside));
});

test.each([
  ["lsit", "The commands are: list, act, "],
  ["constructor", "The commands are: list, act, "],
  ["list --onyl ended", "The options are: --as, --after, --only, --seal-for."],
  ["list --only", "--only needs a value after it."],
  ["list --only constructor", "--only takes one of: confirmed, unconfirmed, ended."],
  ["list a b", "“b” is one word too many after list."],
  ["backup", "Something is missing: backup FILE."],
  [`backup FILE --seal-for ${"x".repeat(44)}`, "--seal-for takes the 43 characters"],
  ["list sw\u202emaxe", '"swmaxe" contains invisible characters. Type it again.'],
])("rejects the command %s and suggests a fix", async (typed, message) => {
  const { code, problem } = await run(...typed.split(" "));
  expect([code, problem]).toEqual([2, expect.stringContaining(message)]);
});
