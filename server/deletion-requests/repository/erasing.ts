import { deleteMessagesOf, type Writing } from "../../delivery/outbox.ts";
import type { Database } from "../../platform/database/database.ts";
import { deleting, insertingOnce, listing, type Write } from "../../platform/database/statement.ts";
import { yieldToOthers } from "../../platform/http/fair-queue.ts";
import type { ReceivedRequest, StoredRequest } from "../state-machine/request.ts";
import { eraseRequest, findRequestById, removeRequest } from "./requests.ts";
import { type ErasedRequest, listReferences, recordErased } from "./submissions.ts";

/**
 * Erases personal data; no other code does. First erases rows in the caller's transaction, then
 * deletes email files, then removes the leftovers from the database's log. The transaction also
 * records the files to delete, so that a crash can't make us miss one. If a file may still be in
 * the middle of being written, it is deleted again after its lease.
 */
export type Erasure = ReturnType<typeof createErasure>;

/** Erases a whole request, or only its personal data. Also deletes the request's unsent emails. */
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
  // Counters of erasures and cleanings. They differ at startup, because rows erased before the last
  // stop may still be in the log. They are counters because more rows may be erased during a
  // cleaning.
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
     * Runs `work` in a transaction that may erase requests. Call `finish` afterward to remove the
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
     * Deletes the recorded files, then cleans the log. After a failure, the next call tries again.
     */
    async finish(now: Temporal.Instant): Promise<void> {
      await removeDoomed(services, now);
      // The log remains uncleaned if a reader in another process locks it. The next call tries
      // again.
      const before = erased;
      if (cleaned < before && (await database.erasePhysically())) cleaned = before;
    },
  };
}

/** Deletes the recorded email files. Drops a record once its file's lease has ended. */
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

/** Requests changed per transaction. Between two batches, the server handles other work. */
export const batchSize = 50;

/**
 * Changes the listed requests in batches until `list` returns none or makes no progress. Skips
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
    // A batch that starts with the same id as the previous batch means no progress. The next run
    // tries the rest.
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
