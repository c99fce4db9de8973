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
import { tally } from "../ledger/monthly-counters.ts";
import { enqueueLink, enqueueTeamMail } from "../mails/mails.ts";
import { addEvent } from "../repository/audit-log.ts";
import { linkValidUntil, type NetworkShare } from "../repository/links.ts";
import { countForms, formsSince } from "../repository/network-forms.ts";
import { addRequest, countReceived, findOpenRequest } from "../repository/requests.ts";
import {
  addSubmission,
  findFreeReference,
  findSubmission,
  type SubmissionRecord,
} from "../repository/submissions.ts";
import { formsKeptWhole, isEnded, isFormKey } from "../state-machine/request.ts";
import { dueDateFor } from "../state-machine/state-machine.ts";
import { parseSubmission, type Submission, type WrongField } from "../state-machine/submission.ts";

/** Handles the public form without waiting for any network call. */

/**
 * Outcome of submitting the form, determined here or before parsing. Each has its own status and
 * text.
 */
export type SubmissionAnswer =
  | { kind: "stored"; formKey: string; submission: SubmissionFacts }
  /** Demo mode, which stores nothing. */
  | { kind: "simulated" }
  | { kind: "refused"; wrong: WrongField[] }
  | { kind: "too-many"; retryAfterMs: number }
  /** The network's requests have used up its room; some of them must be gone first. */
  | { kind: "network-full" }
  | { kind: "not-stored" }
  /** Sent from another site, too long, or unreadable. */
  | { kind: "foreign" | "too-large" | "malformed" };

/** Hours during which a form key opens the success panel. */
const panelHours = 1;

export type SubmitContext = RequestServices & {
  /** Called if the store fails; the error contains no personal data. */
  onStorageProblem?: (error: unknown) => void;
};

type SubmitServices = SubmitContext & {
  /**
   * How many unconfirmed requests there may be; beyond that, the site accepts no forms from anyone.
   */
  maxUnconfirmed: number;
  budget: Pick<NetworkBudget, "spendForm" | "networksOf">;
  deletionMode: "real" | "simulated";
  /** The campus's own mail domains; the form suggests them if a typed domain has a typo. */
  mailDomains?: readonly string[];
};

export function createSubmitting(services: SubmitServices) {
  const { database, clock, budget, deletionMode, mailDomains } = services;
  const room: Room = { unconfirmed: 0, countedAt: Number.NEGATIVE_INFINITY };

  return {
    /**
     * Stores a submitted form. `stored` means that it is on disk. The answer depends only on the
     * form, never on what the store knows about the email address. The same form key with the same
     * email address gets the first answer again.
     * @param client the visitor's IP address; without it, no network limit applies and the email is
     * sent before all others
     */
    async submit(typed: FormValues, language = "", client?: string): Promise<SubmissionAnswer> {
      if (deletionMode === "simulated") return { kind: "simulated" };
      const spent = client === undefined ? undefined : await budget.spendForm(client);
      if (spent?.ok === false) return { kind: "too-many", retryAfterMs: spent.retryAfterMs };
      const parsed = parseSubmission(typed, language, mailDomains);
      if (!parsed.ok) return { kind: "refused", wrong: parsed.wrong };
      try {
        return await store(services, room, parsed.submission, client);
      } catch (error) {
        if (!isStorageProblem(error)) throw error;
        services.onStorageProblem?.(error);
        return { kind: "not-stored" };
      }
    },

    /**
     * Reads the success panel after a redirect; undefined if the key is unknown or older than an
     * hour.
     */
    async findSubmission(formKey: unknown): Promise<SubmissionAnswer | undefined> {
      if (!isFormKey(formKey)) return undefined;
      const stored = await findSubmission(database.read, formKey);
      const isShown = stored && clock().since(stored.receivedAt).total("hours") < panelHours;
      if (!isShown || stored.email === undefined) return undefined;
      return {
        kind: "stored",
        formKey,
        submission: presentSubmission(services, stored, stored.email),
      };
    },
  };
}

/** Stores a form if there is room for it. */
async function store(
  services: SubmitServices,
  room: Room,
  submission: Submission,
  client: string | undefined,
): Promise<SubmissionAnswer> {
  const { budget, clock, database, keys } = services;
  const networks = client === undefined ? [] : budget.networksOf(client);
  const from = networks.map(({ prefix, share }) => ({
    network: keys.hash("network", prefix).hash,
    share,
  }));
  const found = await findRoom(services, room, from, clock());
  const stored = await database.write(async (transaction) => {
    const now = clock();
    const { formKey, known } = await findSent(transaction, submission);
    if (known) return { formKey, form: known, isNew: false };
    // Warns the operators, at most once an hour, that the store is full.
    if (found.kind === "full") {
      const message = { kind: "operator-full", unconfirmed: found.unconfirmed } as const;
      await enqueueTeamMail({ transaction, keys, now }, message, { once: `full:${toHour(now)}` });
    }
    if (found.kind !== "free") return undefined;
    const received = await receive(
      { services, transaction, now },
      { ...submission, formKey },
      from,
    );
    for (const { network } of from) await countForms(transaction, { network, forms: 1, now });
    return { formKey, ...received };
  });
  services.onOutbox?.();
  if (!stored) return { kind: found.kind === "full" ? "not-stored" : "network-full" };
  if (stored.isNew) room.unconfirmed++;
  const { formKey, form } = stored;
  const told = presentSubmission(services, form, form.email ?? submission.email);
  return { kind: "stored", formKey, submission: told };
}

