import type { Database } from "../database/database.ts";
import {
  deleting,
  inserting,
  type Read,
  reading,
  updating,
  type Write,
  writing,
} from "../database/statement.ts";
import { createToken, hashToken, isToken } from "../keys/tokens.ts";
import type { Role } from "./operators.ts";

/** Who is signed in where. A browser holds a random token, the store its hash. */

/** Without a request for so long, a session ends. */
const idleHours = 12;
/** However busy, a session ends after so long. */
const longestDays = 7;
/** How long a touch of the passkey speaks for what follows. */
const freshMinutes = 5;
/** A session's last request is entered so coarsely, so that reading pages does not write. */
const seenEveryMinutes = 5;

/** Who asks, and by which session. */
export type SignedIn = NonNullable<Awaited<ReturnType<typeof findSession>>>;

/** @returns the token for the browser's cookie, which is nowhere else */
export async function openSession(
  transaction: Write,
  session: { operatorId: number; device: string; at: Temporal.Instant; passkeyId?: number },
): Promise<string> {
  const token = createToken();
  const { operatorId, device, at, passkeyId } = session;
  await dropExpired(transaction, endsOf(at));
  await insertSession(transaction, {
    ...{ operatorId, hash: hashToken(token), device, passkeyId },
    ...{ openedAt: at, seenAt: at },
  });
  return token;
}

const insertSession = inserting("operator_sessions");

/** What a session must have been opened and seen after to be alive. */
export function endsOf(now: Temporal.Instant) {
  return {
    opened: now.subtract({ hours: 24 * longestDays }),
    seen: now.subtract({ hours: idleHours }),
  };
}

type Ends = { opened: Temporal.Instant; seen: Temporal.Instant };

const dropExpired = writing((tables, { opened, seen }: Ends) =>
  tables
    .deleteFrom("operator_sessions")
    .where((row) => row.or([row("opened_at", "<=", opened), row("seen_at", "<=", seen)])),
);

/** The living session of a cookie, of somebody who is still with the team. */
export async function findSession(
  database: Read,
  token: string | undefined,
  now: Temporal.Instant,
) {
  if (!isToken(token)) return undefined;
  return sessionByHash(database, { hash: hashToken(token), ...endsOf(now) });
}

const sessionByHash = reading(
  (tables, { hash, opened, seen }: { hash: string } & Ends) =>
    tables
      .selectFrom("operator_sessions")
      .innerJoin("operators", "operators.id", "operator_sessions.operator_id")
      .selectAll("operator_sessions")
      .select(["name", "role", "more_mails"])
      .where("hash", "=", hash)
      .where("opened_at", ">", opened)
      .where("seen_at", ">", seen)
      .where("left_at", "is", null),
  ([row]) => {
    if (!row) return undefined;
    const { operatorId, name, role, moreMails, ...session } = row;
    return { operator: { id: operatorId, name, role: role as Role, moreMails }, session };
  },
);

/** Who holds the session of a cookie, which is noted now and then to be alive. */
export async function seeSession(
  database: Database,
  token: string | undefined,
  now: Temporal.Instant,
): Promise<SignedIn | undefined> {
  const found = await findSession(database.read, token, now);
  if (found && now.since(found.session.seenAt).total("minutes") >= seenEveryMinutes) {
    const seen = { id: found.session.id, seenAt: now };
    await database.write((transaction) => enterSeen(transaction, seen));
  }
  return found;
}

const enterSeen = updating("operator_sessions", ["seenAt"]);

/** How many living sessions somebody has beside the one that is named. */
export const countSessions = reading(
  (tables, values: { operatorId: number; but: number } & Ends) =>
    tables
      .selectFrom("operator_sessions")
      .select(tables.fn.countAll<number>().as("count"))
      .where("operator_id", "=", values.operatorId)
      .where("id", "<>", values.but)
      .where("opened_at", ">", values.opened)
      .where("seen_at", ">", values.seen),
  ([row]) => Number(row?.count),
);

export const endSession = deleting("operator_sessions", { id: "=" });

/** Ends all of somebody's sessions but the one with this id; 0 is none's. */
export const endSessions = deleting("operator_sessions", { operatorId: "=", id: "<>" });

/** Whether the passkey was touched a short while ago. */
export function isFresh({ session }: SignedIn, now: Temporal.Instant): boolean {
  return now.since(session.openedAt).total("minutes") < freshMinutes;
}
