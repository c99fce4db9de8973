import { listMessages } from "../../delivery/outbox.ts";
import { statusDays, visitMinutes } from "../../periods.ts";
import type { DueDate } from "../../platform/calendar/business-days.ts";
import { isStorageProblem } from "../../platform/database/database.ts";
import { findLastRestore } from "../../platform/database/restore-hold.ts";
import { everything, type Read, type Write } from "../../platform/database/statement.ts";
import { applyAct } from "../commands/apply-act.ts";
import { asPersonKnowsIt, type RequesterView } from "../commands/undo.ts";
import { findProof } from "../ledger/entries.ts";
import { enqueueLink } from "../mails/mails.ts";
import {
  type KnownFacts,
  presentFacts,
  presentStatus,
  presentTimeline,
  type RequestStatus,
  type TimelineStep,
} from "../presenters/request.ts";
import { type EventRecord, listEvents } from "../repository/audit-log.ts";
import {
  findLink,
  hasExpired,
  type LinkRecord,
  linkHashOf,
  readVisit,
  sealVisit,
  type VisitMode,
} from "../repository/links.ts";
import { findRequestById } from "../repository/requests.ts";
import { findSubmissionByReference, listReferences } from "../repository/submissions.ts";
import { isEnded, isWorking, type StoredRequest } from "../state-machine/request.ts";
import { dueDateFor } from "../state-machine/state-machine.ts";
import type { SubmitContext } from "./submitting.ts";

/**
 * The requester's pages. A link in an email opens a visit session of half an hour. In it, the
 * requester can confirm, see the status, cancel, or ask for another link.
 */

/**
 * Content of a visit session's page: the request, a button's outcome, or why the page has neither.
 */
export type VisitAnswer =
  | { kind: "confirm"; facts: KnownFacts; road: TimelineStep[]; dueIfConfirmedToday: DueDate }
  /**
   * An entered request that no operator has approved yet. `stop` is set if the link was sent to the
   * old mailbox, from which the request can be stopped.
   */
  | { kind: "entered"; facts: KnownFacts; stop?: { until: Temporal.Instant; isOver: boolean } }
  | { kind: "status" | "too-late"; status: RequestStatus }
  | { kind: "new-link-sent"; facts: KnownFacts }
  | { kind: "link-used"; reference: string }
  /** `waitsUntil` is when the unconfirmed request expires. */
  | { kind: "link-expired"; reference: string; waitsUntil?: Temporal.Instant | undefined }
  | { kind: "request-ended"; reference: string }
  | { kind: "visit-expired" }
  | Unknown;

/** `knownUntil` is set after a recent restore. Links sent after `knownUntil` were lost. */
type Unknown = { kind: "unknown"; knownUntil?: Temporal.Instant };

/** Outcome of pressing a button. `visit` opens the status page. */
type Pressed = { kind: "done"; visit: string } | VisitAnswer | { kind: "not-stored" };

/** Maximum number of references that a request's page shows. Only a program would create more. */
const referencesShown = 20;

function closed(
  because: "used" | "expired",
  { view: { request }, reference }: Opened,
  now: Temporal.Instant,
): VisitAnswer {
  if (isEnded(request)) return { kind: "request-ended", reference };
  if (because === "used") return { kind: "link-used", reference };
  const waits =
    request.state === "received" && Temporal.Instant.compare(request.expiresAt, now) > 0;
  return { kind: "link-expired", reference, waitsUntil: waits ? request.expiresAt : undefined };
}

export type Visits = ReturnType<typeof createVisits>;

