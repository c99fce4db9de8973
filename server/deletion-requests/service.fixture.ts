import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import type { Campus } from "../../campus-reader/campus.ts";
import { campusFacts } from "../../campus-reader/facts.ts";
import type { DataKind } from "../../campus-reader/schema.ts";
import type { Calendar } from "../calendar/business-days.ts";
import {
  forgoDisk,
  provideTestDatabase,
  readTestDatabase,
  returnTestDatabase,
} from "../database/database.fixture.ts";
import { type Database, openDatabase } from "../database/database.ts";
import type { Read, Write } from "../database/statement.ts";
import { fillIn, type Typed } from "../forms/typed.ts";
import { networksOf } from "../http/networks.ts";
import { createKeys, type Keys, parseKeys } from "../keys/keys.ts";
import type { StoredProblem } from "../mail/delivery-problem.ts";
import { createMailFiles } from "../mail/files.ts";
import { createMailer, type Letter, type Mailer, type SendResult } from "../mail/mailer.ts";
import { addAbsence } from "../operators/absences.ts";
import { addOperator, findOperator } from "../operators/operators.ts";
import { createOutboxWorker } from "../outbox/worker.ts";
import { createLoop, createScheduler } from "../scheduler.ts";
import { createSubmitting } from "./asking/submitting.ts";
import { createVisits } from "./asking/visits.ts";
import { createUpkeep } from "./keeping/retention-jobs.ts";
import { type DataList, placesToTick } from "./life/checklist.ts";
import type { Act, By, Decision } from "./life/life.ts";
import { createFormKey } from "./life/request.ts";
import { createForgetting } from "./store/erasing.ts";
import { findRequest } from "./store/requests.ts";
import { createMailWriters } from "./telling/mail-writer.ts";
import { createMailChannels, tellTrouble } from "./telling/mails.ts";
import type { MailWords, Message } from "./telling/messages.ts";
import { sampleCompletion } from "./telling/sample-messages.ts";
import type { Asked } from "./working/acts.ts";
import { applyAct, type RequestServices } from "./working/apply-act.ts";
import type { Entry } from "./working/closed-mailbox.ts";
import { createDesk, handBackAll } from "./working/desk.ts";
import { type QueuedRequest, type QueuePart, queueParts } from "./working/reading.ts";

/**
 * Runs the whole service for tests, on a real database in a folder of its own, with a clock that
 * the test moves.
 */

export const testCalendar: Calendar = {
  timeZone: "Etc/GMT-6",
  weekend: [5, 6],
  holidays: [
    { date: "2026-12-16", name: "Victory Day" },
    { date: "2026-12-25", name: "Christmas Day" },
    { date: "2027-03-10", name: "Eid-ul-Fitr" },
    { date: "2027-12-16", name: "Victory Day" },
  ],
};

/** Checklist for a User without documents, with an unpaid fare. */
export const sampleWalk: Typed = fillIn({
  account: "user",
  "at-accounts": "done",
  "at-rides": "kept",
  "why-rides": "open-matter",
  "until-rides": "2027-03-01",
  "at-wallet": "done",
});

/** First place of a checklist, with something deleted there: the work has begun. */
export const firstTick = {
  type: "tick",
  walk: { account: ["user"], "at-accounts": ["done"] },
  begins: true,
  answered: ["accounts"],
} as const satisfies Asked;

/** Fills in a checklist with everything of the account deleted. */
export const typeWalk = (list: DataList, address = ""): Typed =>
  fillIn({
    address,
    account: "both",
    ...Object.fromEntries(placesToTick(list).map((place) => [`at-${place}`, "done"])),
  });

