import { type MaskedEmail, mailboxOf, maskEmail } from "../addresses/email-address.ts";
import { type DueDate, dateAt } from "../calendar/business-days.ts";
import { type Database, isStorageProblem } from "../database/database.ts";
import type { Write } from "../database/statement.ts";
import { addMessage } from "../outbox/outbox.ts";
import { isFormKey } from "./form-key.ts";
import { decide } from "./life.ts";
import { oweLink } from "./link-mails.ts";
import { linkValidUntil } from "./links.ts";
import type { OperatorMessage } from "./messages.ts";
import { addRequest, enterLateRepeat, enterRepeat } from "./store/changes.ts";
import { countReceived } from "./store/counts.ts";
import { findOpenRequest } from "./store/finding.ts";
import {
  addSubmission,
  findFreeReference,
  findSubmission,
  type SubmissionRecord,
} from "./store/forms.ts";
import type { ReceivedRequest, WorkingRequest } from "./store/request.ts";
import { addEvent, addNote } from "./store/trail.ts";
import { type Problem, parseSubmission, type Submission } from "./submission.ts";
import { tally } from "./tallies.ts";
import { dueDateFrom, expiryFrom, type Office, toLife } from "./transitions.ts";

/** Sending the form: what a stranger can do. Nothing here waits for the network. */

export type StoredSubmission = {
  formKey: string;
  reference: string;
  maskedEmail: MaskedEmail;
  receivedAt: Temporal.Instant;
  /** Until when the link in the mail works. */
  linkValidUntil: Temporal.Instant;
  /** When the request goes if nobody confirms it. */
  expiresAt: Temporal.Instant;
  /** The promise if it is confirmed on the day it was received. */
  dueIfConfirmedToday: DueDate;
};

export type SubmitResult =
  | { kind: "stored"; submission: StoredSubmission }
  | { kind: "refused"; problems: Problem[] }
  | { kind: "not-stored" };

export type Submitting = ReturnType<typeof createSubmitting>;

/** How long a success panel can be read again with its form key. */
const panelHours = 1;

/**
 * Of so many forms for one request the feedback is kept, and each is entered in the trail. Any number of them gets a
 * reference that finds the request, at no cost for those that come after.
 */
export const formsKeptWhole = 20;

/** How long a count of the unconfirmed requests is believed; those stored since are added to it. */
const countEveryMs = 60_000;

