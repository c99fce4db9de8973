import { type MaskedEmail, mailboxOf, maskEmail } from "../../addresses/email-address.ts";
import { type DueDate, dateAt } from "../../calendar/business-days.ts";
import { type Database, isStorageProblem } from "../../database/database.ts";
import type { Write } from "../../database/statement.ts";
import { tally } from "../ledger/monthly-counters.ts";
import { dueDateFrom } from "../life/life.ts";
import { isFormKey, type ReceivedRequest, type WorkingRequest } from "../life/request.ts";
import { type Problem, parseSubmission, type Submission } from "../life/submission.ts";
import { addEvent } from "../store/audit-log.ts";
import { addRequest, enterLateRepeat, enterRepeat } from "../store/changes.ts";
import { findOpenRequest } from "../store/finding.ts";
import {
  addSubmission,
  findFreeReference,
  findSubmission,
  type SubmissionRecord,
} from "../store/forms.ts";
import { linkValidUntil } from "../store/links.ts";
import { enqueueLink, enqueueTeamMail } from "../telling/enqueue.ts";
import type { Office } from "../working/acts.ts";
import { createRoom, enterForm, type FromNetwork, hashNetwork } from "./form-quota.ts";

/** Sending the form: what a stranger can do. Nothing here waits for the network. */

export type StoredSubmission = {
  formKey: string;
  reference: string;
  maskedEmail: MaskedEmail;
  receivedAt: Temporal.Instant;
  /** Until when the link in the mail works; a request that nobody confirms goes with it. */
  linkValidUntil: Temporal.Instant;
  /** The promise if it is confirmed on the day it was received. */
  dueIfConfirmedToday: DueDate;
};

/** Everything that can come of sending the form, here or at the door. Each has its status and its own words. */
export type SubmissionAnswer =
  | { kind: "stored"; submission: StoredSubmission }
  /** A demonstration, which stores nothing. */
  | { kind: "simulated" }
  | { kind: "refused"; problems: Problem[] }
  | { kind: "too-many"; retryAfterMs: number }
  /** The network that it came from has no room for more until some of its requests have gone; others have. */
  | { kind: "network-full" }
  | { kind: "not-stored" }
  /** Sent from another site; too long; or no form at all. */
  | { kind: "foreign" | "too-large" | "malformed" };

/** How long a success panel can be read again with its form key. */
const panelHours = 1;

/**
 * Of so many forms for one request the feedback is kept, and each is entered in the trail. Any number of them gets a
 * reference that finds the request, at no cost for those that come after.
 */
export const formsKeptWhole = 20;

type Services = Office & {
  database: Database;
  clock: () => Temporal.Instant;
  /** While so many requests wait for their confirmation, no further form is taken, whoever sends it. */
  maxUnconfirmed: number;
  /** Told when a request could not be stored; the error names no person. */
  onStorageProblem?: (error: unknown) => void;
  /** Told after something was put into the outbox. */
  onOutbox?: () => void;
};

export type Submitting = ReturnType<typeof createSubmitting>;

export function createSubmitting(services: Services) {
  const { database, clock, keys } = services;
  const room = createRoom(services);

  return {
    /**
     * Stores a posted form. `stored` means that it is on the disk. The answer depends on the form alone, never on
     * what is known about the address; the same form key again gives the first answer again.
     */
    async submit(
      fields: Record<string, unknown>,
      language = "",
      /** The narrowest first. Without one nothing is counted, and its mail stands before all others. */
      networks: readonly FromNetwork[] = [],
    ): Promise<SubmissionAnswer> {
      const parsed = parseSubmission(fields, language);
      if (!parsed.ok) return { kind: "refused", problems: parsed.problems };
      const { submission } = parsed;
      const widest = networks.at(-1);
      const lane = widest && hashNetwork(keys, widest);
      try {
        const found = await room.find(networks, clock());
        const stored = await database.write(async (transaction) => {
          const now = clock();
          const known = await findSubmission(transaction, submission.formKey);
          if (known) return { form: known, isNew: false };
          if (found.kind === "full") await tellFull(services, transaction, found.unconfirmed, now);
          if (found.kind !== "free") return undefined;
          const received = await receive(services, transaction, submission, lane, now);
          await enterForm(transaction, keys, networks, now);
          return received;
        });
        services.onOutbox?.();
        if (!stored) return { kind: found.kind === "full" ? "not-stored" : "network-full" };
        if (stored.isNew) room.taken();
        const { formKey, email } = submission;
        return { kind: "stored", submission: toStored(services, formKey, stored.form, email) };
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
      const isShown = stored && clock().since(stored.receivedAt).total("hours") < panelHours;
      return isShown && stored.email !== undefined
        ? toStored(services, formKey, stored, stored.email)
        : undefined;
    },
  };
}

/** Tells the operators, once an hour, that the store takes nothing more. */
async function tellFull(
  { keys }: Services,
  transaction: Write,
  unconfirmed: number,
  now: Temporal.Instant,
): Promise<void> {
  const hour = now.toString({ smallestUnit: "minute" }).slice(0, 13);
  const message = { kind: "operator-full", unconfirmed } as const;
  await enqueueTeamMail(transaction, keys, message, now, { once: `full:${hour}` });
}

/** Stores a form: as a request of its own, or with the open one of its address. */
async function receive(
  services: Services,
  transaction: Write,
  submission: Submission,
  lane: string | undefined,
  now: Temporal.Instant,
): Promise<{ form: SubmissionRecord; isNew: boolean }> {
  const { keys, calendar } = services;
  // Forms for one mailbox, one after the other: what was there before decides what happens, and how much mail it gets.
  await transaction.lock(keys.hash("mailbox", mailboxOf(submission.email)).hash);
  const named = { ...submission, reference: await findFreeReference(transaction) };
  const open = await findOpenRequest(transaction, submission.email);
  if (open)
    return { form: await attach(services, transaction, open, named, lane, now), isNew: false };
  const request = await addRequest(transaction, named, now, linkValidUntil(now));
  const stored = await addSubmission(transaction, request.id, named, now);
  const event = {
    actor: "person",
    type: "receive",
    fromState: "",
    code: submission.reason,
  } as const;
  await addEvent(transaction, request, { ...event, at: now });
  await enqueueLink(services, transaction, request, stored, { by: "person", lane }, now);
  // Last, because everybody who sends a form adds to the same figure.
  await tally(transaction, dateAt(calendar, now), "received");
  return { form: stored, isNew: true };
}

/** Adds a repeated form to the open request of its address. */
async function attach(
  services: Services,
  transaction: Write,
  open: ReceivedRequest | WorkingRequest,
  form: Submission & { reference: string },
  lane: string | undefined,
  now: Temporal.Instant,
): Promise<SubmissionRecord> {
  const whole = open.sent < formsKeptWhole;
  const kept = whole ? form : { ...form, feedback: "" };
  const stored = await addSubmission(transaction, open.id, kept, now);
  if (open.state === "received") await enterRepeat(transaction, { id: open.id, ...form });
  else await enterLateRepeat(transaction, { id: open.id });
  if (whole) await addEvent(transaction, open, { actor: "person", type: "repeat", at: now });
  await enqueueLink(services, transaction, open, stored, { by: "person", lane }, now);
  return stored;
}

function toStored(
  services: Services,
  formKey: string,
  { reference, receivedAt }: SubmissionRecord,
  email: string,
): StoredSubmission {
  return {
    ...{ formKey, reference, receivedAt, maskedEmail: maskEmail(email) },
    linkValidUntil: linkValidUntil(receivedAt),
    dueIfConfirmedToday: dueDateFrom(services, receivedAt),
  };
}
