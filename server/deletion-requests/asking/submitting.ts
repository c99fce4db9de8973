import { mailboxOf, maskEmail, matchEmail } from "../../addresses/email-address.ts";
import { dateAt } from "../../calendar/business-days.ts";
import { isStorageProblem } from "../../database/database.ts";
import { toHour } from "../../database/rows.ts";
import type { Write } from "../../database/statement.ts";
import type { Typed } from "../../forms/typed.ts";
import type { NetworkBudget } from "../../http/networks.ts";
import { hashToken } from "../../keys/keys.ts";
import { linkHours } from "../../terms.ts";
import { tally } from "../ledger/monthly-counters.ts";
import { promiseAt } from "../life/life.ts";
import { formsKeptWhole, isEnded, isFormKey } from "../life/request.ts";
import { parseSubmission, type Submission, type WrongField } from "../life/submission.ts";
import { addEvent } from "../store/audit-log.ts";
import {
  addSubmission,
  findFreeReference,
  findSubmission,
  type SubmissionRecord,
} from "../store/forms.ts";
import { linkValidUntil, type NetworkShare } from "../store/links.ts";
import { countForms, formsSince } from "../store/network-forms.ts";
import { addRequest, countReceived, findOpenRequest } from "../store/requests.ts";
import { enqueueLink, enqueueTeamMail } from "../telling/mails.ts";
import { applyAct, type RequestServices } from "../working/apply-act.ts";

/** Sending the form: what a stranger can do. Nothing here waits for the network. */

/** Everything that can come of sending the form, here or at the door. Each has its status and its own words. */
export type SubmissionAnswer =
  | { kind: "stored"; formKey: string; submission: SubmissionFacts }
  /** A demonstration, which stores nothing. */
  | { kind: "simulated" }
  | { kind: "refused"; wrong: WrongField[] }
  | { kind: "too-many"; retryAfterMs: number }
  /** The network that it came from has no room for more until some of its requests have gone; others have. */
  | { kind: "network-full" }
  | { kind: "not-stored" }
  /** Sent from another site; too long; or no form at all. */
  | { kind: "foreign" | "too-large" | "malformed" };

/** How long a success panel can be read again with its form key. */
const panelHours = 1;

export type Asking = RequestServices & {
  /** Told when something could not be stored; the error names no person. */
  onStorageProblem?: (error: unknown) => void;
};

type Services = Asking & {
  /** While so many requests wait for their confirmation, no further form is taken, whoever sends it. */
  maxUnconfirmed: number;
  budget: Pick<NetworkBudget, "spendForm" | "networksOf">;
  deletionMode: "real" | "simulated";
  /** The campus's own domains of addresses: slips of them are asked about. */
  mailDomains?: readonly string[];
};

export function createSubmitting(services: Services) {
  const { database, clock, budget, deletionMode, mailDomains } = services;
  const room: Room = { unconfirmed: 0, countedAt: Number.NEGATIVE_INFINITY };

  return {
    /**
     * Stores a posted form. `stored` means that it is on the disk. The answer depends on the form alone, never on
     * what is known about the address; the same form key with the same address gives the first answer again.
     * @param client the address that it came from; without one nothing is counted, and its mail stands before all others
     */
    async submit(typed: Typed, language = "", client?: string): Promise<SubmissionAnswer> {
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

    /** For the success panel after a redirect. Undefined for a key that is unknown, malformed or an hour old. */
    async findSubmission(formKey: unknown): Promise<SubmissionAnswer | undefined> {
      if (!isFormKey(formKey)) return undefined;
      const stored = await findSubmission(database.read, formKey);
      const isShown = stored && clock().since(stored.receivedAt).total("hours") < panelHours;
      if (!isShown || stored.email === undefined) return undefined;
      return {
        kind: "stored",
        formKey,
        submission: tellSubmission(services, stored, stored.email),
      };
    },
  };
}

/** Stores a form where there is room for it. */
async function store(
  services: Services,
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
    // The operators hear once an hour that the store takes nothing more.
    if (found.kind === "full") {
      const message = { kind: "operator-full", unconfirmed: found.unconfirmed } as const;
      await enqueueTeamMail(transaction, keys, message, now, { once: `full:${toHour(now)}` });
    }
    if (found.kind !== "free") return undefined;
    const received = await receive(services, transaction, { ...submission, formKey }, from, now);
    for (const { network } of from) await countForms(transaction, { network, forms: 1, now });
    return { formKey, ...received };
  });
  services.onOutbox?.();
  if (!stored) return { kind: found.kind === "full" ? "not-stored" : "network-full" };
  if (stored.isNew) room.unconfirmed++;
  const { formKey, form } = stored;
  const told = tellSubmission(services, form, form.email ?? submission.email);
  return { kind: "stored", formKey, submission: told };
}

