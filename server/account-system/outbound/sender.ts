import type { DeliveryProblem, StoredProblem } from "../../delivery/delivery-problem.ts";
import type { Channel } from "../../delivery/worker.ts";
import type { Secret } from "../../platform/crypto/keys.ts";
import type { Database } from "../../platform/database/database.ts";
import { sign } from "../contract/signature.ts";
import { findStanding, recordStop } from "../deletion-jobs.ts";
import { writeEvent } from "./events.ts";

/**
 * Sends signed POST requests to the account system. A 2xx response means only that the event
 * arrived. Doesn't follow redirects, because each event is signed for one URL.
 */

/**
 * How long the account system may take to accept an event, in milliseconds. Standard Webhooks
 * suggests 15 to 30 seconds.
 */
export const patienceMs = 15_000;
/** Maximum Retry-After that we respect, in milliseconds. */
const longestRestMs = 24 * 60 * 60_000;

export type SentEvent = {
  /** HTTP status. `undefined` if there was no response. */
  status?: number;
  /** Description for operators. `undefined` if the event was accepted. */
  problem: StoredProblem | undefined;
  /** Earliest time for a retry, from the receiver's Retry-After header. */
  notBefore?: Temporal.Instant | undefined;
  receiverTime?: Temporal.Instant | undefined;
};

/** Status with which a receiver requests no more events. */
const goneStatus = 410;

/** Problem recorded for every event after a 410 response. */
const stopped: StoredProblem = "stopped: the account system said that it is gone (410)";

export function createAccountChannel(
  services: Parameters<typeof writeEvent>[0] & { database: Database },
  to: Receiver,
): Channel {
  const { database, clock } = services;
  return {
    async deliver(item) {
      if ((await findStanding(database.read)).stoppedAt) {
        return { kind: "failed", problem: stopped, permanent: true };
      }
      if (!item.message) return { kind: "failed", problem: "key is missing", permanent: true };
      const event = await writeEvent(services, item);
      if (event === undefined) return { kind: "no-recipient" };
      const written = { id: item.messageKey, body: JSON.stringify(event) };
      const { status, problem, notBefore } = await send(to, written, clock());
      if (problem === undefined) return { kind: "delivered" };
      const permanent = status === goneStatus;
      if (permanent)
        await database.write((transaction) => recordStop(transaction, { stoppedAt: clock() }));
      return { kind: "failed", problem, permanent, notBefore };
    },
  };
}

type Receiver = { url: string; secrets: readonly Secret[] };

export async function send(
  to: Receiver,
  { id, body }: { id: string; body: string },
  now: Temporal.Instant,
  patience = patienceMs,
): Promise<SentEvent> {
  try {
    const response = await fetch(to.url, {
      method: "POST",
      body,
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "account-deletion-requests",
        ...sign(to.secrets, id, now, body),
      },
      redirect: "manual",
      signal: AbortSignal.timeout(patience),
    });
    // Discards the body unread, because it may be long.
    await response.body?.cancel().catch(() => {});
    const { status } = response;
    return {
      status,
      problem: response.ok ? undefined : nameStatus(status),
      notBefore: readRetryAfter(response.headers.get("retry-after"), now),
      receiverTime: readDate(response.headers.get("date")),
    };
  } catch (error) {
    return { problem: nameFailure(error) };
  }
}

function nameStatus(status: number): StoredProblem {
  if (status === goneStatus) return "says that it is gone (410)";
  if (status >= 300 && status < 400) return `redirects, which is not followed (${status})`;
  if (status === 401 || status === 403) return `did not believe the signature (${status})`;
  return `answered with an error (${status})`;
}

const failures: Record<string, DeliveryProblem> = {
  ECONNREFUSED: "nobody listens at ACCOUNT_SYSTEM_URL",
  ECONNRESET: "closed the connection",
  UND_ERR_SOCKET: "closed the connection",
  ENOTFOUND: "the name in ACCOUNT_SYSTEM_URL is not found",
  EAI_AGAIN: "the name in ACCOUNT_SYSTEM_URL cannot be looked up now",
  UND_ERR_CONNECT_TIMEOUT: "does not answer",
  ETIMEDOUT: "does not answer",
  EHOSTUNREACH: "cannot be reached",
  ENETUNREACH: "cannot be reached",
  CERT_HAS_EXPIRED: "certificate has ended",
  DEPTH_ZERO_SELF_SIGNED_CERT: "certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "certificate is vouched for by somebody unknown here",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate came without those between it and its authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate is for another name",
};

/**
 * Classifies an error. Leaves out the error's message, which may contain an IP address or a URL.
 */
export function nameFailure(error: unknown): StoredProblem {
  if (!(error instanceof Error)) return "could not be reached";
  if (error.name === "TimeoutError") return "too slow";
  const { code = "", name } = (error.cause ?? error) as NodeJS.ErrnoException;
  if (name === "HTTPParserError") return "answers no HTTP";
  if (failures[code]) return failures[code];
  if (/CERT|SELF_SIGNED|ISSUER|SIGNATURE/.test(code)) return `certificate not trusted (${code})`;
  if (/^ERR_SSL|^EPROTO/.test(code)) return `TLS refused (${code})`;
  return code ? `could not be reached (${code})` : "could not be reached";
}

/**
 * Parses a Retry-After header, which is a number of seconds or a date (RFC 9110, section 10.2.3).
 */
function readRetryAfter(value: string | null, now: Temporal.Instant): Temporal.Instant | undefined {
  if (value === null) return undefined;
  const ms = /^\d{1,9}$/.test(value)
    ? Number(value) * 1000
    : Date.parse(value) - now.epochMilliseconds;
  if (!Number.isFinite(ms) || ms <= 0) return undefined;
  return now.add({ milliseconds: Math.min(Math.round(ms), longestRestMs) });
}

function readDate(value: string | null): Temporal.Instant | undefined {
  const ms = value === null ? Number.NaN : Date.parse(value);
  return Number.isFinite(ms) ? Temporal.Instant.fromEpochMilliseconds(ms) : undefined;
}