export function createVisits(services: SubmitContext) {
  const { database, clock, keys } = services;
  return {
    /**
     * Opens a visit session for an emailed link. Writes nothing, because mail scanners also follow
     * links.
     */
    async openLink(token: unknown) {
      const hash = linkHashOf(token);
      const link = await findLink(database.read, { hash });
      const now = clock();
      if (!link) return explainUnknownLink(database.read, now);
      const mode = modeOf(link, now);
      const until = now.add({ minutes: visitMinutes });
      return { kind: "visit" as const, visit: sealVisit(keys, hash, mode, until) };
    },

    /** Returns the content of a visit session's page. Writes nothing. */
    async openVisit(visit: unknown): Promise<VisitAnswer> {
      const now = clock();
      const opened = await open(services, database.read, visit, now);
      return opened.kind === "open" ? presentVisit(services, opened, now) : opened;
    },

    /**
     * Confirms the request. Idempotent. From then on, emails are in `language`. Otherwise, anyone
     * who submits a form for this address before the confirmation could change their language.
     */
    confirm: (visit: unknown, language?: string) =>
      pressButton(services, visit, confirmIn(language)),

    /** Cancels the request. Idempotent. */
    cancel: (visit: unknown) => pressButton(services, visit, cancel),

    /**
     * Sends another link to the account's own mailbox, never to a contact. The answer is the same if
     * the daily limit holds the email back, because earlier links still work. Refuses if the request
     * has ended, because the requester then needs a new form.
     */
    sendNewLink: (visit: unknown) => pressButton(services, visit, sendNewLink),
  };
}

/** Builds the answer for an unknown link, which a restore may have lost. */
async function explainUnknownLink(reader: Read, now: Temporal.Instant): Promise<Unknown> {
  const restore = await findLastRestore(reader);
  const isRecent =
    restore && Temporal.Instant.compare(now, restore.at.add({ hours: statusDays * 24 })) < 0;
  return { kind: "unknown", ...(isRecent && { knownUntil: restore.knownUntil }) };
}

/** Returns the mode in which a link opens at the given time. */
function modeOf(link: LinkRecord, now: Temporal.Instant): VisitMode {
  if (!link.confirms) return "status";
  if (link.isUsed) return "used";
  return hasExpired(link, now) ? "expired" : "confirm";
}

/** An unexpired visit session, with its link and its request. */
type Opened = {
  kind: "open";
  linkHash: string;
  link: LinkRecord;
  mode: VisitMode;
  until: Temporal.Instant;
  /** The request as stored. */
  request: StoredRequest;
  /** The requester's view of the request. */
  view: RequesterView<EventRecord>;
  /** Reference of the submission whose email contained the link. */
  reference: string;
};

async function open(
  { keys }: SubmitContext,
  reader: Read,
  visit: unknown,
  now: Temporal.Instant,
): Promise<Opened | { kind: "visit-expired" } | Unknown> {
  const read = readVisit(keys, visit, now);
  if (read.kind) return { kind: read.kind };
  const link = await findLink(reader, { hash: read.linkHash });
  const request = link && (await findRequestById(reader, { id: link.requestId }));
  if (!link || !request) return explainUnknownLink(reader, now);
  const reference = link.submissionReference ?? request.reference;
  const { id } = request;
  const events = await listEvents(reader, { requestId: id, limit: everything, id: 0 });
  const view = asPersonKnowsIt(request, events, await listMessages(reader, { requestId: id }), now);
  return { ...read, kind: "open", link, request, view, reference };
}

async function presentVisit(
  services: SubmitContext,
  opened: Opened,
  now: Temporal.Instant,
): Promise<VisitAnswer> {
  const { link, mode, view, reference } = opened;
  const { request } = view;
  if (mode === "used") return closed(mode, opened, now);
  if (request.state !== "received" && (mode !== "expired" || link.isUsed)) {
    const status = await readStatus(services, services.database.read, view, now);
    return { kind: "status", status };
  }
  if (mode === "expired" || hasExpired(link, now)) return closed("expired", opened, now);
  const facts = presentFacts({ ...request, reference }, "person");
  if (mode === "status" || !link.confirms) {
    const until = request.state === "received" ? request.approvableAt : undefined;
    if (!link.stops || !until) return { kind: "entered", facts };
    const isOver = Temporal.Instant.compare(until, now) <= 0;
    return { kind: "entered", facts, stop: { until, isOver } };
  }
  const dueIfConfirmedToday = dueDateFor(services, request.receivedAt, now);
  const next = { confirmUntil: link.expiresAt, dueOn: dueIfConfirmedToday.date };
  const road = presentTimeline("received", { received: request.receivedAt }, next);
  return { kind: "confirm", facts, road, dueIfConfirmedToday };
}