/**
 * What is stored of a form, and its key. Whoever heard no answer may have corrected the address before they sent the page's form
 * again: that is another form, under a key that is made of both, so that it is one however often it is sent.
 */
async function findSent(transaction: Write, { formKey, email }: Submission) {
  const first = await findSubmission(transaction, formKey);
  const address = matchEmail(email);
  if (!first?.email || matchEmail(first.email) === address) return { formKey, known: first };
  const corrected = `${hashToken(`${formKey} ${address}`).slice(0, 21)}A`;
  return { formKey: corrected, known: await findSubmission(transaction, corrected) };
}

/** Stores a form: as a request of its own, or with the open one of its address. */
async function receive(
  services: Services,
  transaction: Write,
  submission: Submission,
  networks: readonly NetworkShare[],
  now: Temporal.Instant,
): Promise<{ form: SubmissionRecord; isNew: boolean }> {
  const { keys, calendar } = services;
  // Forms for one mailbox, one after the other: what was there before decides what happens, and how much mail it gets.
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
    const repeated = await applyAct(services, transaction, open, act, { actor: "person" }, now);
    if (repeated.ok && !isEnded(repeated.after)) request = repeated.after;
  } else {
    const event = { type: "receive", fromState: "", code: reason } as const;
    await addEvent(transaction, request, { ...event, actor: "person", at: now });
  }
  await enqueueLink(services, transaction, request, form, { by: "person", networks }, now);
  // Last, because everybody who sends a form adds to the same figure.
  if (!open) await tally(transaction, dateAt(calendar, now), "received");
  return { form, isNew: !open };
}

export type SubmissionFacts = ReturnType<typeof tellSubmission>;

/** What the success panel says of a form. */
function tellSubmission(
  services: Services,
  { reference, receivedAt }: SubmissionRecord,
  email: string,
) {
  return {
    reference,
    receivedAt,
    maskedEmail: maskEmail(email),
    /** Until when the link in the mail works; a request that nobody confirms goes with it. */
    linkValidUntil: linkValidUntil(receivedAt),
    /** The promise if it is confirmed on the day it was received. */
    dueIfConfirmedToday: promiseAt(services, receivedAt, receivedAt),
  };
}

// Room

/**
 * How much room there is for requests that nobody has confirmed, and for whom. A network may send no more forms while
 * a request waits than its share of what is free at present (the dynamic threshold of queueing theory): however many
 * networks fill the store, some of it stays free for every other. Forms are counted and not requests, so that a
 * network cannot learn by its own room which addresses were known.
 */

/** A single client may take so much of the free room: a hundred networks of four shares take half of all. */
const shareOfRoom = 1 / 400;

/** Whether so many fill the room so far that people alone would not: somebody should look. */
export function isFilling(unconfirmed: number, maxUnconfirmed: number): boolean {
  return unconfirmed * 2 >= maxUnconfirmed;
}

/** How long a count of the unconfirmed requests is believed; those stored since are added to it. */
const countEveryMs = 60_000;

/** What was counted, and those stored since. */
type Room = { unconfirmed: number; countedAt: number };

/**
 * Whether one more form can be taken.
 * @param networks that it comes from, each by its keyed hash
 */
async function findRoom(
  { database, maxUnconfirmed }: Services,
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

/** Who sent forms longer ago than any of their requests can wait is counted no more. */
const sinceOf = (now: Temporal.Instant) => toHour(now.subtract({ hours: linkHours }));
