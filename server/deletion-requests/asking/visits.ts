import type { DueDate } from "../../calendar/business-days.ts";
import { isStorageProblem } from "../../database/database.ts";
import { findLastRestore } from "../../database/restore-hold.ts";
import type { Read, Write } from "../../database/statement.ts";
import { listMessages } from "../../outbox/outbox.ts";
import { statusDays, visitMinutes } from "../../terms.ts";
import { findProof } from "../ledger/entries.ts";
import { promiseAt } from "../life/life.ts";
import { isEnded, isWorking, type StoredRequest } from "../life/request.ts";
import { type EventRecord, listEvents } from "../store/audit-log.ts";
import { findSubmissionByReference, listReferences } from "../store/forms.ts";
import {
  findLink,
  hasExpired,
  type LinkRecord,
  linkHashOf,
  readVisit,
  sealVisit,
  type VisitMode,
} from "../store/links.ts";
import { findRequestById } from "../store/requests.ts";
import { enqueueLink } from "../telling/mails.ts";
import {
  type KnownFacts,
  type Status,
  type Stop,
  tellFacts,
  tellRoad,
  tellStatus,
} from "../telling/tell-request.ts";
import { applyAct } from "../working/apply-act.ts";
import { type AsTold, asTold } from "../working/taking-back.ts";
import type { Asking } from "./submitting.ts";

/**
 * What a person can do with a magic link from a mail, in the half an hour that it opens, their visit: confirm, look, cancel
 * and ask for another link.
 */

/** Everything that a visit's page can show: what it opens, what became of a pressed button, or why it shows nothing. */
export type VisitAnswer =
  | { kind: "confirm"; facts: KnownFacts; road: Stop[]; dueIfConfirmedToday: DueDate }
  /** An operator entered it, and no one has approved it. `stop`: the old mailbox's reader can stop it, by an hour or later. */
  | { kind: "entered"; facts: KnownFacts; stop?: { until: Temporal.Instant; isOver: boolean } }
  | { kind: "status" | "too-late"; status: Status }
  | { kind: "new-link-sent"; facts: KnownFacts }
  | { kind: "link-used"; reference: string }
  /** `waitsUntil` is when the request disappears, unless it was confirmed meanwhile. */
  | { kind: "link-expired"; reference: string; waitsUntil?: Temporal.Instant | undefined }
  | { kind: "request-ended"; reference: string }
  | { kind: "visit-expired" }
  | Unknown;

/** `knownUntil` if a copy was put back recently: a link from after that moment is lost. */
type Unknown = { kind: "unknown"; knownUntil?: Temporal.Instant };

/** What came of a pressed button; once it is done, `visit` shows how the request stands. */
export type Pressed = { kind: "done"; visit: string } | VisitAnswer | { kind: "not-stored" };

/** Of so many a request's page tells: more were made by a program. */
const referencesShown = 20;
const eventsRead = 200;

/** What a link that opens nothing any more is answered with. */
function closed(
  because: "used" | "expired",
  { told: { request }, reference }: Opened,
  now: Temporal.Instant,
): VisitAnswer {
  if (isEnded(request)) return { kind: "request-ended", reference };
  if (because === "used") return { kind: "link-used", reference };
  const waits =
    request.state === "received" && Temporal.Instant.compare(request.expiresAt, now) > 0;
  return { kind: "link-expired", reference, waitsUntil: waits ? request.expiresAt : undefined };
}

export type Visits = ReturnType<typeof createVisits>;

export function createVisits(services: Asking) {
  const { database, clock, keys } = services;
  return {
    /** First request of a mail's link: gives the visit to redirect to. Writes nothing, because scanners follow links. */
    async openLink(token: unknown) {
      const hash = linkHashOf(token);
      const link = await findLink(database.read, { hash });
      const now = clock();
      if (!link) return tellUnknown(database.read, now);
      const mode = modeOf(link, now);
      const until = now.add({ minutes: visitMinutes });
      return { kind: "visit" as const, visit: sealVisit(keys, hash, mode, until) };
    },

    /** What the page behind a visit shows. Writes nothing. */
    async openVisit(visit: unknown): Promise<VisitAnswer> {
      const now = clock();
      const opened = await open(services, database.read, visit, now);
      return "link" in opened ? show(services, opened, now) : opened;
    },

    /** The pressed button of the confirmation page. Pressed twice, it is confirmed once and answers alike. */
    confirm: (visit: unknown) => press(services, visit, confirm),

    /** The answered question of the status page. */
    cancel: (visit: unknown) => press(services, visit, cancel),

    /**
     * Sends another link to the mailbox that got this one. Told as done when the limit of mails a day holds it back,
     * too: the mails before it still work. Once the request has ended, the form begins anew.
     */
    askNewLink: (visit: unknown) => press(services, visit, sendNewLink),
  };
}

/** Tells why a link may be unknown: the store was put back to an earlier moment. */
async function tellUnknown(reader: Read, now: Temporal.Instant): Promise<Unknown> {
  const restore = await findLastRestore(reader);
  const isRecent =
    restore && Temporal.Instant.compare(now, restore.at.add({ hours: statusDays * 24 })) < 0;
  return { kind: "unknown", ...(isRecent && { knownUntil: restore.knownUntil }) };
}

/** What a link opens at the moment. */
function modeOf(link: LinkRecord, now: Temporal.Instant): VisitMode {
  if (!link.confirms) return "status";
  if (link.isUsed) return "used";
  return hasExpired(link, now) ? "expired" : "confirm";
}