/**
 * Finds the stored form with this key. A visitor who got no answer may correct the email address
 * and submit the same page again, which makes it a new form. Its key is derived from the old key
 * and the new email address, so that it also counts once.
 */
async function findSent(transaction: Write, { formKey, email }: Submission) {
  const first = await findSubmission(transaction, formKey);
  const address = matchEmail(email);
  if (!first?.email || matchEmail(first.email) === address) return { formKey, known: first };
  const corrected = `${hashToken(`${formKey} ${address}`).slice(0, 21)}A`;
  return { formKey: corrected, known: await findSubmission(transaction, corrected) };
}

/** Stores a form as a new request, or adds it to the open request for its email address. */
async function receive(
  {
    services,
    transaction,
    now,
  }: { services: SubmitServices; transaction: Write; now: Temporal.Instant },
  submission: Submission,
  networks: readonly NetworkShare[],
): Promise<{ form: SubmissionRecord; isNew: boolean }> {
  const { keys, calendar } = services;
  // Handles the forms for one mailbox one after another, because earlier forms determine the result
  // and the email limit.
  await transaction.lock(keys.hash("mailbox", mailboxOf(submission.email)).hash);
  const named = { ...submission, reference: await findFreeReference(transaction) };
  const open = await findOpenRequest(transaction, submission.email);
  const fresh = { ...named, sent: 1, receivedAt: now, expiresAt: linkValidUntil(now) };
  let request = open ?? (await addRequest(transaction, fresh));
  const isWhole = !open || open.sent < formsKeptWhole;
  const kept = isWhole ? named : { ...named, feedback: "" };
  const form = await addSubmission(transaction, request.id, kept, now);
  const { reference, reason, language } = named;
  if (open) {
    const act = { type: "repeat", reference, reason, language } as const;
    const repeated = await applyAct({ services, transaction, now }, open, act, { actor: "person" });
    if (repeated.ok && !isEnded(repeated.after)) request = repeated.after;
  } else {
    const event = { type: "receive", fromState: "", code: reason } as const;
    await addEvent(transaction, request, { ...event, actor: "person", at: now });
  }
  await enqueueLink({ services, transaction, now }, request, form, { by: "person", networks });
  // Comes last, so that the row, a counter that all forms update, is locked only briefly.
  if (!open) await tally(transaction, dateAt(calendar, now), "received");
  return { form, isNew: !open };
}

export type SubmissionFacts = ReturnType<typeof presentSubmission>;

/** Builds what the success panel shows. */
function presentSubmission(
  services: SubmitServices,
  { reference, receivedAt }: SubmissionRecord,
  email: string,
) {
  return {
    reference,
    receivedAt,
    maskedEmail: maskEmail(email),
    /** When the email's link expires, and the request with it unless the requester confirms it. */
    linkValidUntil: linkValidUntil(receivedAt),
    /** The due date if the requester confirms on the day of receipt. */
    dueIfConfirmedToday: dueDateFor(services, receivedAt, receivedAt),
  };
}

// Room

/**
 * Room for unconfirmed requests. A network's limit on recent forms is its share of the room that is
 * free at the moment (the dynamic threshold of queueing theory), so however many networks fill the
 * store, some room stays free for others. The limit counts forms instead of requests, so that a
 * network can't use it to find out which email addresses the store knows.
 */

/**
 * Share of the free room per client; a hundred networks of four shares each take half of all the
 * room.
 */
const shareOfRoom = 1 / 400;

/**
 * Checks whether the store is half full. Genuine requests alone don't cause that, so an operator
 * should investigate.
 */
export function isFilling(unconfirmed: number, maxUnconfirmed: number): boolean {
  return unconfirmed * 2 >= maxUnconfirmed;
}

/**
 * How long the count of unconfirmed requests is cached, in milliseconds; new requests are added to
 * it.
 */
const countEveryMs = 60_000;

/** The cached count, plus the requests stored since then. */
type Room = { unconfirmed: number; countedAt: number };

/**
 * Checks whether the store has room for another form.
 * @param networks the visitor's networks, as keyed hashes
 */
async function findRoom(
  { database, maxUnconfirmed }: SubmitServices,
  room: Room,
  networks: readonly NetworkShare[],
  now: Temporal.Instant,
): Promise<{ kind: "free" | "network-full" } | { kind: "full"; unconfirmed: number }> {
  if (Math.abs(now.epochMilliseconds - room.countedAt) >= countEveryMs) {
    room.unconfirmed = await countReceived(database.read);
    room.countedAt = now.epochMilliseconds;
  }
  const { unconfirmed } = room;
  const free = maxUnconfirmed - unconfirmed;
  if (free <= 0) return { kind: "full", unconfirmed };
  for (const { network, share } of networks) {
    const sent = await formsSince(database.read, { network, since: sinceOf(now) });
    if (sent >= Math.max(1, share * shareOfRoom * free)) return { kind: "network-full" };
  }
  return { kind: "free" };
}

/**
 * Returns the start of the window in which a network's forms count; requests from before have
 * expired.
 */
const sinceOf = (now: Temporal.Instant) => toHour(now.subtract({ hours: linkHours }));
