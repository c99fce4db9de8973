import { type Calendar, countDaysLeft, dateAt } from "../calendar/business-days.ts";
import { toText } from "../database/rows.ts";
import type { Read, Write } from "../database/statement.ts";
import {
  type DataList,
  kindsToAnswer,
  recipientsToTell,
} from "../deletion-requests/life/checklist.ts";
import {
  isEnded,
  isWorking,
  type StoredRequest,
  type WorkingRequest,
  waitOf,
} from "../deletion-requests/life/request.ts";
import { findRequestById } from "../deletion-requests/store/requests.ts";
import { findGrace } from "../deletion-requests/store/restore-letters.ts";
import type { Keys } from "../keys/keys.ts";
import { addMessage, type OutboxItem, replaceUnsent, settleOwned } from "../outbox/outbox.ts";
import { type DeletionJob, findJob, isDoubted } from "./deletion-jobs.ts";

/** What is told to the account system. docs/account-system.openapi.yaml describes it for whoever builds the other side. */

/** The channel of the outbox. */
export const accountChannel = "account-system";

/** What leaves: written to the outbox in the transaction of the fact, without the address. */
export type AccountEvent = {
  kind: keyof typeof events;
  reference: string;
  /** Of the job: what answers name. */
  id: string;
  /** Why the account stays as it is, or needs no work any more: by its person, refused, or done by an operator's hand. */
  because?: "cancelled" | "refused" | "done-by-hand";
};

type About = Services & {
  event: AccountEvent;
  job: DeletionJob;
  request: StoredRequest | undefined;
  /** Whether a copy was put back since it was handed over. */
  doubted: boolean;
  /** Whether its person still has time to cancel after a restore. */
  inGrace: boolean;
};

type Data = Record<string, unknown> | undefined;

/** What each event says beside `id`, `reference` and `test`; undefined where there is nothing to tell any more. */
const events = {
  "account.deletion.requested": ofWorking(tellAsked),
  "account.deletion.reminder": ofWorking((request, about) => {
    const today = dateAt(about.calendar, about.clock());
    const businessDaysLeft = countDaysLeft(about.calendar, today, request.dueOn);
    const asked = tellAsked(request, about);
    return asked && { ...asked, businessDaysLeft };
  }),
  "account.deletion.held": ofWorking((request) => {
    const until = waitOf(request)?.until;
    return until && { until: until.toString() };
  }),
  "account.deletion.cancelled": ({ event }: About): Data => ({ because: event.because }),
  "account.deletion.standing": ofWorking(() => ({})),
  "account.deletion.recheck": ({ request, job, dataList }: About): Data =>
    request && isEnded(request)
      ? {
          accountId: job.accountId,
          kinds: kindsToAnswer(dataList),
          completedAt: toText(request.endedAt),
        }
      : undefined,
};

function ofWorking(tell: (request: WorkingRequest, about: About) => Data) {
  return (about: About): Data =>
    about.request && isWorking(about.request) ? tell(about.request, about) : undefined;
}

function tellAsked(request: WorkingRequest, { dataList, job, doubted, inGrace }: About): Data {
  // Written before an operator made it wait or took it, or before a copy was put back.
  if (isKeptWaiting(request) || isInHand(request, job) || doubted || inGrace) return undefined;
  return {
    address: request.email,
    // Whichever kind of account it is: all of them are asked for.
    accounts: [...new Set(dataList.kinds.flatMap((row) => row.accounts))],
    kinds: kindsToAnswer(dataList),
    tell: recipientsToTell(dataList),
    confirmedAt: toText(request.confirmedAt),
    dueOn: request.dueOn.toString(),
    begun: job.begunAt !== undefined,
  };
}

/** Whether an operator keeps it waiting: until that ends, the account system is not asked for it. */
export function isKeptWaiting(request: WorkingRequest): boolean {
  return waitOf(request)?.by === "operator";
}

/** Whether an operator has the request in hand, or called it done, and not the account system. */
export function isInHand({ owner, done }: WorkingRequest, job: DeletionJob | undefined): boolean {
  return (owner !== undefined || done !== undefined) && job?.begunAt === undefined;
}

/** How long a request still waits after a restore; the account system goes on with what it had begun. */
export async function findGraceOf(
  database: Read,
  { id }: Pick<StoredRequest, "id">,
  job: DeletionJob,
  now: Temporal.Instant,
) {
  return job.begunAt === undefined ? findGrace(database, id, now) : undefined;
}

/** What a request's events told is answered, but that it is held: to that nothing is said, and it still has to leave. */
export function settleAnswered(transaction: Write, requestId: number, now: Temporal.Instant) {
  const of = { recipient: accountChannel, requestId, unsent: "account.deletion.held" };
  return settleOwned(transaction, { ...of, now });
}

/**
 * Writes an event to the outbox, in place of what was to be told of the same request before. The address is looked up
 * when it leaves, so that erasing needs to look in one place.
 */
export async function oweEvent(
  transaction: Write,
  keys: Keys,
  job: Pick<DeletionJob, "publicId" | "requestId">,
  reference: string,
  event: Pick<AccountEvent, "kind" | "because">,
  now: Temporal.Instant,
  notBefore?: Temporal.Instant,
): Promise<void> {
  await replaceUnsent(transaction, accountChannel, job.requestId, now);
  await addMessage<AccountEvent>(transaction, keys, now, {
    recipient: accountChannel,
    ...(notBefore && { notBefore }),
    message: { ...event, reference, id: job.publicId },
    // What is cancelled must be told although the request is erased meanwhile.
    requestId: event.kind === "account.deletion.cancelled" ? undefined : job.requestId,
  });
}

/** What an event says, as it leaves. */
export type WrittenEvent = {
  type: AccountEvent["kind"] | "account.deletion.ping";
  /** When it became true. */
  timestamp: string;
  data: { id: string; test: boolean } & Record<string, unknown>;
};

type Services = { calendar: Calendar; clock: () => Temporal.Instant; dataList: DataList };

/**
 * Makes what leaves out of what waits, with the facts of this moment. Undefined where there is nothing to tell any more:
 * the request has ended or its address is erased, or the key that the message was sealed with is gone.
 */
export async function writeEvent(
  services: Services & { database: { read: Read } },
  item: OutboxItem,
): Promise<WrittenEvent | undefined> {
  const { read } = services.database;
  // Sealed by this server, so it is what it wrote.
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
