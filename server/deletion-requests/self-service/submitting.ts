import { linkHours } from "../../periods.ts";
import { mailboxOf, maskEmail, matchEmail } from "../../platform/addresses/email-address.ts";
import { dateAt } from "../../platform/calendar/business-days.ts";
import { hashToken } from "../../platform/crypto/keys.ts";
import { isStorageProblem } from "../../platform/database/database.ts";
import { toHour } from "../../platform/database/rows.ts";
import type { Write } from "../../platform/database/statement.ts";
import type { FormValues } from "../../platform/forms/form-values.ts";
import type { NetworkBudget } from "../../platform/http/networks.ts";
import { applyAct, type RequestServices } from "../commands/apply-act.ts";
import { tallyReceived } from "../ledger/monthly-counters.ts";
import { enqueueLink, enqueueTeamMail, readLinkLimit } from "../mails/mails.ts";
import { addEvent } from "../repository/audit-log.ts";
import { linkValidUntil, type NetworkShare } from "../repository/links.ts";
import { formsSince } from "../repository/network-forms.ts";
import {
  addReservedRequest,
  countReceived,
  findOpenRequest,
  newRequest,
} from "../repository/requests.ts";
import {
  addReservedSubmission,
  findFreeReference,
  findSubmission,
  type SubmissionRecord,
} from "../repository/submissions.ts";
import {
  createFormKey,
  formsKeptWhole,
  isEnded,
  isFormKey,
  type ReceivedRequest,
} from "../state-machine/request.ts";
import { dueDateFor, transition } from "../state-machine/state-machine.ts";
import { parseSubmission, type Submission, type WrongField } from "../state-machine/submission.ts";

/** Handles the public form, without waiting for network calls. */

/** Answer to a submitted form. Each kind has its own text, but some share an HTTP status. */
export type SubmissionAnswer =
  | { kind: "stored"; formKey: string; submission: SubmissionFacts }
  /** Demo mode: nothing was stored. */
  | { kind: "simulated" }
  | { kind: "refused"; wrong: WrongField[] }
  | { kind: "too-many"; retryAfterMs: number }
  /**
   * The network has used up its share of the capacity. New forms are accepted once some of its
   * unconfirmed requests are gone.
   */
  | { kind: "network-full" }
  | { kind: "not-stored" }
  /** Rejected before parsing: sent from another site, too long, or unreadable. */
  | { kind: "foreign" | "too-large" | "malformed" };

/** Answer to a reload of the success panel once it no longer shows the request. */
export type PanelClosed = { kind: "panel-closed" };

/** How long a form key opens the success panel and identifies a resent form, in hours. */
const panelHours = 1;

const isRecent = ({ receivedAt }: SubmissionRecord, now: Temporal.Instant) =>
  now.since(receivedAt).total("hours") < panelHours;

/**
 * Length of a time slot in milliseconds. A form without a key counts only once in two adjacent
 * slots. The same form sent more than ten minutes later therefore always requests a new link.
 */
const repeatMs = 5 * 60_000;

export type SubmitContext = RequestServices & {
  /** Called when the store fails. The error contains no personal data. */
  onStorageProblem?: (error: unknown) => void;
};

type SubmitServices = SubmitContext & {
  /** Maximum number of unconfirmed requests. At the limit, new forms are refused. */
  maxUnconfirmed: number;
  budget: Pick<NetworkBudget, "spendForm" | "networksOf">;
  deletionMode: "real" | "simulated";
  /** The campus's own mail domains, suggested as corrections of mistyped domains. */
  mailDomains?: readonly string[];
};