/** A visit that is still good, with its link and its request. */
type Opened = {
  linkHash: string;
  link: LinkRecord;
  mode: VisitMode;
  until: Temporal.Instant;
  /** As stored. */
  request: StoredRequest;
  /** As its person knows it. */
  told: AsTold<EventRecord>;
  /** Of the form whose mail the link came with. */
  reference: string;
};

async function open(
  { keys }: Asking,
  reader: Read,
  visit: unknown,
  now: Temporal.Instant,
): Promise<Opened | { kind: "visit-expired" } | Unknown> {
  const read = readVisit(keys, visit, now);
  if (read.kind) return { kind: read.kind };
  const link = await findLink(reader, { hash: read.linkHash });
  const request = link && (await findRequestById(reader, { id: link.requestId }));
  if (!link || !request) return tellUnknown(reader, now);
  const reference = link.submissionReference ?? request.reference;
  const { id } = request;
  const events = await listEvents(reader, { requestId: id, limit: eventsRead, id: 0 });
  const told = asTold(request, events, await listMessages(reader, { requestId: id }), now);
  return { ...read, link, request, told, reference };
}

async function show(services: Asking, opened: Opened, now: Temporal.Instant): Promise<VisitAnswer> {
  const { link, mode, told, reference } = opened;
  const { request } = told;
  if (mode === "used") return closed(mode, opened, now);
  if (request.state !== "received" && (mode !== "expired" || link.isUsed)) {
    const status = await readStatus(services, services.database.read, told, now);
    return { kind: "status", status };
  }
  if (mode === "expired" || hasExpired(link, now)) return closed("expired", opened, now);
  const facts = tellFacts({ ...request, reference }, "person");
  if (mode === "status" || !link.confirms) {
    const until = request.state === "received" ? request.approvableAt : undefined;
    if (!link.stops || !until) return { kind: "entered", facts };
    const isOver = Temporal.Instant.compare(until, now) <= 0;
    return { kind: "entered", facts, stop: { until, isOver } };
  }
  const dueIfConfirmedToday = promiseAt(services, request.receivedAt, now);
  const next = { confirmUntil: link.expiresAt, dueOn: dueIfConfirmedToday.date };
  const road = tellRoad("received", { received: request.receivedAt }, next);
  return { kind: "confirm", facts, road, dueIfConfirmedToday };
}

async function readStatus(
  services: Asking,
  reader: Read,
  { request, events }: AsTold<EventRecord>,
  now: Temporal.Instant,
): Promise<Status> {
  if (request.state === "received") throw new Error("A request that waits has no status");
  const { id } = request;
  const known = {
    references: await listReferences(reader, { requestId: id, limit: referencesShown }),
    events,
    proof: request.state === "completed" ? await findProof(reader, services.keys, id) : undefined,
  };
  return tellStatus(services, request, known, now);
}

/** What a button does; undefined where it is done, or was before. */
type Button = (
  services: Asking,
  transaction: Write,
  opened: Opened,
  now: Temporal.Instant,
) => Promise<VisitAnswer | undefined>;

/** Does what a button says in one transaction, and tells a full or broken store as a value. */
async function press(services: Asking, visit: unknown, button: Button): Promise<Pressed> {
  const { database, clock, keys } = services;
  try {
    const pressed = await database.write(async (transaction): Promise<Pressed> => {
      const now = clock();
      const opened = await open(services, transaction, visit, now);
      if (!("link" in opened)) return opened;
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

const confirm: Button = async (services, transaction, opened, now) => {
  const { link, mode, request, reference } = opened;
  if (mode === "used" || mode === "expired") return closed(mode, opened, now);
  if (mode !== "confirm" || request.state !== "received") return undefined;
  if (hasExpired(link, now)) return closed("expired", opened, now);
  const submission = await findSubmissionByReference(transaction, { reference });
  const act = { type: "confirm", reference, reason: submission?.reason ?? request.reason } as const;
  const result = await applyAct(services, transaction, request, act, { actor: "person" }, now);
  if (!result.ok) throw new Error(`An unused link could not confirm: ${result.refusal}`);
  return undefined;
};

const cancel: Button = async (services, transaction, opened, now) => {
  const { link, mode, told } = opened;
  if (mode === "used" || mode === "expired") return closed(mode, opened, now);
  const { state } = told.request;
  if (state === "received" && !link.stops) return { kind: "unknown" };
  if (state === "cancelled") return undefined;
  const by = { actor: "person" } as const;
  const request = await takeBackUntold(services, transaction, opened, now);
  const result = await applyAct(services, transaction, request, { type: "cancel" }, by, now);
  if (result.ok) return undefined;
  if (state === "received") return { kind: "unknown" };
  return { kind: "too-late", status: await readStatus(services, transaction, told, now) };
};

/** Undoes an end or an approval that the person hasn't been told of: their own wish comes before it. */
async function takeBackUntold(
  services: Asking,
  transaction: Write,
  { request, told }: Opened,
  now: Temporal.Instant,
): Promise<StoredRequest> {
  let current = request;
  for (const undone of told.hidden) {
    if (!("state" in undone.row)) continue;
    const act = { type: "undo", undone } as const;
    const result = await applyAct(services, transaction, current, act, { actor: "person" }, now);
    if (!result.ok) return current;
    current = result.after;
  }
  return current;
}

const sendNewLink: Button = async (services, transaction, { request, told, reference }, now) => {
  const open = isWorking(told.request) ? told.request : request;
  if (isEnded(open)) return { kind: "request-ended", reference };
  const submission = await findSubmissionByReference(transaction, { reference });
  if (!submission) return { kind: "unknown" };
  await enqueueLink(services, transaction, open, submission, { by: "person" }, now);
  return { kind: "new-link-sent", facts: tellFacts({ email: open.email }, "person") };
};
