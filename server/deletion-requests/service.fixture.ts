import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { StoredProblem } from "../delivery/delivery-problem.ts";
import type { OutgoingEmail, SendResult } from "../delivery/mailer.ts";
import { countRows, readTestDatabase } from "../platform/database/database.fixture.ts";
import { type FormValues, toFormValues } from "../platform/forms/form-values.ts";
import { openTestServices, type TestServicesOptions } from "../services.fixture.ts";
import { createSiteMailer, type Means } from "../services.ts";
import { addAbsence } from "../team/roster/absences.ts";
import { addOperator, findOperator } from "../team/roster/operators.ts";
import type { SubmittedAct } from "./commands/acts.ts";
import { applyAct, type RequestServices } from "./commands/apply-act.ts";
import type { Entry } from "./commands/closed-mailbox.ts";
import { handBackAll } from "./commands/operator-commands.ts";
import { createUpkeep } from "./jobs/retention-jobs.ts";
import type { Message, PersonMessage } from "./mails/messages.ts";
import { sampleCompletion } from "./mails/receipt-mail.ts";
import { type QueuedRequest, type QueuePart, queueParts } from "./queries/request-queries.ts";
import { findRequest } from "./repository/requests.ts";
import { createSubmitting } from "./self-service/submitting.ts";
import { createFormKey } from "./state-machine/request.ts";
import type { Act, By, Decision } from "./state-machine/state-machine.ts";
import {
  sampleChecklist,
  testBundle,
  testMailWriter,
  testPromises,
  testPublicUrl,
} from "./test-campus.fixture.ts";

/**
 * Checklist answers that report the first location's data as deleted. Saving them moves a request to
 * `in-progress`.
 */
export const firstTick = {
  type: "tick",
  checklist: { account: ["user"], "at-accounts": ["done"] },
  begins: true,
  answered: ["accounts"],
} as const satisfies SubmittedAct;

/** Result of sending an email that the mail server refuses. */
export const failed = (problem: StoredProblem, { permanent = false } = {}) =>
  ({ kind: "failed", problem, permanent }) as const;

export type Sent = {
  to: string;
  kind: Message["kind"];
  message: Message;
  letter: OutgoingEmail;
  /** Language of the email. Empty for the campus's default language. */
  language: string;
};

export const isToPerson = (message: Message): message is PersonMessage =>
  !message.kind.startsWith("operator-");

export type TestService = Awaited<ReturnType<typeof openTestService>>;

/** Limit on unconfirmed requests, low enough for a test to reach. */
const maxUnconfirmed = "1000";

/** Collects the emails that a service sends, each with the message it was rendered from. */
function createTestMailbox() {
  const sent: Sent[] = [];
  const written = new Map<string, Pick<Sent, "message" | "language">>();
  const mailbox = {
    sent,
    /** Returns the mail server's response to an email. Tests may replace this function. */
    answer: (_letter: OutgoingEmail): SendResult | Promise<SendResult> => ({ kind: "delivered" }),
  };
  const means: Partial<Means> = {
    writeMail(message, language = "", more) {
      const mail = testMailWriter(message, language, more);
      written.set(mail.html, { message, language });
      return mail;
    },
    mailer: {
      async send(letter) {
        const result = await mailbox.answer(letter);
        const known = written.get(letter.html);
        if (known && result.kind !== "failed") {
          sent.push({ to: letter.to, kind: known.message.kind, letter, ...known });
        }
        return result;
      },
    },
  };
  return { mailbox, means };
}

/**
 * Opens a service for a small campus with three operators. The clock starts on Sunday, November 22,
 * 2026, at 10 a.m. campus time.
 */
