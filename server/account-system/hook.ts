import { createHash, timingSafeEqual } from "node:crypto";
import type { ConnectedAccountSystem } from "../config.ts";
import type { Database } from "../database/database.ts";
import { isStorageProblem } from "../database/database.ts";
import type { Keys } from "../keys/keys.ts";
import type { Secret } from "../keys/secret.ts";
import { claimMessages, leaseMs, settleAnswered } from "../outbox/outbox.ts";
import type { Answering, AnswerResult } from "./answering.ts";
import { type Answer, accountChannel, answerSchema, answerTypes } from "./events.ts";
import { type ProblemCode, toProblem } from "./problems.ts";
import { isSigned, readSignature } from "./signature.ts";
import type { EventWriter } from "./writing.ts";

/**
 * Where the account system calls: signed answers by POST and, where it cannot be called itself, its events by GET. What
 * is wrong with a call is told as problem details, counted, and changes nothing.
 */

/** One call, its body not yet read. */
export type HookCall = {
  method: string;
  headers: Headers;
  query: URLSearchParams;
  /** Whether whoever calls may cost anything now. */
  spent: { ok: true } | { ok: false; retryAfterMs: number };
  /** At most the hook's `maxBytes`. */
  readBody(): Promise<{ kind: "bytes"; bytes: Uint8Array } | { kind: "too-large" | "gone" }>;
};

export type Hook = {
  maxBytes: number;
  answer(call: HookCall): Promise<Response>;
};

/** Room for two hundred lines of what was deleted. */
const maxBytes = 64 * 1024;

/** Whoever fetches has a few minutes for what it was given; after that it is given out again. */
const fetchedMs = 5 * leaseMs;
const fetchedAtOnce = 20;
/** Nothing shows that it is the account system who calls. */
const disbelieved: readonly ProblemCode[] = ["unsigned", "badly-signed", "stale", "wrong-token"];
/** A person looks at what was put back: that takes minutes at least. */
const heldSeconds = 600;

type Services = {
  database: Database;
  keys: Keys;
  clock: () => Temporal.Instant;
  answering: Answering;
  writeEvent: EventWriter;
  log: { warn(facts: Record<string, unknown>, text: string): void };
  count: (what: string) => void;
  /** Told of each call that was not believed. */
  onDisbelieved?: (() => void) | undefined;
  /** Absolute address of the hook. */
  place: string;
};

/** What is wrong with a call: its code, and what the problem and the log say beside it. */
type Wrong = {
  code: ProblemCode;
  more?: Parameters<typeof toProblem>[2];
  facts?: Record<string, unknown>;
};

export function createHook(services: Services, config: ConnectedAccountSystem): Hook {
  return {
    maxBytes,
    async answer(call) {
      try {
        const answered = await hear(services, config, call);
        return answered instanceof Response ? answered : refuse(services, answered);
      } catch (error) {
        if (!isStorageProblem(error)) throw error;
        return refuse(services, { code: "not-stored", more: { headers: { "Retry-After": "60" } } });
      }
    },
  };
}

async function hear(
  services: Services,
  config: ConnectedAccountSystem,
  call: HookCall,
): Promise<Response | Wrong> {
  if (!call.spent.ok) {
    const seconds = Math.max(1, Math.ceil(call.spent.retryAfterMs / 1000));
    return { code: "too-many", more: { headers: { "Retry-After": String(seconds) } } };
  }
  if (call.method === "POST") return takeAnswer(services, config.inboundSecrets, call);
  if (call.method !== "GET") {
    return { code: "wrong-method", more: { headers: { Allow: "GET, POST" } } };
  }
  return config.pollToken ? giveEvents(services, config.pollToken, call) : { code: "not-fetched" };
}

function refuse(services: Services, { code, more, facts }: Wrong): Response {
  services.count(`refused:${code}`);
  if (disbelieved.includes(code)) services.onDisbelieved?.();
  // A flood has its line in the log of requests already.
  if (code !== "too-many") {
    const event = { event: "security", problem: code, ...facts };
    services.log.warn(event, "account system's call refused");
  }
  return toProblem(services.place, code, more);
}

