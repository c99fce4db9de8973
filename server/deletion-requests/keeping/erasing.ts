import type { Database } from "../../database/database.ts";
import { type At, reading, type Write, writing } from "../../database/statement.ts";
import { toText } from "../../database/time.ts";
import { forgetMessages } from "../../outbox/outbox.ts";
import { eraseRequest, removeRequest } from "../store/changes.ts";

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

  function forgetIn(transaction: Write, onForget: () => void): Forget {
    return async (id, extent, now) => {
      onForget();
      for (const mail of await forgetMessages(transaction, { ownerId: id })) {
        await doom(transaction, {
          messageKey: mail.messageKey,
          until: mail.leaseUntil ?? now,
        });
      }
      if (extent === "whole") await removeRequest(transaction, { id });
      else await eraseRequest(transaction, id, now);
    };
  }

  async function writeLot<T>(work: (transaction: Write, forget: Forget) => Promise<T>): Promise<T> {
    let forgets = false;
    const enter = () => {
      forgets = true;
    };
    try {
      return await database.write((transaction) => work(transaction, forgetIn(transaction, enter)));
    } finally {
      if (forgets) erased++;
    }
  }

  /** Removes files that must go, and cleans the log. What cannot be done now is done at the next call. */
  async function finish(now: Temporal.Instant): Promise<void> {
    await removeDoomed(services, now);
    // Another process that reads can hold the log; the next call tries again.
    const before = erased;
    if (cleaned < before && (await database.erasePhysically())) cleaned = before;
  }

  return {
    /** Runs `work` as one transaction in which requests may be forgotten, and leaves no trace of those. */
    async write<T>(
      now: Temporal.Instant,
      work: (transaction: Write, forget: Forget) => Promise<T>,
    ): Promise<T> {
      const result = await writeLot(work);
      await finish(now);
      return result;
    },

    /** The same for one of many lots: whoever runs them calls `finish` in the end. */
    writeLot,
    finish,
  };
}

/** Removes the files of mails that must go, and forgets those that nobody can write any more. */
async function removeDoomed(
  { database, removeMailFiles }: Parameters<typeof createForgetting>[0],
  now: Temporal.Instant,
): Promise<void> {
  for (let after = ""; ; ) {
    const doomed = await doomedMails(database.read, { after, limit: sweepSize });
    const last = doomed.at(-1);
    if (!last) return;
    await removeMailFiles(new Set(doomed.map((mail) => mail.message_key)));
    const gone = doomed.filter((mail) => mail.until <= toText(now));
    if (gone.length > 0) {
      await database.write(async (transaction) => {
        for (const mail of gone) await pardon(transaction, { key: mail.message_key });
      });
    }
    after = last.message_key;
  }
}

const doom = writing((tables, { messageKey, until }: { messageKey: string; until: At }) =>
  tables
    .insertInto("doomed_mails")
    .values({ message_key: messageKey, until })
    .onConflict((conflict) => conflict.column("message_key").doNothing()),
);

const doomedMails = reading((tables, { after, limit }: { after: string; limit: number }) =>
  tables
    .selectFrom("doomed_mails")
    .selectAll()
    .where("message_key", ">", after)
    .orderBy("message_key")
    .limit(limit),
);

const pardon = writing((tables, { key }: { key: string }) =>
  tables.deleteFrom("doomed_mails").where("message_key", "=", key),
);
