import { deleteMessagesOf, type Writing } from "../../delivery/outbox.ts";
import type { Database } from "../../platform/database/database.ts";
import { deleting, insertingOnce, listing, type Write } from "../../platform/database/statement.ts";
import { yieldToOthers } from "../../platform/http/fair-queue.ts";
import type { ReceivedRequest, StoredRequest } from "../state-machine/request.ts";
import { eraseRequest, findRequestById, removeRequest } from "./requests.ts";
import { type ErasedRequest, listReferences, recordErased } from "./submissions.ts";

/**
 * Erases personal data; no other code does. Erases rows in the caller's transaction, then email
 * files, then the leftovers in the database's log. The transaction also records which files to
 * delete, so that none is missed after a crash. A file that may still be being written is deleted a
 * second time, after its lease.
 */
export type Erasure = ReturnType<typeof createErasure>;

/** Erases a whole request, or only its personal data. Also deletes its unsent emails. */
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
  // Differ at startup, because rows erased before the last stop may still be in the log. Are
  // counters, because more rows may be erased during the cleaning.
  let erased = 1;
  let cleaned = 0;

  const forgetIn =
    (transaction: Write): EraseRequest =>
    async (id, extent, now) => {
      for (const mail of await deleteMessagesOf(transaction, { requestId: id })) {
        const until = mail.leaseUntil ?? now;
        await doom(transaction, { messageKey: mail.messageKey, until });
      }
      if (extent === "whole") await removeRequest(transaction, { id });
      else await eraseRequest(transaction, id, now);
    };

  return {
    /**
     * Runs `work` in a transaction that may erase requests. Call `finish` afterward, to remove the
     * last traces.
     */
    async write<T>(work: (transaction: Write, forget: EraseRequest) => Promise<T>): Promise<T> {
      try {
        return await database.write((transaction) => work(transaction, forgetIn(transaction)));
      } finally {
        erased++;
      }
    },

    /**
     * Deletes the recorded files, then cleans the log. If that fails, the next call tries again.
     */
    async finish(now: Temporal.Instant): Promise<void> {
      await removeDoomed(services, now);
      // Stays uncleaned if a reader in another process locks the log; the next call tries again.
      const before = erased;
      if (cleaned < before && (await database.erasePhysically())) cleaned = before;
    },
  };
}

/** Deletes the recorded email files. Drops a record once the file's lease has ended. */
async function removeDoomed(
  { database, removeMailFiles }: Parameters<typeof createErasure>[0],
  now: Temporal.Instant,
): Promise<void> {
  for (let messageKey = ""; ; ) {
    const doomed = await doomedMails(database.read, { messageKey, limit: sweepSize });
    const last = doomed.at(-1);
    if (!last) return;
    await removeMailFiles(new Set(doomed.map((mail) => mail.messageKey)));
    const gone = doomed.filter((mail) => Temporal.Instant.compare(mail.until, now) <= 0);
    if (gone.length > 0) {
      await database.write(async (transaction) => {
        for (const mail of gone) await pardon(transaction, mail);
      });
    }
    messageKey = last.messageKey;
  }
}

const doom = insertingOnce("doomed_mails");

const doomedMails = listing("doomed_mails", { messageKey: ">" }, ["messageKey"]);

const pardon = deleting("doomed_mails", { messageKey: "=" });

/** Requests changed per transaction. The server handles other work between two batches. */
export const batchSize = 50;

/**
 * Changes the listed requests in batches, until `list` returns none or makes no progress. Skips
 * requests that were deleted in the meantime.
 * @param write runs `work` in one transaction; may pass more arguments, which `change` also
 * receives
 */
export async function changeAll<More extends unknown[]>(
  write: (work: (transaction: Write, ...more: More) => Promise<void>) => Promise<void>,
  list: () => Promise<number[]>,
  change: (request: StoredRequest, transaction: Write, ...more: More) => Promise<void>,
): Promise<void> {
  let before: number | undefined;
  for (;;) {
    const ids = await list();
    // If this batch starts with the same id as the previous one, that one made no progress. Leaves
    // the rest to the next run.
    if (ids.length === 0 || ids[0] === before) return;
    before = ids[0];
    await write(async (transaction, ...more) => {
      for (const id of ids) {
        const request = await findRequestById(transaction, { id });
        if (request) await change(request, transaction, ...more);
      }
    });
    await yieldToOthers();
  }
}

/** Maximum number of references of a deleted request to remember. */
const goneReferences = 100;

/** Deletes a request, keeping only hashes of its references. */
export async function eraseRequestAndTraces(
  { transaction, keys, now }: Writing,
  forget: EraseRequest,
  { id }: ReceivedRequest,
  how: ErasedRequest,
): Promise<void> {
  const references = await listReferences(transaction, { requestId: id, limit: goneReferences });
  await recordErased({ transaction, keys, now }, references, how);
  await forget(id, "whole", now);
}
