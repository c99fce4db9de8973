import type { z } from "zod";
import { findRequestById } from "../../deletion-requests/repository/requests.ts";
import { findGrace } from "../../deletion-requests/repository/restore-letters.ts";
import {
  type DataList,
  kindsToAnswer,
  recipientsToNotify,
} from "../../deletion-requests/state-machine/checklist.ts";
import {
  holdOf,
  isEnded,
  isWorking,
  type StoredRequest,
  type WorkingRequest,
} from "../../deletion-requests/state-machine/request.ts";
import {
  addMessage,
  type OutboxItem,
  replaceUnsent,
  settleOwned,
  type Writing,
} from "../../delivery/outbox.ts";
import { type Calendar, countDaysLeft, dateAt } from "../../platform/calendar/business-days.ts";
import { toText } from "../../platform/database/rows.ts";
import type { Read, Write } from "../../platform/database/statement.ts";
import type { eventSchemas } from "../contract/schemas.ts";
import { type DeletionJob, findJob, isDoubted } from "../deletion-jobs.ts";

export const accountChannel = "account-system";

/**
 * An event as stored in the outbox, without the requester's email address. Written in the
 * transaction of the change that it reports.
 */
export type AccountEvent = {
  kind: Kind;
  reference: string;
  /** The job's public id, which answers repeat. */
  id: string;
  /**
   * Why the account system no longer has to act: the requester cancelled, the request was refused,
   * or an operator deleted the account.
   */
  because?: "cancelled" | "refused" | "done-by-hand";
};

type EventContext = EventServices & {
  event: AccountEvent;
  job: DeletionJob;
  request: StoredRequest | undefined;
  /** Whether a backup was restored after the job was handed over. */
  doubted: boolean;
  /**
   * Whether the grace period after a restore is running. Until it ends, the requester can cancel.
   */
  inGrace: boolean;
};

type Kind = Exclude<keyof typeof eventSchemas, "account.deletion.ping">;
/** Data that only this kind of event has. `undefined` if the event is obsolete. */
type DataOf<Of extends Kind> =
  | Omit<z.infer<(typeof eventSchemas)[Of]>, "id" | "reference" | "test">
  | undefined;

const events: { [Of in Kind]: (about: EventContext) => DataOf<Of> } = {
  "account.deletion.requested": ofWorking(presentDeletionRequest),
  "account.deletion.reminder": ofWorking((request, about) => {
    const today = dateAt(about.calendar, about.clock());
    const businessDaysLeft = countDaysLeft(about.calendar, today, request.dueOn);
    const presented = presentDeletionRequest(request, about);
    return presented && { ...presented, businessDaysLeft };
  }),
  "account.deletion.held": ofWorking((request) => {
    const until = holdOf(request)?.until;
    return until && { until: until.toString() };
  }),
  "account.deletion.cancelled": ({ event }) => event.because && { because: event.because },
  "account.deletion.standing": ofWorking(() => ({})),
  "account.deletion.recheck": ({ request, job, dataList }) =>
    request && isEnded(request)
      ? {
          accountId: job.accountId,
          kinds: kindsToAnswer(dataList),
          completedAt: toText(request.endedAt),
        }
      : undefined,
};

function ofWorking<Data>(toData: (request: WorkingRequest, about: EventContext) => Data) {
  return (about: EventContext): Data | undefined =>
    about.request && isWorking(about.request) ? toData(about.request, about) : undefined;
}

function presentDeletionRequest(
  request: WorkingRequest,
  { dataList, job, doubted, inGrace }: EventContext,
) {
  // Drops the event if an operator has since put the request on hold or taken it, or if a backup
  // was restored.
  if (isOnHold(request) || isInHand(request, job) || doubted || inGrace) return undefined;
  return {
    address: request.email,
    // Lists all kinds of account, because we don't know which kind the requester has.
    accounts: [...new Set(dataList.kinds.flatMap((row) => row.accounts))],
    kinds: kindsToAnswer(dataList),
    tell: recipientsToNotify(dataList),
    confirmedAt: toText(request.confirmedAt),
    dueOn: request.dueOn.toString(),
    begun: job.begunAt !== undefined,
  };
}

/**
 * Checks whether an operator has put the request on hold. During the hold, the only event that the
 * account system gets about the request is the hold itself.
 */
export function isOnHold(request: WorkingRequest): boolean {
  return holdOf(request)?.by === "operator";
}

/**
 * Checks whether an operator, rather than the account system, is working on the request or has
 * marked it as done.
 */
export function isInHand({ owner, done }: WorkingRequest, job: DeletionJob | undefined): boolean {
  return (owner !== undefined || done !== undefined) && job?.begunAt === undefined;
}

/**
 * Finds the grace period after a restore, during which a request isn't handed over. Returns
 * undefined for a job that has started, because such a job doesn't have to wait.
 */
export async function findGraceOf(
  database: Read,
  { id }: Pick<StoredRequest, "id">,
  job: DeletionJob,
  now: Temporal.Instant,
) {
  return job.begunAt === undefined ? findGrace(database, id, now) : undefined;
}

/**
 * Settles a request's events, because the account system has answered. Keeps an unsent "held"
 * event, which must still be sent.
 */
export function settleAnswered(transaction: Write, requestId: number, now: Temporal.Instant) {
  const of = { recipient: accountChannel, requestId, unsent: "account.deletion.held" };
  return settleOwned(transaction, { ...of, now });
}

/**
 * Writes an event to the outbox and drops the request's earlier unsent events. The event gets the
 * email address only when it is sent. An erasure therefore doesn't have to cover the outbox.
 */
export async function queueEvent(
  writing: Writing,
  job: Pick<DeletionJob, "publicId" | "requestId">,
  event: Omit<AccountEvent, "id">,
  notBefore?: Temporal.Instant,
): Promise<void> {
  await replaceUnsent(writing.transaction, accountChannel, job.requestId, writing.now);
  await addMessage<AccountEvent>(writing, {
    recipient: accountChannel,
    ...(notBefore && { notBefore }),
    message: { ...event, id: job.publicId },
    // The event outlives its request, because a cancellation must be sent even after the erasure.
    requestId: event.kind === "account.deletion.cancelled" ? undefined : job.requestId,
  });
}

/** An event in the format in which it is sent. */
export type WrittenEvent = {
  type: AccountEvent["kind"] | "account.deletion.ping";
  /** When the reported change happened. */
  timestamp: string;
  data: { id: string; test: boolean } & Record<string, unknown>;
};

type EventServices = { calendar: Calendar; clock: () => Temporal.Instant; dataList: DataList };

/**
 * Renders an event from its outbox message and the current data. Returns undefined if the event is
 * obsolete, for example because the request has ended or an operator has put it on hold, or if the
 * key that sealed the message no longer exists.
 */
export async function writeEvent(
  services: EventServices & { database: { read: Read } },
  item: OutboxItem,
): Promise<WrittenEvent | undefined> {
  const { read } = services.database;
  // Safe, because this server sealed the message itself.
  const event = item.message as AccountEvent | undefined;
  const job = event && (await findJob(read, { publicId: event.id }));
  if (!job) return undefined;
  const request = await findRequestById(read, { id: job.requestId });
  const doubted = await isDoubted(read, job);
  const inGrace =
    request !== undefined &&
    (await findGraceOf(read, request, job, services.clock())) !== undefined;
  const { kind, id, reference } = event;
  const data = events[kind]({ ...services, event, job, request, doubted, inGrace });
  return (
    data && {
      type: kind,
      timestamp: toText(item.createdAt),
      data: { id, reference, test: job.test, ...data },
    }
  );
}
