import type { Database } from "../../database/database.ts";
import { deleting, insertingOnce, listing, type Write } from "../../database/statement.ts";
import { letOthersIn } from "../../http/turns.ts";
import type { Keys } from "../../keys/keys.ts";
import { forgetMessages } from "../../outbox/outbox.ts";
import type { ReceivedRequest, StoredRequest } from "../life/request.ts";
import { enterGone, type Gone, listReferences } from "./forms.ts";
import { eraseRequest, findRequestById, removeRequest } from "./requests.ts";

/**
 * The one way in which what names a person goes, whoever wants it gone: the rows in a transaction of the caller, then
 * the files of its mails, then the copies in the database's log. Files are remembered in the same transaction until
 * they are gone, so that a crash between the two loses none; and a mail that was just being written is looked for
 * again when its attempt must have ended.
 */
export type Forgetting = ReturnType<typeof createForgetting>;

/** Forgets one request: all of it, or all that names a person. Its waiting mails go with it. */
export type Forget = (
  id: number,
  extent: "whole" | "person",
  now: Temporal.Instant,
) => Promise<void>;

/** How many files are looked for at once. */
const sweepSize = 500;

export function createForgetting(services: {
  database: Database;
  /** Removes the files of these mails; absent ones are fine. */
  removeMailFiles: (messageKeys: ReadonlySet<string>) => Promise<void>;
}) {
  const { database } = services;
  // A row erased before the last stop may still be in the log. Counted, because more may be erased while it is cleaned.
  let erased = 1;
  let cleaned = 0;

  const forgetIn =
    (transaction: Write): Forget =>
    async (id, extent, now) => {
      for (const mail of await forgetMessages(transaction, { requestId: id })) {
        const until = mail.leaseUntil ?? now;
        await doom(transaction, { messageKey: mail.messageKey, until });
      }
      if (extent === "whole") await removeRequest(transaction, { id });
      else await eraseRequest(transaction, id, now);
    };

  return {
    /** Runs `work` as one transaction in which requests may be forgotten; `finish` leaves no trace of those. */
    async write<T>(work: (transaction: Write, forget: Forget) => Promise<T>): Promise<T> {
      try {
        return await database.write((transaction) => work(transaction, forgetIn(transaction)));
      } finally {
        erased++;
      }
    },

    /** Removes files that must go, and cleans the log. What cannot be done now is done at the next call. */
    async finish(now: Temporal.Instant): Promise<void> {
      await removeDoomed(services, now);
      // Another process that reads can hold the log; the next call tries again.
      const before = erased;
      if (cleaned < before && (await database.erasePhysically())) cleaned = before;
    },
  };
}

/** Removes the files of mails that must go, and forgets those that nobody can write any more. */
async function removeDoomed(
  { database, removeMailFiles }: Parameters<typeof createForgetting>[0],
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

/** Requests in one transaction: between two such lots everybody else is served. */
export const lot = 50;

/**
 * Those of a list that are still there when their turn comes, lot after lot, until `list` finds no more; it is asked anew
 * for each, so that nothing to do costs nothing.
 * @param write runs its work as one transaction, and may bring what its work needs beside it
 */
export async function changeAll<More extends unknown[]>(
  write: (work: (transaction: Write, ...more: More) => Promise<void>) => Promise<void>,
  list: () => Promise<number[]>,
  change: (request: StoredRequest, transaction: Write, ...more: More) => Promise<void>,
): Promise<void> {
  let before: number | undefined;
  for (;;) {
    const ids = await list();
    // What could not be done the first time stays for the next round.
    if (ids.length === 0 || ids[0] === before) return;
    before = ids[0];
    await write(async (transaction, ...more) => {
      for (const id of ids) {
        const request = await findRequestById(transaction, { id });
        if (request) await change(request, transaction, ...more);
      }
    });
    await letOthersIn();
  }
}

/** Of so many forms of a request that is gone the references are remembered. */
const goneReferences = 100;

/** Nothing of a request stays but a hash of its references. */
export async function forgetWhole(
  keys: Keys,
  transaction: Write,
  forget: Forget,
  { id }: ReceivedRequest,
  how: Gone,
  now: Temporal.Instant,
): Promise<void> {
  const references = await listReferences(transaction, { requestId: id, limit: goneReferences });
  await enterGone(transaction, keys, references, how, now);
  await forget(id, "whole", now);
}
