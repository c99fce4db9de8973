import { listFailing, listMessages, listTroubled } from "../../delivery/outbox.ts";
import { matchEmail, parseEmailAddress } from "../../platform/addresses/email-address.ts";
import { type Calendar, countDaysLeft, dateAt } from "../../platform/calendar/business-days.ts";
import type { Keys } from "../../platform/crypto/keys.ts";
import type { Database } from "../../platform/database/database.ts";
import { everything } from "../../platform/database/statement.ts";
import { listMonths, readTallies } from "../ledger/monthly-counters.ts";
import { mailChannels } from "../mails/mails.ts";
import { findLastEvent, listEvents, listTeamActs } from "../repository/audit-log.ts";
import { listEnded, listReceived, listWorking } from "../repository/request-lists.ts";
import {
  findEndedRequests,
  findOpenRequest,
  findRequest,
  findRequestById,
  findRequestsByContact,
} from "../repository/requests.ts";
import { findGrace } from "../repository/restore-letters.ts";
import { type ErasedRequest, findErased, listSubmissions } from "../repository/submissions.ts";
import {
  isEnded,
  isWorking,
  parseReference,
  type StoredRequest,
} from "../state-machine/request.ts";

export type QueuedRequest = StoredRequest & {
  /**
   * Number of business days until the due date, negative once it has passed. `undefined` unless the
   * request is confirmed and open.
   */
  daysLeft: number | undefined;
};

/**
 * Parts of the queue, in display order. Confirmed requests are sorted by due date and unconfirmed
 * ones by expiry, both earliest first. Ended requests are sorted latest first.
 */
export const queueParts = ["working", "received", "ended"] as const;
export type QueuePart = (typeof queueParts)[number];

export type QueuePage = NonNullable<Awaited<ReturnType<typeof listQueue>>>;

export type RequestDetail = NonNullable<Awaited<ReturnType<typeof readRequestDetail>>>;

export type QueryServices = {
  database: Database;
  calendar: Calendar;
  keys: Keys;
  clock: () => Temporal.Instant;
};

const shownForms = 100;
const foundAtOnce = 50;

export function createRequestQueries(services: QueryServices) {
  const { database, keys } = services;
  const { read } = database;
  return {
    find: (typed: string) => findTyped(services, typed),
    lookUp: (typed: string) => lookUp(services, typed),
    list: (parts: readonly QueuePart[], limit: number, after?: string) =>
      listQueue(services, parts, limit, after),
    readDetail: (typed: string) => readRequestDetail(services, typed),

    /**
     * Returns whether the request with this reference expired or was removed. Returns undefined for
     * any other reference: of a stored request, of one forgotten after the retention period, or of
     * none.
     */
    async findErased(typed: string): Promise<ErasedRequest | undefined> {
      const reference = parseReference(typed);
      return reference === undefined ? undefined : findErased(read, keys, reference);
    },

    troubled: (limit: number) => listTroubled(read, limit, mailChannels),
    /** Lists the oldest failed emails that the outbox will retry. */
    failing: (limit: number) => listFailing(read, limit, mailChannels),

    /** Reads the counters of one month, or of all time. */
    happened: (month?: Temporal.PlainYearMonth) => readTallies(read, month),
    months: () => listMonths(read),

    teamActs: (limit: number, before: string | null) => listTeamActs(read, limit, before),
  };
}

export async function findTyped(
  { database }: Pick<QueryServices, "database">,
  typed: string,
): Promise<StoredRequest | undefined> {
  const reference = parseReference(typed);
  return reference === undefined ? undefined : findRequest(database.read, { reference });
}

/**
 * Finds a request by its reference, or the open and ended requests for an email address, oldest
 * first. Includes requests with this address as their contact. Reads at most 50 ended requests for
 * each key version, and at most 50 by contact.
 */
export async function lookUp(services: QueryServices, typed: string): Promise<QueuedRequest[]> {
  const { database, keys } = services;
  const byReference = await findTyped(services, typed);
  if (byReference) return [withDaysLeft(services, byReference)];
  const address = parseEmailAddress(typed);
  if (!address.ok) return [];
  const match = matchEmail(address.email);
  const limit = foundAtOnce;
  const open = await findOpenRequest(database.read, address.email);
  const found = [
    ...(open ? [open] : []),
    ...(await findRequestsByContact(database.read, { match, limit })),
  ];
  for (const version of keys.versions) {
    const hash = keys.hashWith("ledger", match, version);
    if (!hash) continue;
    const of = { addressHash: hash.hash, addressHashVersion: version, limit };
    found.push(...(await findEndedRequests(database.read, of)));
  }
  return [...new Map(found.map((request) => [request.id, request])).values()]
    .sort((a, b) => a.id - b.id)
    .map((request) => withDaysLeft(services, request));
}

/**
 * Lists one page of the queue, part by part. The page starts after the request with the reference
 * `after`. Returns undefined if there is no such request.
 */
export async function listQueue(
  services: QueryServices,
  parts: readonly QueuePart[],
  limit: number,
  after?: string,
) {
  const { read } = services.database;
  const last = after === undefined ? undefined : await findTyped(services, after);
  if (after !== undefined && !last) return undefined;
  const lists = {
    // If the last request of the previous page has ended since, continues from its due date.
    working: (freeSlots: number) =>
      listWorking(read, freeSlots, last && last.state !== "received" ? last : undefined),
    received: (freeSlots: number) =>
      listReceived(read, freeSlots, last?.state === "received" ? last : undefined),
    ended: (freeSlots: number) =>
      listEnded(read, freeSlots, last && isEnded(last) ? last : undefined),
  };
  const found: StoredRequest[] = [];
  for (const part of parts.slice(last ? Math.max(0, parts.indexOf(partOf(last))) : 0)) {
    // Reads one more request than fits on the page, to learn whether another page follows.
    const freeSlots = limit + 1 - found.length;
    if (freeSlots > 0) found.push(...(await lists[part](freeSlots)));
  }
  return {
    requests: found.slice(0, limit).map((request) => withDaysLeft(services, request)),
    hasMore: found.length > limit,
  };
}

async function readRequestDetail(services: QueryServices, typed: string) {
  const { read } = services.database;
  const before = await findTyped(services, typed);
  if (!before) return undefined;
  const { id } = before;
  // Reads the last event first so that a concurrent event counts as unseen.
  const seen = (await findLastEvent(read, { requestId: id }))?.id ?? 0;
  const request = await findRequestById(read, { id });
  return (
    request && {
      /** Id of the last event shown. Forms submit it so that commands can detect later changes. */
      seen,
      request: withDaysLeft(services, request),
      /** The first hundred submissions, oldest first. `request.sent` is the total number. */
      submissions: await listSubmissions(read, { requestId: id, limit: shownForms, id: 0 }),
      events: await listEvents(read, { requestId: id, limit: everything, id: 0 }),
      mails: await listMessages(read, { requestId: id }),
      grace: await findGrace(read, id, services.clock()),
    }
  );
}

export function withDaysLeft(
  { calendar, clock }: Pick<QueryServices, "calendar" | "clock">,
  request: StoredRequest,
): QueuedRequest {
  const today = dateAt(calendar, clock());
  return {
    ...request,
    daysLeft: isWorking(request) ? countDaysLeft(calendar, today, request.dueOn) : undefined,
  };
}

function partOf(request: StoredRequest): QueuePart {
  if (isWorking(request)) return "working";
  return request.state === "received" ? "received" : "ended";
}
