import {
  finding,
  insertingOnce,
  type Read,
  reading,
  updating,
  type Write,
} from "../../platform/database/statement.ts";
import { workingNames } from "./requests.ts";

/**
 * The grace period after a restore, for each confirmed request that was open in the backup.
 * Operators can't work on the request in this period, because the lost data may include its
 * cancellation. The period ends at the deadline stated in the request's restore letter.
 */

/** Minimum number of hours that a letter leaves the requester to cancel. */
const graceHours = 24;

/** Returns the deadline to cancel for a letter sent now, rounded up to the hour. */
export function cancelUntilFrom(now: Temporal.Instant): Temporal.Instant {
  return now.add({ hours: graceHours }).round({ smallestUnit: "hour", roundingMode: "ceil" });
}

/** Starts a request's grace period, or restarts it after another restore. */
export async function startGrace(transaction: Write, requestId: number): Promise<void> {
  if (await insertLetter(transaction, { requestId })) return;
  await setCancelUntil(transaction, { requestId, cancelUntil: undefined });
}

const insertLetter = insertingOnce("restore_letters");

const setCancelUntil = updating("restore_letters", ["cancelUntil"], { requestId: "=" });

/** Records the end of the grace period, once the letter was sent or refused by the mailbox. */
export const recordCancelUntil = (
  transaction: Write,
  letter: { requestId: number; cancelUntil: Temporal.Instant },
) => setCancelUntil(transaction, letter);

/** A request's grace period after a restore. `until` is undefined until the letter is sent. */
export type Grace = { until: Temporal.Instant | undefined };

/** Returns a request's grace period, or undefined if the period has ended or never started. */
export async function findGrace(
  database: Read,
  requestId: number,
  now: Temporal.Instant,
): Promise<Grace | undefined> {
  const letter = await findLetter(database, { requestId });
  if (!letter) return undefined;
  const { cancelUntil: until } = letter;
  const isOver = until !== undefined && Temporal.Instant.compare(until, now) <= 0;
  return isOver ? undefined : { until };
}

const findLetter = finding("restore_letters", { requestId: "=" });

/** Counts the requests in their grace period and those among them whose letter is unsent. */
export const countGraces = reading(
  (tables, { now }: { now: Temporal.Instant }) =>
    tables
      .selectFrom("restore_letters")
      .innerJoin("requests", "requests.id", "restore_letters.request_id")
      .select((select) => [
        select.fn.countAll<number>().as("waiting"),
        select.fn
          .sum<number>(select.case().when("cancel_until", "is", null).then(1).else(0).end())
          .as("unsent"),
      ])
      .where("requests.state", "in", workingNames)
      .where((where) =>
        where.or([where("cancel_until", "is", null), where("cancel_until", ">", now)]),
      ),
  ([row]) => ({ waiting: Number(row?.waiting), unsent: Number(row?.unsent ?? 0) }),
);