export function createSubmitting(services: SubmitServices) {
  const { database, clock, budget, deletionMode, mailDomains } = services;
  const usage: Usage = { unconfirmed: 0, countedAt: Number.NEGATIVE_INFINITY };

  return {
    /**
     * Stores a submitted form. `stored` means that the data is on disk. The answer depends only on
     * the form, never on whether the store knows the email address. A form that is resent within an
     * hour with the same key and email address gets its original answer. Without JavaScript, a form
     * has no key. The same form from the same client then gets its original answer for some minutes.
     * @param client the visitor's IP address. Without an address, no network limit applies, and the
     * email takes precedence over all others.
     */
    async submit(typed: FormValues, language = "", client?: string): Promise<SubmissionAnswer> {
      if (deletionMode === "simulated") return { kind: "simulated" };
      const spent = client === undefined ? undefined : await budget.spendForm(client);
      if (spent?.ok === false) return { kind: "too-many", retryAfterMs: spent.retryAfterMs };
      const parsed = parseSubmission(typed, language, mailDomains);
      if (!parsed.ok) return { kind: "refused", wrong: parsed.wrong };
      try {
        const { submission } = parsed;
        if (submission.formKey) return await store(services, usage, submission, client);
        const formKey = await deriveFormKey(services, submission, client);
        return hideMinute(
          services,
          await store(services, usage, { ...submission, formKey }, client),
        );
      } catch (error) {
        if (!isStorageProblem(error)) throw error;
        services.onStorageProblem?.(error);
        return { kind: "not-stored" };
      }
    },

    /**
     * Returns the content of the success panel after a redirect. After an hour, returns only that
     * the form was sent. Returns undefined if the form key is unknown.
     */
    async findSubmission(formKey: unknown): Promise<SubmissionAnswer | PanelClosed | undefined> {
      if (!isFormKey(formKey)) return undefined;
      const stored = await findSubmission(database.read, formKey);
      if (!stored) return undefined;
      if (!isRecent(stored, clock()) || stored.email === undefined) return { kind: "panel-closed" };
      return {
        kind: "stored",
        formKey,
        submission: presentSubmission(services, stored, stored.email),
      };
    },
  };
}

/**
 * Derives a key from the content and the client of a form without a key. For some minutes, the same
 * form gets the same key, unless its request has ended since. Later, the form gets a new key and
 * requests a new link.
 */
async function deriveFormKey(
  { database, keys, clock }: SubmitServices,
  { email, reason, feedback, language }: Submission,
  client = "",
): Promise<string> {
  const content = JSON.stringify([matchEmail(email), reason, feedback, language, client]);
  const slot = Math.floor(clock().epochMilliseconds / repeatMs);
  const [current, before] = [slot, slot - 1].map(
    (at) => `${keys.hash("form", `${at} ${content}`).hash.slice(0, 21)}A`,
  ) as [string, string];
  for (const formKey of [current, before]) {
    if (!(await findSubmission(database.read, formKey))) continue;
    return (await findOpenRequest(database.read, email)) ? formKey : createFormKey();
  }
  return current;
}

/**
 * Rounds the answer's times down to the earliest time at which the form could have been sent.
 * Otherwise, someone at the requester's IP address could send the same form and learn that the
 * requester sent it a few minutes ago.
 */
function hideMinute(services: SubmitServices, answer: SubmissionAnswer): SubmissionAnswer {
  if (answer.kind !== "stored") return answer;
  const now = services.clock();
  const slot = Math.floor(now.epochMilliseconds / repeatMs);
  const receivedAt = Temporal.Instant.fromEpochMilliseconds((slot - 1) * repeatMs);
  const linkValid = linkValidUntil(receivedAt);
  const dueIfConfirmedToday = dueDateFor(services, now, now);
  const submission = {
    ...answer.submission,
    receivedAt,
    linkValidUntil: linkValid,
    dueIfConfirmedToday,
  };
  return { ...answer, submission };
}

