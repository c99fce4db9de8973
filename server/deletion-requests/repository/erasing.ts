import { deleteMessagesOf, type Writing } from "../../delivery/outbox.ts";
import { type Database, isStorageProblem } from "../../platform/database/database.ts";
import { deleting, insertingOnce, listing, type Write } from "../../platform/database/statement.ts";
import { yieldToOthers } from "../../platform/http/fair-queue.ts";
import type { ReceivedRequest, StoredRequest } from "../state-machine/request.ts";
import { eraseRequest, findRequestById, removeRequest } from "./requests.ts";
import { type ErasedRequest, listReferences, recordErased } from "./submissions.ts";

/**
 * Erases requests or their personal data. No other code does; `deleteAgedRows` deletes other rows by
 * age. The caller's transaction erases rows and records which email files to delete, so a crash
 * can't leave any files behind. `finish` then deletes the files and cleans the database's log. A
 * file that may still be being written is deleted again after its lease.
 */
export type Erasure = ReturnType<typeof createErasure>;

/** Erases an entire request, or only its personal data. Also deletes its emails from the outbox. */
export type EraseRequest = (
  id: number,
  extent: "whole" | "person",
  now: Temporal.Instant,
) => Promise<void>;

const sweepSize = 500;

export function createErasure(services: {
  database: Database;
  /** Deletes the files of these emails. Ignores missing files. */
  removeMailFiles: (messageKeys: ReadonlySet<string>) => Promise<void>;
}) {
  const { database } = services;
  // Number of erasures, and the number covered by the last cleaning of the log. They differ at
  // startup, because rows erased before the last shutdown may still be in the log.
  let erased = 1;
  let cleaned = 0;

  const forgetIn =
    (transaction: Write): EraseRequest =>
    async (id, extent, now) => {
      for (const mail of await deleteMessagesOf(transaction, { requestId: id })) {
        const until = mail.leaseUntil ?? now;
        await recordForRemoval(transaction, { messageKey: mail.messageKey, until });
      }
      if (extent === "whole") await removeRequest(transaction, { id });
      else await eraseRequest(transaction, id, now);
    };

  return {
    /**
     * Runs `work` in a transaction that may erase requests. Call `finish` afterward to remove the
     * remaining traces.
     */
    async write<T>(work: (transaction: Write, forget: EraseRequest) => Promise<T>): Promise<T> {
      try {
        return await database.write((transaction) => work(transaction, forgetIn(transaction)));
      } finally {
        erased++;
      }
    },

    /** Deletes the recorded files, then cleans the log. The next call retries what failed. */
    async finish(now: Temporal.Instant): Promise<void> {
      await removeRecordedFiles(services, now);
      // A reader in another process may lock the log. The next call then retries.
      const before = erased;
      if (cleaned < before && (await database.erasePhysically())) cleaned = before;
    },
  };
}

/** Deletes the recorded email files. Drops each record once its file's lease has ended. */
async function removeRecordedFiles(
  { database, removeMailFiles }: Parameters<typeof createErasure>[0],
  now: Temporal.Instant,
): Promise<void> {
  for (let messageKey = ""; ; ) {
    const recorded = await listRecorded(database.read, { messageKey, limit: sweepSize });
    const last = recorded.at(-1);
    if (!last) return;
    await removeMailFiles(new Set(recorded.map((mail) => mail.messageKey)));
    const expired = recorded.filter((mail) => Temporal.Instant.compare(mail.until, now) <= 0);
    if (expired.length > 0) {
      await database.write(async (transaction) => {
        for (const mail of expired) await dropRecord(transaction, mail);
      });
    }
    messageKey = last.messageKey;
  }
}

const recordForRemoval = insertingOnce("doomed_mails");

const listRecorded = listing("doomed_mails", { messageKey: ">" }, ["messageKey"]);

const dropRecord = deleting("doomed_mails", { messageKey: "=" });

/** Number of requests changed per transaction. The server handles other work between batches. */
export const batchSize = 50;

/**
 * Changes the listed requests in batches until `list` returns none or stops making progress.
 * @param write runs `work` in one transaction; extra arguments are passed on to `change`
 * @throws the first error, after all other requests have been changed; a storage problem right away
 */
export async function changeAll<More extends unknown[]>(
  write: WriteMore<More>,
  list: () => Promise<number[]>,
  change: (request: StoredRequest, transaction: Write, ...more: More) => Promise<void>,
): Promise<void> {
  const problems: unknown[] = [];
  for (let before: number | undefined; ; ) {
    const ids = await list();
    // A batch that starts with the same id as the previous one made no progress. The next run
    // retries.
    if (ids.length === 0 || ids[0] === before) break;
    before = ids[0];
    problems.push(...(await changeBatch(write, ids, change)));
    await yieldToOthers();
  }
  if (problems.length > 0) throw problems[0];
}

type WriteMore<More extends unknown[]> = (
  work: (transaction: Write, ...more: More) => Promise<void>,
) => Promise<void>;

/**
 * Changes requests in one transaction. Skips requests that have been deleted since. If the batch
 * fails, changes its requests one by one so that a single invalid row doesn't hold up the others.
 * @returns the errors of the requests that couldn't be changed
 */
export async function changeBatch<More extends unknown[]>(
  write: WriteMore<More>,
  ids: readonly number[],
  change: (request: StoredRequest, transaction: Write, ...more: More) => Promise<void>,
): Promise<unknown[]> {
  const problems: unknown[] = [];
  const changeThese = (some: readonly number[]) =>
    write(async (transaction, ...more) => {
      for (const id of some) {
        const request = await findRequestById(transaction, { id });
        if (request) await change(request, transaction, ...more);
      }
    });
  await changeThese(ids).catch(async (error: unknown) => {
    if (isStorageProblem(error)) throw error;
    for (const id of ids) {
      await changeThese([id]).catch((problem: unknown) => {
        if (isStorageProblem(problem)) throw problem;
        problems.push(problem);
      });
    }
  });
  return problems;
}

/** Maximum number of hashed references to keep for a deleted request. */
const mostReferences = 100;

/** Deletes a request but keeps hashes of its references, at most `mostReferences`. */
export async function eraseRequestAndTraces(
  { transaction, keys, now }: Writing,
  forget: EraseRequest,
  { id }: ReceivedRequest,
  how: ErasedRequest,
): Promise<void> {
  const references = await listReferences(transaction, { requestId: id, limit: mostReferences });
  await recordErased({ transaction, keys, now }, references, how);
  await forget(id, "whole", now);
}
