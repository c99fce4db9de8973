import { randomBytes } from "node:crypto";
import { parse } from "hono/utils/cookie";
import { session as lasts } from "../../periods.ts";
import { hashToken, type Keys } from "../../platform/crypto/keys.ts";
import { isSame } from "../../platform/crypto/same-secret.ts";
import { type Database, isStorageProblem } from "../../platform/database/database.ts";
import type { NewRow } from "../../platform/database/rows.ts";
import {
  deleting,
  finding,
  inserting,
  listing,
  updating,
  type Write,
} from "../../platform/database/statement.ts";
import { listOperators, type Operator } from "./operators.ts";

/**
 * Sessions of operators. The browser stores a random token, and the database stores its hash. The
 * token ends with a keyed checksum, so a forged token is rejected without a database query.
 */

/** Length of the token's random part in bytes (192 bits). The token contains it as base64url. */
const randomBytesOfToken = 24;
const randomLength = 32;
/**
 * Length of the checksum in characters: 66 bits of an HMAC. Under the rate limits, guessing the
 * checksum would take a network years.
 */
const checksumLength = 11;

type SessionKeys = Pick<Keys, "hashWith" | "versions">;

function checksumOf(keys: SessionKeys, random: string, version: number): string {
  return keys.hashWith("session", random, version)?.hash.slice(0, checksumLength) ?? "";
}

function createSessionToken(keys: SessionKeys): string {
  const random = randomBytes(randomBytesOfToken).toString("base64url");
  return random + checksumOf(keys, random, keys.versions[0] ?? 0);
}

/** Returns the token from the Cookie header if the token's checksum is valid. */
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
 * The site's only cookie. The `__Host-` prefix makes browsers reject the cookie if it is set by
 * another host, for a subpath, or without TLS (except on localhost). `SameSite=Lax` keeps operators
 * signed in when they follow a link in an email.
 */
export const sessionCookieName = "__Host-operator";
const attributes = "Path=/; Secure; HttpOnly; SameSite=Lax";

/** Set-Cookie value that clears the cookie. */
export const noSessionCookie = `${sessionCookieName}=; Max-Age=0; ${attributes}`;

/** Minimum number of minutes between updates of `seenAt`, to limit database writes. */
const seenEveryMinutes = 5;

/** Number of minutes for which a passkey check counts as fresh. */
const freshMinutes = 5;

/** The signed-in operator and the session of an HTTP request. */
export type SignedIn = {
  operator: Operator;
  session: NonNullable<Awaited<ReturnType<typeof sessionByHash>>>;
  /** Whether the passkey was used within the last `freshMinutes`. */
  isFresh: boolean;
};

/**
 * Opens a session.
 * @returns the Set-Cookie value, which contains the only copy of the token. The cookie has no
 * Max-Age, because the server enforces the expiry
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

/** Returns the earliest `openedAt` and `seenAt` that a live session can have. */
export function endsOf(now: Temporal.Instant) {
  return { openedAt: now.subtract(lasts.longest), seenAt: now.subtract(lasts.idle) };
}

export function createSessions(services: {
  database: Database;
  clock: () => Temporal.Instant;
  keys: SessionKeys;
}) {
  const { database, clock, keys } = services;
  return {
    /**
     * Returns the rate limiter's key for a session cookie, or `undefined` if the cookies contain no
     * valid token.
     */
    findSpender(cookies: string | undefined): string | undefined {
      const token = readToken(keys, cookies);
      return token && `session ${hashToken(token).slice(0, 16)}`;
    },

    /**
     * Checks whether the operator pages are in use, that is, whether any current operator was
     * invited.
     */
    isThere: async () =>
      (await listOperators(database.read)).some(({ leftAt, invitedAt }) => !leftAt && invitedAt),

    /**
     * Finds a current operator's live session by the Cookie header. Updates `seenAt` if it is older
     * than `seenEveryMinutes`.
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
          .write((transaction) => recordSeen(transaction, { id: session.id, seenAt: now }))
          .catch((error: unknown) => {
            // Operators must be able to sign in to investigate a full disk, so ignore a failed
            // write.
            if (!isStorageProblem(error)) throw error;
          });
      }
      const isFresh = now.since(session.openedAt).total("minutes") < freshMinutes;
      return { operator, session, isFresh };
    },
  };
}

const sessionByHash = finding("operator_sessions", { hash: "=", openedAt: ">", seenAt: ">" });

const recordSeen = updating("operator_sessions", ["seenAt"]);

/** Lists an operator's live sessions, except the session with this id. */
export const listOtherSessions = listing(
  "operator_sessions",
  { operatorId: "=", id: "<>", openedAt: ">", seenAt: ">" },
  ["id"],
);

export const endSession = deleting("operator_sessions", { id: "=" });

/** Ends an operator's sessions except the session with the given id. Pass 0 to end all of them. */
export const endSessions = deleting("operator_sessions", { operatorId: "=", id: "<>" });

/**
 * Deletes all sessions, links and codes. Otherwise, a restored backup could bring back revoked
 * ones.
 */
export async function revokeAccess(transaction: Write): Promise<void> {
  await dropSessions(transaction);
  await dropInvitations(transaction);
}

const dropSessions = deleting("operator_sessions", {});
const dropInvitations = deleting("operator_invitations", {});

/**
 * Ends the sessions opened with a passkey, except the session with the given id. Pass 0 to end all
 * of them.
 */
export const endSessionsBy = deleting("operator_sessions", { passkeyId: "=", id: "<>" });
