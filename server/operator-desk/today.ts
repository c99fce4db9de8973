import { dateAt } from "../calendar/business-days.ts";
import type { Database } from "../database/database.ts";
import { undoMinutes } from "../deletion-requests/life/life.ts";
import { countReceived } from "../deletion-requests/store/counts.ts";
import { listWorking } from "../deletion-requests/store/queue.ts";
import type { StoredRequest } from "../deletion-requests/store/request.ts";
import type { Office } from "../deletion-requests/working/acts.ts";
import { type QueuedRequest, withDaysLeft } from "../deletion-requests/working/reading.ts";
import { listDeletedHeld, listToApprove, listUndoable, type Mark, readMarks } from "./lists.ts";
import type { Place } from "./places.ts";

export type TodaysWork = {
  /** What the account system says to have deleted although it is on hold: before everything else. */
  deletedHeld: QueuedRequest[];
  /** What can still be taken back: for ten minutes it stands before everything. */
  undoable: QueuedRequest[];
  toApprove: QueuedRequest[];
  /** A page of the queue by date, whoever is at work on it. */
  queue: QueuedRequest[];
  marks: ReadonlyMap<number, ReadonlySet<Mark>>;
  /** Where the next page begins; undefined on the last. */
  next: Place | undefined;
  /** How many wait for their person, of whom nobody can do anything. */
  unconfirmed: number;
};

/** So many on a page. */
export const pageSize = 50;

/** What there is to do, the same for everybody: first what can be undone, then everything by its date. */
export async function readToday(
  {
    database,
    calendar,
    clock,
  }: Pick<Office, "calendar"> & { database: Database; clock: () => Temporal.Instant },
  after?: Place,
): Promise<TodaysWork> {
  const now = clock();
  const today = dateAt(calendar, now);
  const { read } = database;
  const shown = (requests: readonly StoredRequest[]) =>
    requests.map((request) => withDaysLeft(calendar, today, request));
  const deletedHeld = await listDeletedHeld(read, { limit: pageSize });
  const isAbove = new Set(deletedHeld.map(({ id }) => id));
  const toApprove = await listToApprove(read, { limit: pageSize });
  const undoable = await listUndoable(read, now.subtract({ minutes: undoMinutes }), pageSize);
  const place = after && { dueOn: Temporal.PlainDate.from(after.key), id: after.id };
  // One more than is shown tells whether there is another page.
  const found = await listWorking(read, pageSize + 1, place);
  const page = found.slice(0, pageSize);
  const last = found.length > pageSize ? page.at(-1) : undefined;
  const queue = page.filter(({ id, done }) => !done && !isAbove.has(id));
  return {
    deletedHeld: after ? [] : shown(deletedHeld),
    undoable: after ? [] : shown(undoable),
    toApprove: after ? [] : shown(toApprove),
    queue: shown(queue),
    marks: await readMarks(read, queue),
    next: last && { key: last.dueOn.toString(), id: last.id },
    unconfirmed: (await countReceived(read)) - toApprove.length,
  };
}