async function readStatus(
  services: SubmitContext,
  reader: Read,
  { request, events }: RequesterView<EventRecord>,
  now: Temporal.Instant,
): Promise<RequestStatus> {
  if (request.state === "received") throw new Error("An unconfirmed request has no status page");
  const { id } = request;
  const known = {
    references: await listReferences(reader, { requestId: id, limit: referencesShown }),
    events,
    proof: request.state === "completed" ? await findProof(reader, services.keys, id) : undefined,
  };
  return presentStatus(services, request, known, now);
}

/** Action of a button. Returns undefined on success, or if an earlier press succeeded. */
type Button = (
  services: SubmitContext,
  transaction: Write,
  opened: Opened,
  now: Temporal.Instant,
) => Promise<VisitAnswer | undefined>;

/** Runs a button's action in a transaction. Returns `not-stored` if the store fails. */
async function pressButton(
  services: SubmitContext,
  visit: unknown,
  button: Button,
): Promise<Pressed> {
  const { database, clock, keys } = services;
  try {
    const pressed = await database.write(async (transaction): Promise<Pressed> => {
      const now = clock();
      const opened = await open(services, transaction, visit, now);
      if (opened.kind !== "open") return opened;
      const answer = await button(services, transaction, opened, now);
      const { linkHash, until } = opened;
      return answer ?? { kind: "done", visit: sealVisit(keys, linkHash, "status", until) };
    });
    services.onOutbox?.();
    return pressed;
  } catch (error) {
    if (!isStorageProblem(error)) throw error;
    services.onStorageProblem?.(error);
    return { kind: "not-stored" };
  }
}

const confirmIn =
  (language: string | undefined): Button =>
  async (services, transaction, opened, now) => {
    const { link, mode, request, reference } = opened;
    if (mode === "used" || mode === "expired") return closed(mode, opened, now);
    if (mode !== "confirm" || request.state !== "received") return undefined;
    if (hasExpired(link, now)) return closed("expired", opened, now);
    const submission = await findSubmissionByReference(transaction, { reference });
    const reason = submission?.reason ?? request.reason;
    const act = { type: "confirm", reference, reason, language } as const;
    const result = await applyAct({ services, transaction, now }, request, act, {
      actor: "person",
    });
    if (!result.ok)
      throw new Error(`Confirmation by an unused link was refused: ${result.refusal}`);
    return undefined;
  };

const cancel: Button = async (services, transaction, opened, now) => {
  const { link, mode, view } = opened;
  if (mode === "used" || mode === "expired") return closed(mode, opened, now);
  const { state } = view.request;
  if (state === "received" && !link.stops) return { kind: "unknown" };
  if (state === "cancelled") return undefined;
  const by = { actor: "person" } as const;
  const request = await undoUnannounced(services, transaction, opened, now);
  const result = await applyAct({ services, transaction, now }, request, { type: "cancel" }, by);
  if (result.ok) return undefined;
  if (state === "received") return { kind: "unknown" };
  return { kind: "too-late", status: await readStatus(services, transaction, view, now) };
};

/**
 * To let the requester cancel, undoes an outcome or an approval that the requester hasn't been
 * notified of yet.
 */
async function undoUnannounced(
  services: SubmitContext,
  transaction: Write,
  { request, view }: Opened,
  now: Temporal.Instant,
): Promise<StoredRequest> {
  let current = request;
  for (const undone of view.hidden) {
    if (!Object.hasOwn(undone.row, "state")) continue;
    const act = { type: "undo", undone } as const;
    const result = await applyAct({ services, transaction, now }, current, act, {
      actor: "person",
    });
    if (!result.ok) return current;
    current = result.after;
  }
  return current;
}

const sendNewLink: Button = async (services, transaction, { request, view, reference }, now) => {
  const open = isWorking(view.request) ? view.request : request;
  if (isEnded(open)) return { kind: "request-ended", reference };
  const submission = await findSubmissionByReference(transaction, { reference });
  if (!submission) return { kind: "unknown" };
  await enqueueLink({ services, transaction, now }, open, submission, { by: "person" });
  return { kind: "new-link-sent", facts: presentFacts({ email: open.email }, "person") };
};
