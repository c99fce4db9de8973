import { randomBytes } from "node:crypto";
import { parse } from "hono/utils/cookie";
import { type Database, isStorageProblem } from "../database/database.ts";
import type { NewRow } from "../database/rows.ts";
import {
  deleting,
  finding,
  inserting,
  listing,
  updating,
  type Write,
} from "../database/statement.ts";
import { hashToken, type Keys } from "../keys/keys.ts";
import { isSame } from "../keys/same-secret.ts";
import { session as lasts } from "../terms.ts";
import { listOperators, type Operator } from "./operators.ts";

/**
 * Who is signed in where. A browser holds a random token, the store its hash. The token ends in a checksum under the server's
 * own keys, so that a made-up one is known without asking the store.
 */

/** 192 random bits, as base64url. */
const randomBytesOfToken = 24;
const randomLength = 32;
/** 66 bits of an HMAC: guessing one costs more requests than a network has in years. */
const checksumLength = 11;

type SessionKeys = Pick<Keys, "hashWith" | "versions">;

function checksumOf(keys: SessionKeys, random: string, version: number): string {
  return keys.hashWith("session", random, version)?.hash.slice(0, checksumLength) ?? "";
}

function createSessionToken(keys: SessionKeys): string {
  const random = randomBytes(randomBytesOfToken).toString("base64url");
  return random + checksumOf(keys, random, keys.versions[0] ?? 0);
}

/** The token that a browser sent, if one of our servers made it. */
function readToken(keys: SessionKeys, cookies: string | undefined): string | undefined {
  if (!cookies?.includes(sessionCookieName)) return undefined;
  const token = parse(cookies, sessionCookieName)[sessionCookieName] ?? "";
  if (!/^[\w-]{43}$/.test(token)) return undefined;
  const isOurs = keys.versions.some((version) =>
    isSame(token.slice(randomLength), checksumOf(keys, token.slice(0, randomLength), version)),
  );
  return isOurs ? token : undefined;
}

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

/** How long a touch of the passkey speaks for what follows. */
const freshMinutes = 5;

/** Who asks, and by which session. */
export type SignedIn = {
  operator: Operator;
  session: NonNullable<Awaited<ReturnType<typeof sessionByHash>>>;
  /** Their passkey was touched a short while ago. */
  isFresh: boolean;
};

/**
 * @returns the cookie for the browser, whose token is nowhere else. Until when it is kept is left to the server, which ends
 *   sessions by its own clock.
 */
export async function openSession(
  transaction: Write,
  keys: SessionKeys,
  session: Pick<NewRow<"operator_sessions">, "operatorId" | "device" | "passkeyId">,
  at: Temporal.Instant,
): Promise<string> {
  const token = createSessionToken(keys);
  const seen = { hash: hashToken(token), openedAt: at, seenAt: at };
  await insertSession(transaction, { ...session, ...seen });
  return `${sessionCookieName}=${token}; ${attributes}`;
}

const insertSession = inserting("operator_sessions");

/** What a session must have been opened and seen after to be alive. */
export function endsOf(now: Temporal.Instant) {
  return { openedAt: now.subtract(lasts.longest), seenAt: now.subtract(lasts.idle) };
}

/** Who is let in by a session that was opened before. */
export function createSessions(services: {
  database: Database;
  clock: () => Temporal.Instant;
  keys: SessionKeys;
}) {
  const { database, clock, keys } = services;
  return {
    /** Whose budget pays for what these cookies ask for; undefined where no session of ours is among them. */
    findSpender(cookies: string | undefined): string | undefined {
      const token = readToken(keys, cookies);
      return token && `session ${hashToken(token).slice(0, 16)}`;
    },

    /** Whether there are pages of operators at all. */
    isThere: async () =>
      (await listOperators(database.read)).some(({ leftAt, invitedAt }) => !leftAt && invitedAt),

    /**
     * The living session of the cookies that a browser sent, of somebody who is still with the team. It is noted now and then
     * to be alive.
     */
    async findSession(cookies: string | undefined): Promise<SignedIn | undefined> {
      const token = readToken(keys, cookies);
      if (!token) return undefined;
      const now = clock();
      const alive = { hash: hashToken(token), ...endsOf(now) };
      const session = await sessionByHash(database.read, alive);
      if (!session) return undefined;
      const team = await listOperators(database.read);
      const operator = team.find(({ id, leftAt }) => id === session.operatorId && !leftAt);
      if (!operator) return undefined;
      if (now.since(session.seenAt).total("minutes") >= seenEveryMinutes) {
        await database
          .write((transaction) => enterSeen(transaction, { id: session.id, seenAt: now }))
          .catch((error: unknown) => {
            // Whoever looks what is wrong with a full disk is let in all the same.
            if (!isStorageProblem(error)) throw error;
          });
      }
      const isFresh = now.since(session.openedAt).total("minutes") < freshMinutes;
      return { operator, session, isFresh };
    },
  };
}

const sessionByHash = finding("operator_sessions", { hash: "=", openedAt: ">", seenAt: ">" });

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
