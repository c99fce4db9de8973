import { mkdir, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { folder, folderForEachTest } from "../../tests/harness/folder.ts";
import type { Config } from "../config.ts";
import { checkLedger } from "../deletion-requests/ledger/verification.ts";
import {
  isToPerson,
  openTestService,
  type Sent,
  type TestService,
} from "../deletion-requests/service.fixture.ts";
import { dueOf, fieldsOf, isWorking } from "../deletion-requests/state-machine/request.ts";
import { noticeHours } from "../periods.ts";
import { dateAt } from "../platform/calendar/business-days.ts";
import { createKeyText } from "../platform/crypto/keys.fixture.ts";
import { createKeys, parseKeys, Secret } from "../platform/crypto/keys.ts";
import {
  provideTestDatabase,
  returnTestDatabase,
  runsOnPostgres,
} from "../platform/database/database.fixture.ts";
import { findOperator } from "../team/roster/operators.ts";
import { createSessions, openSession } from "../team/roster/sessions.ts";
import {
  createRecoveryCodes,
  findInvitation,
  mailInvitation,
} from "../team/sign-in/invitations.ts";
import { addPasskey } from "../team/sign-in/passkeys.ts";
import { runCommand as runBackup } from "./backup.ts";
import { runCommand as runLedger } from "./ledger.ts";
import { runCommand as moveData } from "./move-data.ts";
import { runCommand as runRequests } from "./requests.ts";
import { runOnRestored, runRestore } from "./restore.ts";

// Restores a lost site from a backup and an export, as a first-time operator would. With
// PostgreSQL, the restore goes through a folder, as docs/your-week.md describes.

const keyText = createKeyText();
const keys = createKeys(parseKeys(keyText) ?? []);

folderForEachTest();

/** Opens a site's service on a data folder. Every site has the same keys. */
const openAt = (dataDir: string, now?: string) =>
  openTestService(now, { dataDir, settings: { SECRET_KEYS: keyText } });

/** The lost site's service, and later the restored site's. */
let service: TestService;

beforeEach(async () => {
  await mkdir(at("first"));
  service = await openAt(at("first"));
});

afterEach(async () => {
  await service.stop();
  for (const name of await readdir(folder)) await returnTestDatabase(at(name));
});

function config(dataDir: string, secretKeys = keyText): Config {
  const campusDir = join(import.meta.dirname, "../../campus");
  return { dataDir, campusDir, secretKeys: new Secret(secretKeys) } as Config;
}

const at = (name: string) => join(folder, name);

const restore = (dataDir: string, ...words: string[]) =>
  runRestore(words, { config: config(dataDir), clock: service.clock });

async function copyTo(name: string): Promise<string> {
  await service.desk.enter("Nadia", "backup", "");
  await service.database.copyTo(at(name));
  return at(name);
}

async function exportTo(name: string): Promise<string> {
  expect(await runLedger(["export", at(name)], service)).toMatchObject({ code: 0 });
  return at(name);
}

/** Closes the lost site and opens a new one in an empty data folder. */
async function moveTo(name: string): Promise<void> {
  const now = service.clock().toString();
  await service.stop();
  const url = await provideTestDatabase(at(name), { isEmpty: true });
  if (url) expect(await moveData([at(name), url], {}, () => {})).toMatchObject({ code: 0 });
  service = await openAt(at(name), now);
}

/** Marks a request as done for Nadia. The completion can still be undone. */
async function callDone(email: string): Promise<string> {
  const reference = await service.submitConfirmed({ email });
  await service.callDone(reference, email);
  return reference;
}

const stateOf = async (reference: string) => (await service.desk.find(reference))?.state;

type Act = Parameters<TestService["desk"]["act"]>[1];

const act = (reference: string, what: Act, by = "Nadia") => service.desk.act(reference, what, by);

/** Identifies an email by its recipient and content, to compare attempts. */
const identify = ({ to, kind, message }: Sent) => {
  const { reference = "", date = "" } = fieldsOf(message);
  return `${kind} ${to} ${reference}${date}`;
};

/** Creates requests in every state, then a backup. */
async function liveUntilTheCopy(round: number) {
  const mailbox = (name: string) => `${name}${round}@uni.example`;
  const contact = (name: string) => `${name}${round}@home.example`;
  const confirmed = (name: string) => service.submitConfirmed({ email: mailbox(name) });

  const enter = async (name: string) =>
    (await service.enterClosed({ email: mailbox(name), contact: contact(name) })).request.reference;
  const entered = await enter("entered");
  const approved = await enter("approved");
  await service.round();
  await service.round({ hours: noticeHours });
  const waiting = (await service.submit({ email: mailbox("waiting") })).reference;
  const confirmsLater = (await service.submit({ email: mailbox("confirms") })).reference;
  await service.round();
  const confirmMail = service.sent.findLast(({ to }) => to === mailbox("confirms")) as Sent;
  const working = {
    untouched: await confirmed("untouched"),
    taken: await confirmed("taken"),
    extended: await confirmed("extended"),
    refused: await confirmed("refused"),
    held: await confirmed("held"),
    cancelled: await confirmed("cancelled"),
  };
  await service.round();
  const cancelMail = service.newest("confirmed");
  await service.complete(await confirmed("done"));
  const bangla = service.form({ email: mailbox("bangla") });
  await service.requests.submit(bangla, "bn");
  await service.round();
  await service.requests.confirm(await service.follow(service.newest("confirm")));
  const inBangla = (await service.desk.lookUp(mailbox("bangla")))[0]?.reference ?? "";
  await service.round();
  service.pass({ hours: 2 });
  const reopened = await confirmed("reopened");
  await act(reopened, { type: "refuse", reason: "other", explanation: "x" });
  return {
    mailbox,
    contact,
    confirmed,
    confirmMail,
    cancelMail,
    waiting,
    confirmsLater,
    ...working,
    entered,
    approved,
    inBangla,
    reopened,
    copy: await copyTo(`copy${round}`),
  };
}

/** Makes changes after the backup, then an export. */
async function liveUntilTheExport(round: number, lived: Copied) {
  const { mailbox, confirmed } = lived;
  service.pass({ minutes: 5 });
  await act(lived.reopened, { type: "undo", explanation: "A slip" });
  await act(lived.approved, { type: "approve", reply: "no" }, "Rahim");
  const heldUntil = dateAt(service.calendar, service.clock()).add({ days: 10 });
  await service.hold(lived.held, `${heldUntil}`);
  service.pass({ hours: 20 });
  await service.requests.confirm(await service.follow(lived.confirmMail));
  await service.begin(lived.taken);
  await act(lived.extended, { type: "later", reason: "time", days: 3, explanation: "Exam week" });
  await service.requests.cancel(await service.follow(lived.cancelMail));
  await act(lived.refused, { type: "refuse", reason: "other", explanation: "x" });
  const fresh = await confirmed("fresh");
  await service.round();
  await service.round({ hours: 1 });
  const calledDone = await callDone(mailbox("calleddone"));
  const toUndo = await callDone(mailbox("toundo"));
  service.pass({ minutes: 4 });
  // The receipt for this request is sent after the export but before the loss.
  const justDone = await confirmed("justdone");
  await service.complete(justDone);
  const export_ = await exportTo(`export${round}`);
  const promised = new Map(await readPromises());
  return { ...lived, heldUntil, fresh, calledDone, toUndo, justDone, export_, promised };
}

/**
 * Reads each request's due date or, if it is unconfirmed, the number of hours left to confirm it.
 */
async function readPromises() {
  return (await service.queue()).map((request) => {
    const hours =
      request.state === "received" ? request.expiresAt.since(service.clock()).total("hours") : 0;
    return [request.reference, { dueOn: dueOf(request), hours }] as const;
  });
}

type Copied = Awaited<ReturnType<typeof liveUntilTheCopy>>;
type Lived = Awaited<ReturnType<typeof liveUntilTheExport>>;

function expectInTable(out: string | undefined, lived: Lived): void {
  for (const [reference, state, what] of [
    [lived.confirmsLater, "confirmed", "changed: was received"],
    [lived.taken, "in-progress", "changed: was confirmed"],
    [lived.extended, "confirmed", "changed: was due "],
    [lived.cancelled, "cancelled", "changed: was confirmed"],
    [lived.refused, "refused", "changed: was confirmed"],
    [lived.fresh, "confirmed", "came back"],
    [lived.justDone, "completed", "came back"],
    [lived.waiting, "received", "as it was"],
    [lived.untouched, "confirmed", "as it was"],
    [lived.held, "confirmed", "changed: was not on hold"],
    [lived.entered, "received", "as it was"],
    [lived.approved, "confirmed", "changed: was received"],
    [lived.reopened, "confirmed", "changed: was refused"],
    [lived.inBangla, "confirmed", "as it was"],
    [lived.calledDone, "in-progress", "came back"],
  ]) {
    expect(out).toMatch(new RegExp(`^${reference} +${state} .*${what}`, "m"));
  }
  const { mailbox, contact } = lived;
  expect(out).toMatch(new RegExp(`^${lived.untouched} .* ${mailbox("untouched")}$`, "m"));
  expect(out).toMatch(new RegExp(`^${lived.entered} .* ${contact("entered")}$`, "m"));
}

/** Expects the same due dates and deadlines as before, and no email to be sent twice. */
async function expectPromisesKept(lived: Lived): Promise<void> {
  const { promised, heldUntil: until, entered, approved } = lived;
  for (const [reference, { dueOn, hours }] of await readPromises()) {
    const before = promised.get(reference);
    expect(dueOn).toBe(before?.dueOn);
    expect(hours).toBeGreaterThanOrEqual((before?.hours ?? 0) - 1e-6);
  }
  await service.round();
  expect(service.sent.map(identify)).toEqual([]);
  expect(await stateOf(lived.taken)).toBe("in-progress");
  expect(await stateOf(lived.cancelled)).toBe("cancelled");
  expect(await service.desk.find(lived.held)).toMatchObject({ hold: { reason: "dues", until } });
  for (const [name, reference] of Object.entries({ entered, approved })) {
    expect(await service.desk.lookUp(lived.mailbox(name))).toMatchObject([
      { reference, contact: lived.contact(name), enteredBy: "Nadia" },
    ]);
  }
  expect(await stateOf(lived.reopened)).toBe("confirmed");
}

/**
 * Expects that completions can be undone for ten more minutes. Receipts that may already have been
 * sent must wait until an operator sends them.
 */
async function expectTimeToUndo({ calledDone, toUndo, justDone }: Lived): Promise<void> {
  const toComplete = await service.desk.find(calledDone);
  const doneAt = toComplete && isWorking(toComplete) ? toComplete.done?.at : undefined;
  expect(doneAt).toBeDefined();
  await service.round({ minutes: 9 });
  expect(await act(toUndo, { type: "undo", explanation: "" })).toMatchObject({ kind: "done" });
  await service.round({ minutes: 1 });
  expect(await service.desk.find(calledDone)).toMatchObject({
    state: "completed",
    endedAt: doneAt,
  });
  const toPeople = service.sent.filter(({ message }) => isToPerson(message));
  expect(toPeople.map(identify)).toEqual([]);
  // No receipt may get lost, so each waits in the outbox until an operator sends it.
  for (const reference of [justDone, calledDone]) {
    const { mails } = (await service.desk.readDetail(reference)) ?? { mails: [] };
    expect(mails.find(({ kind }) => kind === "completed")).toMatchObject({
      state: "needs-person",
      lastProblem: "may have left before the restore",
    });
  }
}

/**
 * Expects that every requester with an open request gets a letter, and that old links still work.
 */
async function expectAllInformed(lived: Lived, letters: readonly Sent[], allSent: readonly Sent[]) {
  const { mailbox, contact } = lived;
  const letterTo = (name: string) => letters.find(({ to }) => to === name);
  expect(letterTo(mailbox("bangla"))).toMatchObject({ kind: "restored", language: "bn" });
  expect(letterTo(mailbox("untouched"))).toMatchObject({ kind: "restored", language: "" });
  expect(letterTo(contact("entered"))?.message).toMatchObject({ isEntered: true });
  expect(letterTo(contact("approved"))?.message).toMatchObject({ state: "confirmed" });
  const status = await service.requests.openVisit(
    await service.follow(allSent.findLast(({ to }) => to === mailbox("untouched")) as Sent),
  );
  expect(status.kind).toBe("status");
}

test("sends no email twice and keeps all due dates across repeated restores", {
  timeout: 900_000,
}, async () => {
  const allSent: Sent[] = [];
  // Two rounds cover everything that depends on the kind of database.
  for (let round = 1; round <= (runsOnPostgres ? 2 : 5); round++) {
    const lived = await liveUntilTheExport(round, await liveUntilTheCopy(round));

    // Neither the backup nor the export contains this request.
    await service.round({ hours: 5 });
    await service.submitMailed({ email: lived.mailbox("lost") });
    allSent.push(...service.sent);

    // The disk is lost, and no one notices for three days.
    service.pass({ days: 3 });
    const files = [lived.copy, lived.export_];
    const outcome = await restore(at(`site${round}`), ...files, "--as", "Nadia");
    expect(outcome).toMatchObject({ code: 0 });
    expectInTable(outcome.out, lived);

    // Until the restore is confirmed, the site must send and delete nothing, no matter how much
    // time passes.
    await moveTo(`site${round}`);
    await service.round();
    await service.round({ days: 5 });
    expect(service.sent).toEqual([]);
    expect(await stateOf(lived.waiting)).toBe("received");

    const open = (await service.queue(["received", "working"])).map(({ reference }) => reference);
    const written = await runOnRestored(["write", "--as", "Nadia"], service);
    expect(written.out).toContain(`${open.length} emails are written.`);
    expect(await runOnRestored(["confirm", "--as", "Nadia"], service)).toMatchObject({ code: 0 });
    await service.round();
    const letters = service.sent.splice(0);
    expect(letters.map(({ message }) => isToPerson(message) && message.reference).sort()).toEqual(
      open.sort(),
    );
    await expectPromisesKept(lived);
    await expectTimeToUndo(lived);
    await expectAllInformed(lived, letters, allSent);
    expect(await checkLedger(service.database, keys)).toMatchObject({
      findings: [],
    });

    allSent.push(...service.sent);
  }
});

test("accepts a backup made before an operator corrected the requester's address", async () => {
  await service.submit({ email: "old@uni.example" });
  const copy = await copyTo("copy");
  service.pass({ minutes: 5 });
  await service.enterClosed({ receivedAt: service.clock().subtract({ hours: 24 }) });
  expect(await restore(at("site"), copy, await exportTo("export"))).toMatchObject({ code: 0 });
});

describe("restore", () => {
  let copy: string;
  let export_: string;
  let confirmed: string;
  beforeEach(async () => {
    confirmed = await service.submitConfirmed();
    await service.round();
    copy = await copyTo("copy.sqlite");
    service.pass({ hours: 20 });
    await service.begin(confirmed);
    export_ = await exportTo("export.sealed");
  });

  /** Expects the restore to be refused with this sentence and to leave nothing behind. */
  async function refused(outcome: Awaited<ReturnType<typeof restore>>, problem: RegExp) {
    expect(outcome).toMatchObject({ code: 1, problem: expect.stringMatching(problem) });
    expect(outcome.problem).toMatch(/\nNothing was changed\.\n$/);
    const made = await readdir(at("site")).catch(() => []);
    expect(made).toEqual([]);
  }

  test("restores the newer of two files even if it is the first argument", async () => {
    expect((await restore(at("site"), export_, copy)).out).toMatch(/^Put back: .*export\.sealed/);
  });

  test("restores a backup that is newer than the export and reports the differences", async () => {
    service.pass({ hours: 5 });
    const later = await service.submitConfirmed({ email: "later@uni.example" });
    const newer = await copyTo("newer.sqlite");
    const { out } = await restore(at("site"), newer, export_);
    expect(out).toMatch(/^Put back: .*newer\.sqlite/);
    expect(out).toMatch(new RegExp(`^${later} +confirmed .*came back`, "m"));
    expect(out).toMatch(new RegExp(`^${confirmed} +in-progress .*as it was`, "m"));
  });

  /**
   * On PostgreSQL, skips tests that only read the two files, because the database makes no
   * difference to them.
   */
  const testOfTheFiles = test.skipIf(runsOnPostgres);

  testOfTheFiles("rejects missing keys and keys other than the server's", async () => {
    const under = (secretKeys: Secret | undefined, ...files: string[]) =>
      runRestore(files, { config: { ...config(at("site")), secretKeys }, clock: service.clock });
    const other = new Secret(createKeyText());
    await refused(
      await under(other, copy, export_),
      /copy\.sqlite was made under other keys\. The keys don't match this database/,
    );
    await refused(
      await under(other, export_, copy),
      /export\.sealed is damaged, or sealed under other keys than SECRET_KEYS here/,
    );
    await refused(await under(undefined, copy, export_), /^There are no keys/);
  });

  testOfTheFiles("accepts a backup from before a key rotation", async () => {
    const rotated = `${createKeyText(2)},${keyText}`;
    const services = { config: config(at("site"), rotated), clock: service.clock };
    expect(await runRestore([copy, export_], services)).toMatchObject({ code: 0 });
  });

  testOfTheFiles("refuses to restore into PostgreSQL and says what to do", async () => {
    const databaseUrl = new Secret("postgres://db.example/requests");
    const services = { config: { ...config(at("site")), databaseUrl }, clock: service.clock };
    await refused(await runRestore([copy, export_], services), /move-data/);
  });

  /** Causes a fault and returns the files for the command line. */
  type Fault = () => Promise<string[]>;
  const wrongFile =
    (content: string): Fault =>
    async () => {
      await writeFile(at("wrong"), content);
      return [at("wrong"), export_];
    };

  testOfTheFiles.each<[what: string, fault: Fault, problem: RegExp]>([
    [
      "a damaged export, and suggests a remedy",
      async () => {
        await truncate(export_, (await readFile(export_)).length - 100);
        return [copy, export_];
      },
      /export\.sealed is damaged: it was cut or changed\. .*copy\.sqlite --without-export/,
    ],
    [
      "an export of only a few bytes",
      async () => {
        await truncate(export_, 40);
        return [copy, export_];
      },
      /export\.sealed is damaged: it was cut or changed\. /,
    ],
    [
      "a damaged backup",
      async () => {
        const bytes = await readFile(copy);
        await writeFile(copy, bytes.fill(0x55, 4096, 12_288));
        return [copy, export_];
      },
      /copy\.sqlite .*damaged/,
    ],
    [
      "an email",
      wrongFile("From: a@uni.example\n\nHello"),
      /is not a copy: neither a database nor a f/,
    ],
    ["an empty file", wrongFile(""), /is not a copy/],
    [
      "another program's database",
      async () => {
        const other = new DatabaseSync(at("other.sqlite"));
        other.exec("create table places (id integer primary key)");
        other.close();
        return [at("other.sqlite"), export_];
      },
      /is a database, but not a copy of this server's/,
    ],
    [
      "a missing file",
      async () => [at("nowhere"), export_],
      /^We can't read the file .* \(ENOENT\)/,
    ],
  ])("rejects %s", async (_, fault, problem) => {
    await refused(await restore(at("site"), ...(await fault())), problem);
  });

  testOfTheFiles("requires an export unless --without-export is given", async () => {
    expect(await restore(at("site"), copy)).toMatchObject({
      code: 2,
      problem: expect.stringMatching(/^Name the export, too/),
    });
    expect((await restore(at("site"), copy, "--without-export")).out).toMatch(
      /There was nothing to compare it with/,
    );
  });

  test("refuses to combine backups of two different sites", async () => {
    await mkdir(at("another"));
    const another = await openAt(at("another"), "2026-11-25T04:00:00Z");
    const reference = await another.submitConfirmed({ email: "stranger@uni.example" });
    await another.desk.act(reference, { type: "refuse", reason: "other", explanation: "x" }, "N");
    await another.database.copyTo(at("another.sqlite"));
    await another.stop();
    await service.complete(confirmed);
    const newer = await exportTo("newer.sealed");
    await refused(
      await restore(at("site"), newer, at("another.sqlite")),
      /do not belong to one store: entry 1 of the ledger differs/,
    );
  });

  testOfTheFiles("accepts an older backup of an empty store", async () => {
    await mkdir(at("empty"));
    const empty = await openAt(at("empty"), service.clock().toString());
    await empty.database.copyTo(at("empty.sqlite"));
    await empty.stop();
    expect(await restore(at("site"), copy, at("empty.sqlite"))).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Beyond ${at("empty.sqlite")} (empty): `),
    });
  });

  testOfTheFiles(
    "refuses to combine two backups if the older one was made after another restore",
    async () => {
      await mkdir(at("elsewhere"));
      expect(await restore(at("elsewhere"), copy, export_)).toMatchObject({ code: 0 });
      const now = service.clock().toString();
      const restored = await openAt(at("elsewhere"), now);
      await restored.database.copyTo(at("restored.sqlite"));
      await restored.stop();
      service.pass({ hours: 1 });
      await service.submit({ email: "later@uni.example" });
      const newer = await exportTo("newer.sealed");
      await refused(
        await restore(at("site"), newer, at("restored.sqlite")),
        /do not belong to one store: the older one was restored from a copy/,
      );
    },
  );

  test("opens a sealed backup only with its own key", async () => {
    const { out: key = "" } = await runBackup(["new-key", at("backup-key")]);
    const words = ["backup", at("copy.sealed"), "--seal-for", key.trim(), "--as", "Nadia"];
    expect((await runRequests(words, service)).out).toContain("copy.sealed, sealed.");
    await refused(
      await restore(at("site"), at("copy.sealed"), export_),
      /use --backup-key KEYFILE\. If that does not open it: use the one before it/,
    );
    for (const [file, problem] of [
      [at("nowhere"), /nowhere can't be read\.\nNothing/],
      [export_, /export\.sealed contains no key\.\nNothing/],
    ] as const) {
      const words = [at("copy.sealed"), export_, "--backup-key", file];
      await refused(await restore(at("site"), ...words), problem);
    }
    const opening = ["--backup-key", at("backup-key")];
    const outcome = await restore(at("site"), at("copy.sealed"), export_, ...opening);
    expect(outcome).toMatchObject({ code: 0 });
  });

  testOfTheFiles("doesn't overwrite the database of a running server", async () => {
    const running = service.folder;
    expect(await restore(running, copy, export_)).toMatchObject({
      code: 1,
      problem: expect.stringMatching(/^The server is running on .*Stop it first/),
    });
  });

  testOfTheFiles("explains why it can't use the data folder", async () => {
    await mkdir(at("other/requests.sqlite"), { recursive: true });
    await refused(
      await restore(at("other"), copy, export_),
      /^The data folder .* cannot be written/,
    );
    await writeFile(at("file"), "");
    await refused(
      await restore(at("file"), copy, export_),
      /^The data folder .* cannot be written/,
    );
  });

  test("changes nothing in a dry run", async () => {
    const outcome = await restore(at("site"), copy, export_, "--look");
    expect(outcome.out).toMatch(/^Would be put back: /);
    expect(outcome.out).toMatch(/Nothing was changed\.\n$/);
    expect(await readdir(at("site"))).toEqual([]);
  });

  testOfTheFiles("moves the old data to a subfolder of the data folder", async () => {
    const now = service.clock().toString();
    await service.stop();
    const outcome = await restore(at("first"), copy, export_);
    expect(outcome.out).toMatch(/What was in the data folder before is in .*before-restore-/);
    const [aside] = (await readdir(at("first"))).filter((name) => name.startsWith("before-"));
    expect(await readdir(join(at("first"), aside ?? ""))).toContain("requests.sqlite");
    service = await openAt(at("first"), now);
    expect(await stateOf(confirmed)).toBe("in-progress");
  });

  test("revokes sessions, invitations and recovery codes, and lists who can sign in", async () => {
    const { database, clock } = service;
    const { id = 0, name = "" } = (await findOperator(database.read, "Nadia")) ?? {};
    const session = { operatorId: id, device: "Firefox", passkeyId: 1 };
    const passkey = {
      operatorId: id,
      device: "Pixel",
      credentialId: "a",
      publicKey: "b",
      counter: 0,
    };
    const site = { keys, publicUrl: "https://rides.example" };
    const had = await database.write(async (transaction) => {
      await addPasskey(transaction, { ...passkey, createdAt: clock(), usedAt: clock() });
      const cookie = await openSession(transaction, keys, session, clock());
      const invited = await mailInvitation(
        { services: site, transaction, now: clock() },
        { id, name },
        "invitation",
      );
      const [code] = await createRecoveryCodes(transaction, id);
      return { cookie, secrets: [invited.link.split("#")[1], code] };
    });
    expect(await createSessions({ database, clock, keys }).findSession(had.cookie)).toBeDefined();
    const outcome = await restore(at("site"), copy, await exportTo("last.sealed"));
    expect(outcome.out).toMatch(/^Nadia +operator +Pixel +2026-11-23 +2026-11-23$/m);
    expect(outcome.out).toMatch(/^Rahim +operator +none/m);
    await moveTo("site");
    expect(await createSessions(service).findSession(had.cookie)).toBeUndefined();
    for (const secret of had.secrets) {
      expect(await findInvitation(service.database.read, secret, clock())).toMatchObject({
        problem: "invitation-unknown",
      });
    }
  });

  test("rejects a visit session from before the restore", async () => {
    await service.submitMailed({ email: "lost@uni.example" });
    const visit = await service.follow(service.newest("confirm"));
    await restore(at("site"), copy, export_);
    await moveTo("site");
    await service.submit({ email: "kabir@uni.example" });
    expect(await service.requests.openVisit(visit)).toMatchObject({ kind: "unknown" });
  });

  test("shows the report again and accepts a confirmation only once", async () => {
    const { problem } = await runOnRestored(["write", "--as", "Nadia"], service);
    expect(problem).toMatch(/^No copy has ever been restored here\.\nNothing was changed/);
    const first = await restore(at("site"), copy, export_);
    await moveTo("site");
    expect(await runOnRestored(["confirm", "--as", "Nadia"], service)).toMatchObject({
      code: 1,
      problem: expect.stringMatching(/^1 person does not know yet .* restore write --as NAME/),
    });
    expect(await runOnRestored(["write", "--as", "Nadia"], service)).toMatchObject({ code: 0 });
    expect(first.out).toContain(((await runOnRestored(["show"], service)).out ?? "").slice(0, 400));
    expect(await runOnRestored(["confirm"], service)).toMatchObject({ code: 2 });
    expect(await runOnRestored(["confirm", "--as", "Nadia"], service)).toMatchObject({ code: 0 });
    expect(await runOnRestored(["confirm", "--as", "Nadia"], service)).toMatchObject({ code: 1 });
    const { acts } = await service.desk.teamActs(9, null);
    expect(acts.map(({ type }) => type)).toContain("restore-confirm");
  });
});