async function takeAnswer(
  services: Services,
  secrets: readonly Secret[],
  call: HookCall,
): Promise<Response | Wrong> {
  const now = services.clock();
  const read = readSignature(call.headers, now);
  if (!read.ok) {
    const serverTime = now.toString({ smallestUnit: "second" });
    return { code: read.problem, more: read.problem === "stale" ? { serverTime } : {} };
  }
  const type = call.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return { code: "not-json" };
  const sent = await call.readBody();
  if (sent.kind !== "bytes") {
    // Where whoever called has gone, nobody hears an answer.
    if (sent.kind === "gone") return new Response(null, { status: 400 });
    return { code: "too-large", more: { limit: maxBytes } };
  }
  const text = decode(sent.bytes);
  if (text === undefined) return { code: "malformed" };
  if (!isSigned(secrets, read.signed, text)) return { code: "badly-signed" };
  const parsed = parseAnswer(text);
  if ("code" in parsed) return parsed;
  const result = await services.answering.answer(read.signed.id, parsed);
  if (result.kind !== "accepted") {
    const { facts, ...wrong } = notAccepted(result);
    return { ...wrong, facts: { type: parsed.type, ...facts } };
  }
  services.count(`accepted:${parsed.type.split(".").at(-1)}`);
  return json({ state: result.state, test: result.test });
}

function parseAnswer(text: string): Answer | Wrong {
  const body = parseJson(text);
  if (body === undefined) return { code: "malformed" };
  if (typeof body !== "object" || body === null) {
    const errors = [{ pointer: "", detail: "This is no object." }];
    return { code: "incomplete", more: { errors } };
  }
  if (!("type" in body) || !answerTypes.includes(String(body.type))) {
    return { code: "unknown-type", more: { known: answerTypes } };
  }
  const parsed = answerSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.slice(0, 20).map((issue) => ({
    pointer: `/${issue.path.join("/")}`,
    detail: issue.message,
  }));
  return { code: "incomplete", more: { errors }, facts: { type: body.type } };
}

function notAccepted(result: Exclude<AnswerResult, { kind: "accepted" }>): Wrong {
  switch (result.kind) {
    case "held":
      return { code: "held", more: { headers: { "Retry-After": String(heldSeconds) } } };
    case "unknown":
      return { code: "unknown-request" };
    case "misfit":
      return { code: "incomplete", more: { errors: result.misfits } };
    case "repeated":
      return { code: "repeated" };
    case "refused": {
      const { state, because } = result;
      return { code: "not-now", more: { state, because }, facts: { state, because } };
    }
  }
}

async function giveEvents(
  { database, keys, clock, writeEvent, count }: Services,
  token: Secret,
  call: HookCall,
): Promise<Response | Wrong> {
  const given = /^Bearer (\S+)$/i.exec(call.headers.get("authorization") ?? "")?.[1] ?? "";
  if (!isEqual(given, token.reveal())) return { code: "wrong-token" };
  const asked = Number(call.query.get("limit") ?? 10);
  const limit = Number.isInteger(asked) ? Math.min(Math.max(asked, 0), fetchedAtOnce) : 10;
  const now = clock();
  // Nothing at all is asked for to see whether the token is right.
  const items =
    limit === 0 ? [] : await claimMessages(database, keys, now, accountChannel, limit, fetchedMs);
  const events = [];
  for (const item of items) {
    const event = await writeEvent(item);
    if (event !== undefined && event !== "key-missing") {
      events.push({ id: item.messageKey, event });
      continue;
    }
    // Whoever it was about is gone: nobody needs it again.
    const which = { messageKey: item.messageKey };
    await database.write((transaction) => settleAnswered(transaction, accountChannel, which, now));
  }
  count("fetched");
  const leasedUntil = now.add({ milliseconds: fetchedMs }).toString({ smallestUnit: "second" });
  return json({ items: events, leasedUntil });
}

function json(body: unknown): Response {
  return Response.json(body, { headers: { "Cache-Control": "no-store" } });
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Compares hashes, which are equally long and tell nothing by the time it takes. */
function isEqual(one: string, other: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
