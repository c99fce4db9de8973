import type { Database } from "../database/database.ts";
import { isAnybodyInvited } from "./operators.ts";
import {
  enterSessionSeen,
  findSession,
  isFresh,
  isWorthSeeing,
  type Session,
  type SignedIn,
} from "./sessions.ts";

/** Who comes in to the operators' pages, and how. */
export type OperatorDoor = ReturnType<typeof createOperatorDoor>;

export function createOperatorDoor(services: {
  database: Database;
  clock: () => Temporal.Instant;
}) {
  const { database, clock } = services;
  return {
    /** Whether there are pages of operators at all. */
    isThere: () => isAnybodyInvited(database.read),

    /** Who holds this session's token. Notes now and then that the session is alive. */
    async findSession(token: string | undefined): Promise<SignedIn | undefined> {
      const now = clock();
      const found = await findSession(database.read, token, now);
      if (found && isWorthSeeing(found.session, now)) {
        await database.write((transaction) =>
          enterSessionSeen(transaction, { id: found.session.id, at: now }),
        );
      }
      return found;
    },

    isFresh: (session: Session) => isFresh(session, clock()),
  };
}