async function store(
  services: SubmitServices,
  usage: Usage,
  submission: Submission,
  client: string | undefined,
): Promise<SubmissionAnswer> {
  const { budget, clock, database, keys } = services;
  const networks = client === undefined ? [] : budget.networksOf(client);
  const from = networks.map(({ prefix, share }) => ({
    network: keys.hash("network", prefix).hash,
    share,
  }));
  const free = await countFree(services, usage, clock());
  const stored = await database.write(async (transaction) => {
    const now = clock();
    const found = await readBefore({ services, transaction, now }, submission, from);
    const { formKey, known } = found.sent;
    if (known) return { kind: "stored", formKey, form: known, isNew: false } as const;
    // When the store is full, alerts the operators at most once an hour.
    if (free <= 0) {
      const message = { kind: "operator-full", unconfirmed: usage.unconfirmed } as const;
      await enqueueTeamMail({ transaction, keys, now }, message, { once: `full:${toHour(now)}` });
      return { kind: "not-stored" } as const;
    }
    if (isUsedUp(from, found.forms, free)) return { kind: "network-full" } as const;
    const work = { services, transaction, now };
    return {
      kind: "stored",
      formKey,
      ...(await receive(work, { ...submission, formKey }, found, from)),
    } as const;
  });
  services.onOutbox?.();
  if (stored.kind !== "stored") return stored;
  if (stored.isNew) usage.unconfirmed++;
  const { formKey, form } = stored;
  const presented = presentSubmission(services, form, form.email ?? submission.email);
  return { kind: "stored", formKey, submission: presented };
}

type FormWork = { services: SubmitServices; transaction: Write; now: Temporal.Instant };

type Found = Awaited<ReturnType<typeof readBefore>>;

/** Reads everything that a form's handling depends on, in one round trip to PostgreSQL. */
async function readBefore(
  { services, transaction, now }: FormWork,
  submission: Submission,
  networks: readonly NetworkShare[],
) {
  const { keys } = services;
  const { email } = submission;
  const names = networks.map(({ network }) => network);
  const [, sent, open, limit, forms, reference, ids] = await transaction.together([
    // Serializes forms for the same mailbox, because earlier forms affect the result and the email
    // limit.
    () => transaction.lock(keys.hash("mailbox", mailboxOf(email)).hash),
    () => findSent(transaction, submission, now),
    () => findOpenRequest(transaction, email),
    () => readLinkLimit({ transaction, keys, now }, { email, by: "person", networks }),
    () => formsSince(transaction, names, now.subtract({ hours: linkHours })),
    () => findFreeReference(transaction),
    () => transaction.reserve("requests", "submissions"),
  ]);
  return { sent, open, limit, forms, reference, ids };
}

/**
 * Finds the stored form with this key. If a visitor corrects the email address and submits the same
 * page again, that counts as a new form. The new form's key is derived from the old key and the new
 * address so that the new form, too, is stored only once. After an hour, the same form counts as a
 * new form, too. Otherwise, its answer would reveal whether the request was confirmed in time.
 */
async function findSent(
  transaction: Write,
  { formKey, email }: Submission,
  now: Temporal.Instant,
): Promise<{ formKey: string; known: SubmissionRecord | undefined }> {
  const first = await findSubmission(transaction, formKey);
  const address = matchEmail(email);
  // The address is unknown after the erasure.
  const isSame = first?.email !== undefined && matchEmail(first.email) === address;
  if (!first || (isSame && isRecent(first, now))) return { formKey, known: first };
  const derived = `${hashToken(`${formKey} ${address}`).slice(0, 21)}A`;
  const second = await findSubmission(transaction, derived);
  if (!second || isRecent(second, now)) return { formKey: derived, known: second };
  return { formKey: createFormKey(), known: undefined };
}

/**
 * Stores a form as a new request, or adds the form to the open request for the same email address.
 * Either takes one round trip to PostgreSQL.
 */