export async function openTestService(
  start = "2026-11-22T04:00:00Z",
  { settings, means, ...options }: Omit<TestServicesOptions, "now"> = {},
) {
  const { mailbox, means: mailMeans } = createTestMailbox();
  const opened = await openTestServices(testBundle, {
    now: start,
    promises: testPromises,
    config: { publicUrl: testPublicUrl },
    settings: {
      MAIL_FROM: "rides@rides.example",
      OPERATOR_MAIL: "desk@rides.example",
      MAX_UNCONFIRMED: maxUnconfirmed,
      SUBMISSION_LIMIT: "1000000",
      ...settings,
    },
    // Retries have no jitter.
    means: { random: () => 0, ...mailMeans, ...means },
    ...options,
  });
  const { foundation, site, rounds, pass, setClock } = opened;
  const { config, dataDir, database, clock } = foundation;
  const services = { ...foundation, ...site, maxUnconfirmed: config.maxUnconfirmed };
  const { desk } = services;
  const requests = { ...site.submitting, ...site.visits };
  const { sent } = mailbox;
  await database.write(async (transaction) => {
    for (const name of ["Nadia", "Rahim", "Tuli"]) await addOperator(transaction, name, clock());
  });

  async function submit(change: Record<string, string> = {}, language = "") {
    const result = await requests.submit(form(change), language);
    if (result.kind !== "stored") throw new Error(result.kind);
    return { ...result.submission, formKey: result.formKey };
  }

  return Object.assign(mailbox, {
    ...services,
    ...opened,
    requests,
    folder: dataDir,
    /** Mailer that writes emails to files in the data folder. */
    fileMailer: createSiteMailer(foundation, testBundle.campus.settings),
    /** Runs the upkeep jobs without their lease. */
    upkeep: createUpkeep(foundation),

    /** Moves the clock, then runs the due jobs and sends the emails. */
    round(duration: Parameters<typeof pass>[0] = {}): Promise<void> {
      pass(duration);
      return rounds.runOnce();
    },
    roundAt(instant: string): Promise<void> {
      setClock(instant);
      return rounds.runOnce();
    },

    form,

    /** Lists the entire queue on one page. */
    async queue(parts: readonly QueuePart[] = queueParts): Promise<QueuedRequest[]> {
      return (await desk.list(parts, 10_000))?.requests ?? [];
    },

    submit,

    /** Counts the rows that one more submission reads and writes. */
    async costOf(change: Record<string, string>) {
      const { counts, ...counted } = countRows(database);
      const result = await createSubmitting({ ...services, ...counted }).submit(form(change));
      assert.equal(result.kind, "stored");
      return counts;
    },

    /** Submits a form, then tries to send the emails. */
    async submitMailed(...args: Parameters<typeof submit>) {
      const submission = await submit(...args);
      await rounds.runOnce();
      return submission;
    },

    /** Submits forms ten at a time so that none times out on a slow machine. */
    async submitMany(count: number, change: (form: number) => Record<string, string>) {
      for (let sent = 0; sent < count; sent += 10) {
        const ten = Array.from({ length: Math.min(10, count - sent) }, (_, index) => sent + index);
        await Promise.all(ten.map((number) => submit(change(number))));
      }
    },

    newest(kind: Message["kind"]): Sent {
      const found = sent.findLast((email) => email.kind === kind);
      if (!found) throw new Error(`No ${kind} email was sent`);
      return found;
    },

    /** Opens the link in an email. Returns the token of the visit session. */
    async follow(mail: Sent): Promise<string> {
      const link = /\?link=([\w-]{43})\n/.exec(mail.letter.text)?.[1];
      const opened = await requests.openLink(link);
      if (opened.kind !== "visit") throw new Error(opened.kind);
      return opened.visit;
    },

    /**
     * Sends waiting emails, then opens the link in the newest email of this kind. Returns the token
     * of the visit session.
     */
    async openMail(kind: Message["kind"]): Promise<string> {
      await rounds.runOnce();
      return this.follow(this.newest(kind));
    },

    /** Submits and confirms a request. Returns its reference. */
    async submitConfirmed(change: Record<string, string> = {}): Promise<string> {
      const { reference } = await this.submit(change);
      const result = await requests.confirm(await this.openMail("confirm"));
      if (result.kind !== "done") throw new Error(result.kind);
      return reference;
    },

    /** Submits, confirms and completes a request. Returns its reference. */
    async submitCompleted(change?: Record<string, string>): Promise<string> {
      const reference = await this.submitConfirmed(change);
      await this.complete(reference);
      return reference;
    },

    /**
     * Starts the work as Nadia, then completes the request as the system so that the completion is
     * final.
     */
    async complete(reference: string): Promise<void> {
      await this.begin(reference);
      await bySystem(services, reference, { type: "complete", completion: sampleCompletion });
    },

    /** Starts the work by deleting the data in the checklist's first location. */
    begin: (reference: string, name = "Nadia") => desk.act(reference, firstTick, name),

    take: (reference: string, name = "Nadia") => desk.act(reference, { type: "take" }, name),

    handBackAll: (owner: string, by: string) =>
      database.write((transaction) =>
        handBackAll({ services, transaction, now: clock() }, owner, by),
      ),

    /** As Nadia, takes the request and marks it done. The completion can still be undone. */
    async callDone(reference: string, address = "anika@uni.example") {
      await this.take(reference);
      const typed = { ...sampleChecklist, address: [address] };
      await desk.submit({ act: "complete", reference, typed }, "Nadia");
    },

    refuse: (reference: string, explanation = "") =>
      desk.act(reference, { type: "refuse", reason: "no-account", explanation }, "Nadia"),

    /** As Nadia, puts the request on hold until the end of a day. */
    hold(reference: string, until: string) {
      const lastDay = Temporal.PlainDate.from(until);
      const act = { type: "hold", reason: "dues", until: lastDay, explanation: "" } as const;
      return byOperator(services, reference, act);
    },

    extend: (reference: string, businessDays: number, explanation: string) =>
      desk.act(
        reference,
        { type: "later", reason: "time", days: businessDays, explanation },
        "Nadia",
      ),

    enterClosed(change: Partial<Record<keyof Entry, unknown>> = {}) {
      const entry = {
        email: "old@uni.example",
        contact: "me@home.example",
        proof: "last-ride",
        reason: "other",
        language: undefined,
        receivedAt: clock(),
        ...change,
      };
      return desk.enterRequest(entry as Entry, "Nadia");
    },

    /** Records an absence that includes both the first and the last day. */
    async startAbsence(name: string, from: string, until: string): Promise<void> {
      const { id: operatorId = 0 } = (await findOperator(database.read, name)) ?? {};
      const [fromOn, untilOn] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(until)];
      const absence = { operatorId, reason: "exams", fromOn, untilOn };
      await database.write((transaction) => addAbsence(transaction, absence));
    },

    /** Returns all files in the data folder, including the database, as searchable text. */
    async readFolder(): Promise<string> {
      const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
      const contents = await Promise.all(
        entries
          .filter((entry) => entry.isFile())
          .map((entry) => readFile(join(entry.parentPath, entry.name), "latin1")),
      );
      const names = entries.map((entry) => entry.name);
      return [...names, ...contents, await readTestDatabase(dataDir)].join("\n");
    },
  });
}

/** Applies an act as the system actor, which makes completions final. */
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

/** Applies an operator's act that has no form of its own, such as a hold until a given day. */
export const byOperator = (
  services: RequestServices,
  reference: string,
  act: Act,
  name = "Nadia",
) => bySystem(services, reference, act, { actor: "operator", name });

function form(change: Record<string, string> = {}): FormValues {
  return toFormValues({
    email: "anika@uni.example",
    reason: "other",
    feedback: "",
    confirmation: "on",
    formKey: createFormKey(),
    ...change,
  });
}