export const testDataList: DataList = {
  stores: [
    { key: "accounts", holder: "us", words: { en: "account system" } },
    { key: "rides", holder: "us", words: { en: "ride system" } },
    { key: "papers", holder: "us", words: { en: "paper store" } },
    { key: "wallet", holder: "recipient", told: "by-operator", words: { en: "wallet" } },
    { key: "deletion-page", holder: "this-site", words: { en: "deletion page" } },
  ],
  backupDays: 30,
  kinds: [
    { key: "identity", store: "accounts", accounts: ["User", "Rider"], onDeletion: "deleted" },
    { key: "ride-details", store: "rides", accounts: ["User", "Rider"], onDeletion: "deleted" },
    { key: "driver-papers", store: "papers", accounts: ["Rider"], onDeletion: "deleted" },
    { key: "payments", store: "wallet", accounts: ["User", "Rider"], onDeletion: "kept" },
    { key: "proof", store: "deletion-page", accounts: ["User", "Rider"], onDeletion: "kept" },
  ],
  ownershipProofs: [
    { key: "last-ride", words: { en: "they know their last ride" } },
    { key: "in-person", words: { en: "they came by" } },
  ],
};

const colours = Object.fromEntries(
  "paper surface ink ink-soft link primary on-primary outline marigold on-marigold rani on-rani field-line"
    .split(" ")
    .map((name) => [name, "#1d1433"]),
);

/** Reads the product's texts, and replaces `{product}` with "the product" and so on. */
async function readTestWords(name: string) {
  const words = await readFile(join(import.meta.dirname, `../../words/en/${name}.yaml`), "utf8");
  return parse(words.replace(new RegExp(`\\{(${campusFacts.join("|")})\\}`, "g"), "the $1"));
}

export const testMailWords: MailWords = await readTestWords("mail");
const { held }: Campus["deletion"] = await readTestWords("deletion");

const both = { accounts: ["User", "Rider"] };
const ofThisSite = { ...both, store: "deletion-page", place: held.places["deletion-page"] };
export const testDataKinds = [
  {
    ...both,
    key: "ride-details",
    store: "rides",
    onDeletion: "deleted",
    place: "our ride database",
    kind: "Ride details",
    examples: "routes, times",
  },
  {
    ...ofThisSite,
    ...held.kinds["deletion-request"],
    key: "deletion-request",
    onDeletion: "deleted",
  },
  { ...ofThisSite, ...held.kinds.proof, key: "proof", onDeletion: "kept" },
] as DataKind[];

const settings = {
  product: "Rides",
  developer: "Team",
  campus: "University",
  language: "en",
  timeZone: testCalendar.timeZone,
} as Campus["settings"];
const campus = { mail: testMailWords, dataKinds: testDataKinds, holidays: {}, settings };

export const testMailWriter = createMailWriters(
  { campus, translations: [], theme: { light: colours, dark: colours } },
  "https://rides.example",
);

export function createTestKeys(version = 1) {
  const list = parseKeys(`${version}:${randomBytes(32).toString("base64url")}`);
  return createKeys(list ?? []);
}

/**
 * Wraps a database so that each transaction is rolled back once and run again, as PostgreSQL does
 * after a serialization conflict.
 */
function rehearse(database: Database): Database {
  return {
    ...database,
    async write(work) {
      const undone = new Error("rehearsed");
      const first = database.write(async (transaction) => {
        await work(transaction);
        throw undone;
      });
      await first.catch((error: unknown) => {
        if (error !== undone) throw error;
      });
      return database.write(work);
    },
  };
}

/** Wraps a database and counts rows read and statements that write. */
export function countRows(database: Database) {
  const counts = { read: 0, ran: 0 };
  const watch = <Connection extends Read>(connection: Connection) => ({
    ...connection,
    async all(...asked: Parameters<Read["all"]>) {
      const rows = await connection.all(...asked);
      counts.read += rows.length;
      return rows;
    },
  });
  const counted = {
    ...database,
    read: watch(database.read),
    write: (work: (transaction: Write) => Promise<unknown>) =>
      database.write((transaction) =>
        work({
          ...watch(transaction),
          run(...asked: Parameters<Write["run"]>) {
            counts.ran++;
            return transaction.run(...asked);
          },
        } as Write),
      ),
  } as Database;
  return { database: counted, counts };
}