async function receive(
  { services, transaction, now }: FormWork,
  submission: Submission,
  { open, limit, reference, ids: [requestId, submissionId] }: Found,
  networks: readonly NetworkShare[],
): Promise<{ form: SubmissionRecord; isNew: boolean }> {
  const { calendar } = services;
  const work = { services, transaction, now };
  const named = { ...submission, reference };
  const { reason, language } = named;
  const act = { type: "repeat", reference, reason, language } as const;
  const by = { actor: "person" } as const;
  const fresh = { ...named, sent: 1, receivedAt: now, expiresAt: linkValidUntil(now) };
  let request = open ?? newRequest(requestId, fresh);
  if (open) {
    const repeated = transition(open, act, { rules: services, by, now });
    if (repeated.ok && !isEnded(repeated.after)) request = repeated.after;
  }
  const isWhole = !open || open.sent < formsKeptWhole;
  const kept = isWhole ? named : { ...named, feedback: "" };
  const form = { ...kept, id: submissionId, requestId: request.id, receivedAt: now };
  const event = { type: "receive", fromState: "", code: reason } as const;
  await transaction.together([
    async () => {
      if (!open) await addReservedRequest(transaction, request as ReceivedRequest);
    },
    () => addReservedSubmission(transaction, form),
    () =>
      open
        ? applyAct(work, open, act, by)
        : addEvent(transaction, request, { ...event, ...by, at: now }),
    () => enqueueLink(work, request, form, { by: "person", networks, limit, forms: 1 }),
    async () => {
      if (!open) await tallyReceived(transaction, dateAt(calendar, now));
    },
  ]);
  return { form, isNew: !open };
}

export type SubmissionFacts = ReturnType<typeof presentSubmission>;

function presentSubmission(
  services: SubmitServices,
  { reference, receivedAt }: SubmissionRecord,
  email: string,
) {
  return {
    reference,
    receivedAt,
    maskedEmail: maskEmail(email),
    /** When the link in the email expires. The request expires with it unless it is confirmed. */
    linkValidUntil: linkValidUntil(receivedAt),
    /** The due date if the request is confirmed on the day of receipt. */
    dueIfConfirmedToday: dueDateFor(services, receivedAt, receivedAt),
  };
}

/**
 * Limits on unconfirmed requests. A network's limit on recent forms is a share of the capacity that
 * is free now (in queueing theory, a dynamic threshold). This limit keeps some capacity free for
 * others, however many networks fill the store. To avoid revealing which email addresses the store
 * knows, it counts forms rather than requests.
 */

/**
 * A client's share of the free capacity. A network has up to four such shares. Free capacity
 * shrinks as forms arrive. If a hundred networks have four shares each, their forms therefore level
 * off at half of the total capacity.
 */
const shareOfCapacity = 1 / 400;

/**
 * Checks whether the store is at least half full. Genuine requests alone don't fill it that far, so
 * an operator should investigate.
 */
export function isFilling(unconfirmed: number, maxUnconfirmed: number): boolean {
  return unconfirmed * 2 >= maxUnconfirmed;
}

/**
 * How long the count of unconfirmed requests is cached, in milliseconds. New requests are added to
 * the cached count.
 */
const countEveryMs = 60_000;

/** The cached count as of `countedAt` (in milliseconds), plus the requests stored since then. */
type Usage = { unconfirmed: number; countedAt: number };

/** Returns how many more unconfirmed requests the store has room for. */
async function countFree(
  { database, maxUnconfirmed }: SubmitServices,
  usage: Usage,
  now: Temporal.Instant,
): Promise<number> {
  if (Math.abs(now.epochMilliseconds - usage.countedAt) >= countEveryMs) {
    usage.unconfirmed = await countReceived(database.read);
    usage.countedAt = now.epochMilliseconds;
  }
  return maxUnconfirmed - usage.unconfirmed;
}

/**
 * Checks whether one of a form's networks has used up its share of the free capacity.
 * @param forms number of forms from each network whose links haven't expired
 */
function isUsedUp(
  networks: readonly NetworkShare[],
  forms: readonly number[],
  free: number,
): boolean {
  return networks.some(
    ({ share }, index) => (forms[index] ?? 0) >= Math.max(1, share * shareOfCapacity * free),
  );
}
