import type { Database } from "../database/database.ts";
import { parseReferenceBeginning } from "../deletion-requests/life/reference.ts";
import { isWorking, type StoredRequest, undoMinutes } from "../deletion-requests/life/request.ts";
import { countReceived } from "../deletion-requests/store/finding.ts";
import {
  createReading,
  type QueuedRequest,
  withDaysLeft,
} from "../deletion-requests/working/reading.ts";
import { findByBeginning, listDeletedHeld, listToApprove, listUndoable } from "./lists.ts";

/** What the one list shows: what there is to do, and what is looked for. */

export type TodaysWork = {
  /** What the account system says to have deleted although it is on hold: before everything else. */
  deletedHeld: QueuedRequest[];
  /** What can still be taken back: for ten minutes it stands before everything. */
  undoable: QueuedRequest[];
  toApprove: QueuedRequest[];
  /** A page of the queue by date, whoever is at work on it. */
  queue: QueuedRequest[];
  /** The reference behind which the next page begins; undefined on the last. */
  next: string | undefined;
  /** How many wait for their person, of whom nobody can do anything. */
  unconfirmed: number;
};

type Services = Parameters<typeof createReading>[0] & { database: Database };

/** So many on a page. */
const pageSize = 50;

/**
 * What there is to do, the same for everybody: first what can be undone, then everything by its date.
 * @param after the reference behind which the page begins; one that there is not begins with the first page
 */
export async function readToday(services: Services, after?: string): Promise<TodaysWork> {
  const { read } = services.database;
  const reading = createReading(services);
  const shown = (requests: readonly StoredRequest[]) =>
    after ? [] : requests.map((request) => withDaysLeft(services, request));
  const deletedHeld = await listDeletedHeld(read, { limit: pageSize });
  const toApprove = await listToApprove(read, { limit: pageSize });
  const since = services.clock().subtract({ minutes: undoMinutes });
  const undoable = await listUndoable(read, since, pageSize);
  const found = await reading.list(["working"], pageSize, after);
  if (!found) return readToday(services);
  const isAbove = new Set(deletedHeld.map(({ id }) => id));
  const isDone = (request: StoredRequest) => isWorking(request) && request.done;
  return {
    deletedHeld: shown(deletedHeld),
    undoable: shown(undoable),
    toApprove: shown(toApprove),
    queue: found.requests.filter((request) => !isDone(request) && !isAbove.has(request.id)),
    next: found.hasMore ? found.requests.at(-1)?.reference : undefined,
    unconfirmed: (await countReceived(read)) - toApprove.length,
  };
}

/**
 * By a whole reference or address whatever became of it, else by how one of them begins.
 * @returns a page of them, and whether there are more
 */
export async function search(
  services: Services,
  typed: string,
): Promise<{ requests: QueuedRequest[]; more: boolean }> {
  const whole = await createReading(services).search(typed);
  const address = typed.trim().toLowerCase();
  if (whole.length > 0 || address.length < 2) return { requests: whole, more: false };
  const beginning = { reference: parseReferenceBeginning(typed), address };
  const begun = await findByBeginning(services.database.read, beginning, pageSize + 1);
  return {
    requests: begun.slice(0, pageSize).map((request) => withDaysLeft(services, request)),
    more: begun.length > pageSize,
  };
}