export function createSubmitting(
  services: Office & {
    database: Database;
    clock: () => Temporal.Instant;
    /** While so many requests wait for their confirmation, no further form is taken, whoever sends it. */
    maxUnconfirmed: number;
    /** Told when a request could not be stored; the error names no person. */
    onStorageProblem?: (error: unknown) => void;
    /** Told after something was put into the outbox. */
    onOutbox?: () => void;
  },
) {
  const { database, clock, calendar, keys } = services;
  let unconfirmed = { count: 0, countedAt: Number.NEGATIVE_INFINITY };

  async function isFull(transaction: Write, now: Temporal.Instant): Promise<boolean> {
    const age = Math.abs(now.epochMilliseconds - unconfirmed.countedAt);
    if (age >= countEveryMs) {
      unconfirmed = { count: await countReceived(transaction), countedAt: now.epochMilliseconds };
    }
    return unconfirmed.count >= services.maxUnconfirmed;
  }

  /** Tells the operators, once an hour, that the store takes nothing more. */
  async function tellFull(transaction: Write, now: Temporal.Instant): Promise<void> {
    const hour = now.toString({ smallestUnit: "minute" }).slice(0, 13);
    const message: OperatorMessage = { kind: "operator-full", unconfirmed: unconfirmed.count };
    await addMessage(transaction, keys, now, {
      channel: "operators",
      ownerId: null,
      once: `full:${hour}`,
      message,
    });
  }

  async function receive(
    transaction: Write,
    submission: Submission,
    now: Temporal.Instant,
  ): Promise<{ form: SubmissionRecord; isNew: boolean }> {
    // Forms for one mailbox, one after the other: what was there before decides what happens, and how much mail it gets.
    await transaction.lock(keys.hash("mailbox", mailboxOf(submission.email)).hash);
    const named = { ...submission, reference: await findFreeReference(transaction) };
    const open = await findOpenRequest(transaction, submission.email);
    if (open) return { form: await attach(transaction, open, named, now), isNew: false };
    const request = await addRequest(transaction, named, now, expiryFrom(now));
    const stored = await addSubmission(transaction, request.id, named, now);
    await addEvent(transaction, request.id, {
      at: now,
      actor: "person",
      name: "",
      type: "receive",
      fromState: "",
      toState: "received",
      code: submission.reason,
      note: "",
      dueFrom: undefined,
      dueTo: undefined,
    });
    await oweLink(services, transaction, request, stored, "person", now);
    // Last, because everybody who sends a form adds to the same figure.
    await tally(transaction, dateAt(calendar, now), "received");
    return { form: stored, isNew: true };
  }

  /** Adds a repeated form to the open request of its address. */
  async function attach(
    transaction: Write,
    open: ReceivedRequest | WorkingRequest,
    form: Submission & { reference: string },
    now: Temporal.Instant,
  ): Promise<SubmissionRecord> {
    const expiresAt = expiryFrom(now);
    const decision = decide(toLife(services, open), { type: "repeat", expiresAt }, "person");
    if (!decision.ok) throw new Error(`An open request refused a repeat: ${decision.refusal}`);
    const whole = open.sent < formsKeptWhole;
    const kept = whole ? form : { ...form, feedback: "" };
    const stored = await addSubmission(transaction, open.id, kept, now);
    if (open.state === "received") await enterRepeat(transaction, open.id, form, expiresAt);
    else await enterLateRepeat(transaction, open.id);
    if (whole) await addNote(transaction, open, { actor: "person" }, "repeat", now);
    await oweLink(services, transaction, open, stored, "person", now);
    return stored;
  }

  function toStored(
    formKey: string,
    stored: { reference: string; email: string; receivedAt: Temporal.Instant },
  ): StoredSubmission {
    return {
      formKey,
      reference: stored.reference,
      maskedEmail: maskEmail(stored.email),
      receivedAt: stored.receivedAt,
      linkValidUntil: linkValidUntil(stored.receivedAt),
      expiresAt: expiryFrom(stored.receivedAt),
      dueIfConfirmedToday: dueDateFrom(services, stored.receivedAt),
    };
  }

  return {
    /**
     * Stores a posted form. `stored` means that it is on the disk. The answer depends on the form alone, never on
     * what is known about the address; the same form key again gives the first answer again.
     */
    async submit(fields: Record<string, unknown>, language = ""): Promise<SubmitResult> {
      const parsed = parseSubmission(fields, language);
      if (!parsed.ok) return { kind: "refused", problems: parsed.problems };
      const { submission } = parsed;
      try {
        const stored = await database.write(async (transaction) => {
          const now = clock();
          const known = await findSubmission(transaction, submission.formKey);
          if (known) return { form: known, isNew: false };
          if (await isFull(transaction, now)) return tellFull(transaction, now);
          return receive(transaction, submission, now);
        });
        services.onOutbox?.();
        if (!stored) return { kind: "not-stored" };
        if (stored.isNew) unconfirmed.count++;
        const { reference, receivedAt, email = submission.email } = stored.form;
        return {
          kind: "stored",
          submission: toStored(submission.formKey, { reference, receivedAt, email }),
        };
      } catch (error) {
        if (!isStorageProblem(error)) throw error;
        services.onStorageProblem?.(error);
        return { kind: "not-stored" };
      }
    },

    /** For the success panel after a redirect. Undefined for a key that is unknown, malformed or an hour old. */
    async findSubmission(formKey: unknown): Promise<StoredSubmission | undefined> {
      if (!isFormKey(formKey)) return undefined;
      const stored = await findSubmission(database.read, formKey);
      if (stored?.email === undefined) return undefined;
      const { reference, email, receivedAt } = stored;
      const age = clock().since(receivedAt);
      return age.total("hours") < panelHours
        ? toStored(formKey, { reference, email, receivedAt })
        : undefined;
    },
  };
}
