import { isUtf8 } from "node:buffer";
import type { ConnectedAccountSystem } from "../../config.ts";
import { claimMessages, dropMessage, leaseMs } from "../../delivery/outbox.ts";
import type { Secret } from "../../platform/crypto/keys.ts";
import { isSame } from "../../platform/crypto/same-secret.ts";
import { isStorageProblem } from "../../platform/database/database.ts";
import type { Body } from "../../platform/http/body.ts";
import { parseAnswer } from "../contract/answers.ts";
import {
  type ContractProblem,
  isProblem,
  problems,
  retryAfter,
  toProblem,
} from "../contract/problems.ts";
import { isSigned, isSignedByLetters, readSignature } from "../contract/signature.ts";
import { accountChannel, writeEvent } from "../outbound/events.ts";
import { type AnswerServices, takeAnswer } from "./take-answer.ts";

/**
 * Webhook for the account system. The account system POSTs signed answers and, if it can't receive
 * calls, GETs its events. A refused call gets problem details and changes no request, but unknown
 * jobs and deletions despite a hold are recorded.
 */

type HookCall = {
  method: string;
  headers: Headers;
  query: URLSearchParams;
  /** Reads the body, up to `maxBytes`. */
  readBody(): Promise<Body>;
};

const decodeFirst =
  "The secret was used as text. Decode what comes after whsec_ from base64, and sign with those bytes.";

export type Hook = ReturnType<typeof createHook>;

/** Maximum size of a call in bytes, enough for an answer with two hundred lines. */
const maxBytes = 64 * 1024;

/**
 * How long fetched events are leased, in milliseconds. Afterwards, an event that wasn't
 * acknowledged can be fetched again.
 */
const fetchedMs = 5 * leaseMs;
const fetchedAtOnce = 20;

type HookServices = AnswerServices & {
  log: { warn(facts: Record<string, unknown>, text: string): void };
  /** Called for each call that fails authentication. */
  onRefusedSignature?: (() => void) | undefined;
  /** Absolute URL of the webhook. */
  place: string;
};

export function createHook(services: HookServices, config: ConnectedAccountSystem) {
  return {
    maxBytes,
    /** Describes a refusal that happened before the request reached the webhook. */
    explainRefusal: (code: string) =>
      isProblem(code) && { type: `${services.place}#${code}`, title: problems[code].title },
    async answer(call: HookCall): Promise<Response> {
      try {
        const answered = await handlePost(services, config, call);
        return answered instanceof Response ? answered : refuse(services, answered);
      } catch (error) {
        if (!isStorageProblem(error)) throw error;
        return refuse(services, { code: "not-stored", more: retryAfter(60) });
      }
    },
  };
}

async function handlePost(
  services: HookServices,
  config: ConnectedAccountSystem,
  call: HookCall,
): Promise<Response | ContractProblem> {
  if (call.method === "POST") return handleAnswer(services, config.inboundSecrets, call);
  if (call.method !== "GET") {
    return { code: "wrong-method", more: { headers: { Allow: "GET, POST" } } };
  }
  return config.pollToken ? giveEvents(services, config.pollToken, call) : { code: "not-fetched" };
}

function refuse(services: HookServices, { code, more, facts }: ContractProblem): Response {
  const problem = toProblem(services.place, code, more);
  // The caller failed authentication, so it may not be the account system.
  if (problem.status === 401) services.onRefusedSignature?.();
  const event = { event: "security", problem: code, ...facts };
  services.log.warn(event, "account system's call refused");
  return problem;
}

async function handleAnswer(
  services: HookServices,
  secrets: readonly Secret[],
  call: HookCall,
): Promise<Response | ContractProblem> {
  const now = services.clock();
  const read = readSignature(call.headers, now);
  if (read.kind === "unsigned") return { code: read.kind, more: { detail: read.detail } };
  if (read.kind === "stale") {
    return { code: read.kind, more: { serverTime: now.toString({ smallestUnit: "second" }) } };
  }
  const { signed } = read;
  const type = call.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return { code: "not-json" };
  const sent = await call.readBody();
  if (sent.kind !== "bytes") {
    // The client has hung up, so no one reads this response.
    if (sent.kind === "gone") return new Response(null, { status: 400 });
    return { code: sent.kind, ...(sent.kind === "too-large" && { more: { limit: maxBytes } }) };
  }
  if (!isUtf8(sent.bytes)) return { code: "malformed" };
  const text = Buffer.from(sent.bytes).toString();
  if (!isSigned(secrets, signed, text)) {
    const isByLetters = isSignedByLetters(secrets, signed, text);
    return { code: "badly-signed", ...(isByLetters && { more: { detail: decodeFirst } }) };
  }
  const body: unknown = await Promise.try(JSON.parse, text).catch(() => undefined);
  if (body === undefined) return { code: "malformed" };
  const parsed = parseAnswer(body);
  if (!parsed.ok) return parsed.problem;
  const { answer } = parsed;
  const result = await takeAnswer(services, signed.id, answer);
  if (result.ok) return Response.json(result.accepted);
  return { ...result.problem, facts: { type: answer.type, ...result.problem.facts } };
}

async function giveEvents(
  services: HookServices,
  token: Secret,
  call: HookCall,
): Promise<Response | ContractProblem> {
  const { database, keys, clock } = services;
  const given = /^Bearer (\S+)$/i.exec(call.headers.get("authorization") ?? "")?.[1] ?? "";
  if (!isSame(given, token.reveal())) return { code: "wrong-token" };
  const requested = Number(call.query.get("limit") ?? 10);
  const limit = Number.isInteger(requested) ? Math.min(Math.max(requested, 0), fetchedAtOnce) : 10;
  const now = clock();
  // A request with a limit of 0 only checks the token.
  const items =
    limit === 0
      ? []
      : await claimMessages(database, keys, {
          at: now,
          recipient: accountChannel,
          limit,
          leasedMs: fetchedMs,
        });
  const events = [];
  for (const item of items) {
    const event = await writeEvent(services, item);
    if (event) events.push({ id: item.messageKey, event });
    // Drops the message, because its event is obsolete.
    else await database.write((transaction) => dropMessage(transaction, { id: item.id }));
  }
  const leasedUntil = now.add({ milliseconds: fetchedMs }).toString({ smallestUnit: "second" });
  return Response.json({ items: events, leasedUntil });
}