/** Result of a mail that a server refuses. */
export const failed = (problem: StoredProblem, permanent = false) =>
  ({ kind: "failed", problem, permanent }) as const;

export type Sent = {
  to: string;
  kind: Message["kind"];
  message: Message;
  letter: Letter;
  /** Language to write in; empty for the campus's first. */
  language: string;
};

export type TestService = Awaited<ReturnType<typeof openTestService>>;

/**
 * Opens a service on Sunday 22 November 2026 at ten in the morning, campus time.
 * @param inherited parts of a closed service, or of one on the same PostgreSQL database
 */
export async function openTestService(
  start = "2026-11-22T04:00:00Z",
  inherited: { folder?: string; keys?: Keys; url?: string; rehearse?: boolean } = {},
) {
  const folder = inherited.folder ?? (await mkdtemp(join(tmpdir(), "service-")));
  const databaseUrl = inherited.url ?? (await provideTestDatabase(folder));
  const opened = await openDatabase({ dataDir: folder, url: databaseUrl });
  if (!opened.ok) throw new Error(opened.problem);
  const kysely = await forgoDisk(opened.database, opened.store);
  const database = inherited.rehearse ? rehearse(opened.database) : opened.database;
  let now = Temporal.Instant.from(start);
  const clock = () => now;
  const keys = inherited.keys ?? createTestKeys();
  const files = createMailFiles(folder);
  const services = {
    dataDir: folder,
    database,
    clock,
    keys,
    calendar: testCalendar,
    businessDays: 10,
    secondPerson: true,
    dataList: testDataList,
    languages: ["en", "bn"],
    maxUnconfirmed: 1000,
    budget: { networksOf, spendForm: async () => ({ ok: true }) as const },
    deletionMode: "real" as const,
    forgetting: createForgetting({ database, removeMailFiles: files.remove }),
  };
  const upkeep = createUpkeep(services);
  await database.write(async (transaction) => {
    for (const name of ["Nadia", "Rahim", "Tuli"]) await addOperator(transaction, name, now);
  });

  const sent: Sent[] = [];
  const written = new Map<string, Pick<Sent, "message" | "language">>();
  const logged: string[] = [];
  const service = {
    answer: (_letter: Letter): SendResult | Promise<SendResult> => ({ kind: "delivered" }),
    /** Elapsed time as the worker sees it, apart from the clock. */
    elapsedMs: 0,
    /** Timer of the worker, for tests to run. */
    timer: undefined as (() => void) | undefined,
  };
  const mailer: Mailer = {
    async send(letter) {
      const result = await service.answer(letter);
      const known = written.get(letter.html);
      if (known && result.kind !== "failed") {
        sent.push({ to: letter.to, kind: known.message.kind, letter, ...known });
      }
      return result;
    },
  };
  const enter = (facts: unknown, text: string) => {
    logged.push(`${text} ${JSON.stringify(facts)}`);
  };
  const log = { warn: enter, info: enter };
  const outbox = createOutboxWorker({
    database,
    keys,
    clock,
    channels: createMailChannels({
      database,
      mailer,
      writeMail: (message, language = "", more) => {
        const mail = testMailWriter(message, language, more);
        written.set(mail.html, { message, language });
        return mail;
      },
      clock,
      keys,
      calendar: testCalendar,
      operatorAddress: "desk@rides.example",
    }),
    onStuck: (transaction, item, failure, now) =>
      tellTrouble({ transaction, keys, now }, item, failure),
    log,
    random: () => 0,
  });
  const loop = createLoop({
    setTimeout: (run) => {
      service.timer = run;
    },
    clearTimeout: () => {
      service.timer = undefined;
    },
  });
  const elapsedMs = () => service.elapsedMs;
  const rounds = createScheduler({ database, outbox, upkeep, clock, log, loop, elapsedMs });
  function pass({ days = 0, ...more }: Temporal.DurationLikeObject): void {
    now = now.add({ hours: days * 24 }).add({ minutes: 0, ...more });
  }
  const requests = { ...createSubmitting(services), ...createVisits(services) };
  const desk = createDesk(services);

  async function submit(change: Record<string, string> = {}, language = "") {
    const result = await requests.submit(form(change), language);
    if (result.kind !== "stored") throw new Error(result.kind);
    return { ...result.submission, formKey: result.formKey };
  }

  return Object.assign(service, {
    ...services,
    folder,
    /** Undefined if the database is a file in the folder. */
    databaseUrl,
    /** Writes mails to files in the folder. */
    fileMailer: createMailer({
      smtpUrl: undefined,
      tls: "optional",
      files,
      from: { name: "Rides", address: "rides@rides.example", replyTo: "help@rides.example" },
    }),
    upkeep,
    outbox,
    loop,
    rounds,
    requests,
    /** Direct access to the database, for changes that no service makes. */
    kysely,
    desk,
    sent,
    log: logged,

    pass,
    setClock(instant: string): void {
      now = Temporal.Instant.from(instant);
    },

    /** Moves the clock, then runs the due jobs and sends mails. */
    round(duration: Parameters<typeof pass>[0] = {}): Promise<void> {
      pass(duration);
      return rounds.runOnce();
    },
    roundAt(instant: string): Promise<void> {
      now = Temporal.Instant.from(instant);
      return rounds.runOnce();
    },

    form,

    /** Lists the whole queue as one page. */
    async queue(parts: readonly QueuePart[] = queueParts): Promise<QueuedRequest[]> {
      return (await desk.list(parts, 10_000))?.requests ?? [];
    },

    submit,

    /** Counts the rows that one more form reads and writes. */
    async costOf(change: Record<string, string>) {
      const { counts, ...counted } = countRows(database);
      const result = await createSubmitting({ ...services, ...counted }).submit(form(change));
      assert.equal(result.kind, "stored");
      return counts;
    },

    /** Submits a form and tries to send its mails. */
    async submitMailed(...asked: Parameters<typeof submit>) {
      const submission = await submit(...asked);
      await rounds.runOnce();
      return submission;
    },

    /** Submits in batches of ten, so that no form times out on a slow machine with any database. */
    async submitMany(count: number, change: (form: number) => Record<string, string>) {
      for (let sent = 0; sent < count; sent += 10) {
        const ten = Array.from({ length: Math.min(10, count - sent) }, (_, one) => sent + one);
        await Promise.all(ten.map((number) => submit(change(number))));
      }
    },

    /** Finds the newest mail of a kind that reached a mailbox. */
    newest(kind: Message["kind"]): Sent {
      const found = sent.findLast((one) => one.kind === kind);
      if (!found) throw new Error(`No ${kind} mail was sent`);
      return found;
    },

    /** Follows the link of a mail like its reader, and returns the visit. */
    async follow(mail: Sent): Promise<string> {
      const link = /\?link=([\w-]{43})\n/.exec(mail.letter.text)?.[1];
      const opened = await requests.openLink(link);
      if (opened.kind !== "visit") throw new Error(opened.kind);
      return opened.visit;
    },

    /** Sends waiting mails, and follows the link in the newest one of a kind. */
    async openMail(kind: Message["kind"]): Promise<string> {
      await rounds.runOnce();
      return this.follow(this.newest(kind));
    },

    /** Submits and confirms; returns the reference. */
    async submitConfirmed(change: Record<string, string> = {}): Promise<string> {
      const { reference } = await this.submit(change);
      const result = await requests.confirm(await this.openMail("confirm"));
      if (result.kind !== "done") throw new Error(result.kind);
      return reference;
    },

    /** Submits, confirms and completes; returns the reference. */
    async submitCompleted(change?: Record<string, string>): Promise<string> {
      const reference = await this.submitConfirmed(change);
      await this.complete(reference);
      return reference;
    },

    /** Nadia begins; then the system completes the request, without undo. */
    async complete(reference: string): Promise<void> {
      await this.begin(reference);
      await bySystem(services, reference, { type: "complete", completion: sampleCompletion });
    },

    /** Nadia deletes something in the first place. */
    begin: (reference: string, name = "Nadia") => desk.act(reference, firstTick, name),

    take: (reference: string, name = "Nadia") => desk.act(reference, { type: "take" }, name),

    handBackAll: (owner: string, by: string) =>
      database.write((transaction) => handBackAll({ services, transaction, now }, owner, by)),

    /** Nadia takes the request and marks it done; undo is still possible. */
    async callDone(reference: string, address = "anika@uni.example") {
      await this.take(reference);
      const typed = { ...sampleWalk, address: [address] };
      await desk.hear({ act: "complete", reference, typed }, "Nadia");
    },

    /** Nadia refuses the request. */
    refuse: (reference: string, explanation = "") =>
      desk.act(reference, { type: "refuse", reason: "no-account", explanation }, "Nadia"),

    /** Nadia sets a hold until the end of a day. */
    hold(reference: string, until: string) {
      const lastDay = Temporal.PlainDate.from(until);
      const act = { type: "hold", reason: "dues", until: lastDay, explanation: "" } as const;
      return byOperator(services, reference, act);
    },

    /** Nadia moves the promised date. */
    extend: (reference: string, businessDays: number, explanation: string) =>
      desk.act(
        reference,
        { type: "later", reason: "time", days: businessDays, explanation },
        "Nadia",
      ),

    /** Nadia enters a request for a closed mailbox. */
    enterClosed(change: Partial<Record<keyof Entry, unknown>> = {}) {
      const entry = {
        email: "old@uni.example",
        contact: "me@home.example",
        proof: "last-ride",
        reason: "other",
        language: undefined,
        receivedAt: now,
        ...change,
      };
      return desk.enterRequest(entry as Entry, "Nadia");
    },

    /** Enters an operator's absence, both days included. */
    async goAway(name: string, from: string, until: string): Promise<void> {
      const { id: operatorId = 0 } = (await findOperator(database.read, name)) ?? {};
      const [fromOn, untilOn] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(until)];
      const absence = { operatorId, reason: "exams", fromOn, untilOn };
      await database.write((transaction) => addAbsence(transaction, absence));
    },

    /** Reads all files of the folder and the database as searchable text. */
    async readFolder(): Promise<string> {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const contents = await Promise.all(
        entries
          .filter((entry) => entry.isFile())
          .map((entry) => readFile(join(entry.parentPath, entry.name), "latin1")),
      );
      const names = entries.map((entry) => entry.name);
      return [...names, ...contents, await readTestDatabase(folder)].join("\n");
    },

    async close(): Promise<void> {
      await database.close();
      await returnTestDatabase(folder);
      await rm(folder, { recursive: true });
    },
  });
}

/** Applies an act of the system. Completions are final. */
export function bySystem(
  services: RequestServices,
  reference: string,
  act: Act,
  by: By = { actor: "system" },
): Promise<Decision | undefined> {
  return services.database.write(async (transaction) => {
    const request = await findRequest(transaction, { reference });
    return request && applyAct({ services, transaction, now: services.clock() }, request, act, by);
  });
}

/** Applies an act of an operator that has no form, such as a hold until an exact day. */
export const byOperator = (
  services: RequestServices,
  reference: string,
  act: Act,
  name = "Nadia",
) => bySystem(services, reference, act, { actor: "operator", name });

function form(change: Record<string, string> = {}): Typed {
  return fillIn({
    email: "anika@uni.example",
    reason: "other",
    feedback: "",
    confirmation: "on",
    formKey: createFormKey(),
    ...change,
  });
}
