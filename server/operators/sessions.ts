import { parse } from "hono/utils/cookie";
import { type Database, isStorageProblem } from "../database/database.ts";
import type { NewRow } from "../database/rows.ts";
import {
  deleting,
  finding,
  inserting,
  listing,
  type Read,
  updating,
  type Write,
} from "../database/statement.ts";
import { createToken, hashToken, isToken } from "../keys/keys.ts";
import { session as lasts } from "../terms.ts";
import { listOperators } from "./operators.ts";

/** Who is signed in where. A browser holds a random token, the store its hash. */

/**
 * The one cookie of the site. The prefix has browsers refuse it from any other host, without TLS (but on this very
 * machine) and for a part of the site only. Not `Strict`: a link in a mail has to find its operator signed in.
 */
export const sessionCookieName = "__Host-operator";
const attributes = "Path=/; Secure; HttpOnly; SameSite=Lax";

/** Has a browser forget it. */
export const noSessionCookie = `${sessionCookieName}=; Max-Age=0; ${attributes}`;

/** A session's last request is entered so coarsely, so that reading pages does not write. */
const seenEveryMinutes = 5;

/** Who asks, and by which session. */
export type SignedIn = NonNullable<Awaited<ReturnType<typeof findSession>>>;

/**
 * @returns the cookie for the browser, whose token is nowhere else. Until when it is kept is left to the server, which ends
 *   sessions by its own clock.
 */
export async function openSession(
  transaction: Write,
  session: Pick<NewRow<"operator_sessions">, "operatorId" | "device" | "passkeyId">,
  at: Temporal.Instant,
): Promise<string> {
  const token = createToken();
  const seen = { hash: hashToken(token), openedAt: at, seenAt: at };
  await insertSession(transaction, { ...session, ...seen });
  return `${sessionCookieName}=${token}; ${attributes}`;
}

const insertSession = inserting("operator_sessions");

/** What a session must have been opened and seen after to be alive. */
export function endsOf(now: Temporal.Instant) {
  return { openedAt: now.subtract(lasts.longest), seenAt: now.subtract(lasts.idle) };
}

/** The living session of the cookies that a browser sent, of somebody who is still with the team. */
export async function findSession(
  database: Read,
  cookies: string | null | undefined,
  now: Temporal.Instant,
) {
  const token = parse(cookies ?? "", sessionCookieName)[sessionCookieName];
  if (!isToken(token)) return undefined;
  const session = await sessionByHash(database, { hash: hashToken(token), ...endsOf(now) });
  if (!session) return undefined;
  const team = await listOperators(database);
  const operator = team.find(({ id, leftAt }) => id === session.operatorId && !leftAt);
  return operator && { operator, session };
}

const sessionByHash = finding("operator_sessions", { hash: "=", openedAt: ">", seenAt: ">" });

/** Who holds the session of these cookies, which is noted now and then to be alive. */
export async function seeSession(
  database: Database,
  cookies: string | null | undefined,
  now: Temporal.Instant,
): Promise<SignedIn | undefined> {
  const found = await findSession(database.read, cookies, now);
  if (found && now.since(found.session.seenAt).total("minutes") >= seenEveryMinutes) {
    const seen = { id: found.session.id, seenAt: now };
    await database
      .write((transaction) => enterSeen(transaction, seen))
      .catch((error: unknown) => {
        // Whoever looks what is wrong with a full disk is let in all the same.
        if (!isStorageProblem(error)) throw error;
      });
  }
  return found;
}

const enterSeen = updating("operator_sessions", ["seenAt"]);

/** Somebody's living sessions beside the one with this id. */
export const listOtherSessions = listing(
  "operator_sessions",
  { operatorId: "=", id: "<>", openedAt: ">", seenAt: ">" },
  ["id"],
);

export const endSession = deleting("operator_sessions", { id: "=" });

/** Ends all of somebody's sessions but the one with this id; 0 is none's. */
export const endSessions = deleting("operator_sessions", { operatorId: "=", id: "<>" });

/** A copy brings back who was let in when it was made: nobody's session, link or code opens anything any more. */
export async function closeWaysIn(transaction: Write): Promise<void> {
  await dropSessions(transaction);
  await dropInvitations(transaction);
}

const dropSessions = deleting("operator_sessions", {});
const dropInvitations = deleting("operator_invitations", {});

/** Ends what a passkey opened, but the session with this id; 0 is none's. */
export const endSessionsBy = deleting("operator_sessions", { passkeyId: "=", id: "<>" });
