import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Admission, RequestFacts } from "./admission.ts";
import { bodyLimits, readBody } from "./body.ts";
import type { PageCache, ReadyAnswer } from "./page-cache.ts";
import { isForMonitors } from "./paths.ts";
import { isReadableForm } from "./posted-form.ts";
import type { RefusalKind, Refusals } from "./refusals.ts";
import { type RequestIds, requestIdHeader } from "./request-ids.ts";
import { stopParsing } from "./stop-parsing.ts";

type HttpConnection = {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  admission?: Admission | undefined;
  requestId?: string | undefined;
};

export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Maximum number of pipelined requests per connection. Browsers and proxies wait for each response
 * before they send the next request.
 */
const maxUnanswered = 5;

export type LoggedRequest = {
  id: string;
  method: string;
  /** Path, possibly with a query string. */
  path: string;
  /** Time at which work on the request started, by `performance.now()`. */
  started: number;
};

type SiteHandler = {
  fetch: (request: Request, connection: HttpConnection) => Promise<Response>;
  /** Charges a request to the client's budget before the server handles it. */
  admit: (facts: RequestFacts) => Admission;
  refusals: Pick<Refusals, "send" | "toResponse">;
  findReady: PageCache["find"];
  /**
   * Returns a URL's cache key and whether its page is free of charge, or `undefined` if the page
   * isn't cacheable.
   */
  findKept: (url: string) => { address: string; isFree: boolean } | undefined;
  idOf: RequestIds["idOf"];
  log: (request: LoggedRequest, status: number) => void;
  /** Logs a GET request that was answered from the cache under its own URL. */
  logReady: (request: LoggedRequest, answer: ReadyAnswer) => void;
};

/**
 * Creates the request listener. It sends a cached page before the framework creates any object. It
 * charges all other requests to the client's budget and disconnects a client without budget after a
 * constant response. It reads bodies as they arrive.
 */
export function createListener(site: SiteHandler): Listener {
  const admitted = new WeakMap<IncomingMessage, { admission: Admission; requestId: string }>();
  const ordinary = getRequestListener(
    (request, connection) => {
      const { incoming, outgoing } = connection as HttpConnection;
      return site.fetch(request, { incoming, outgoing, ...admitted.get(incoming) });
    },
    {
      overrideGlobalObjects: false,
      // An unread body ends with its connection, so nothing has to drain it.
      autoCleanupIncoming: false,
      // Default for requests without a Host header, such as health checks over HTTP/1.0.
      hostname: "localhost",
      // Answers requests that can't become a Request object, for example because of an invalid Host
      // header.
      errorHandler: () => site.refusals.toResponse("malformed", new Request("http://localhost/")),
    },
  );
  const isFlood = createFloodCheck();

  return (incoming, outgoing) => {
    if (isFlood(incoming, outgoing)) return;
    const { method = "GET", url = "" } = incoming;
    const started = performance.now();
    const read = readHeaders(incoming.rawHeaders);
    const id = site.idOf(incoming.socket.remoteAddress ?? "", read.requestId);
    const logged: LoggedRequest = { id, method, path: url, started };
    const refuse = (kind: RefusalKind, ...headers: string[]) => {
      // Discards data that has already been read from the connection.
      if (read.hasBody) stopParsing(incoming.socket);
      const named = [...headers, requestIdHeader, id];
      site.log(logged, site.refusals.send(kind, incoming, outgoing, named));
    };
    // The Request constructor throws for these methods.
    if (method === "TRACE" || method === "TRACK" || method === "CONNECT") {
      return refuse("wrongMethod", "Allow", "GET, HEAD");
    }
    const exchange = { incoming, outgoing, method, url, logged, read };
    const kept = mayBeKept(exchange) ? answerKept(site, exchange) : undefined;
    if (kept === "answered") return;
    const admission = kept ?? site.admit(factsOf(incoming));
    if (!admission.spent.ok) {
      return refuse("tooMany", ...retryAfter(admission.spent.retryAfterMs));
    }
    admitted.set(incoming, { admission, requestId: id });
    const refusal = takeBody(exchange, admission);
    if (refusal) return refuse(refusal);
    ordinary(incoming, outgoing);
  };
}

/** A request with its response, its log entry and the headers that are needed here. */
type Exchange = {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  method: string;
  url: string;
  logged: LoggedRequest;
  read: ReturnType<typeof readHeaders>;
};

const isReading = (method: string) => method === "GET" || method === "HEAD";

/**
 * Checks whether the cache may answer. Returns false for a GET with a body, because we close that
 * connection rather than wait for the body.
 */
function mayBeKept({ method, read }: Exchange): boolean {
  return isReading(method) && read.hosts === 1 && !read.hasBody;
}

/**
 * Answers with a cached page if there is one and the client's budget allows it. Otherwise, returns
 * the admission if the client has already been charged.
 */
function answerKept(
  site: SiteHandler,
  { incoming, outgoing, method, url, logged, read }: Exchange,
): "answered" | Admission | undefined {
  const ready = site.findReady(url, read);
  const kept = ready ? undefined : site.findKept(url);
  const admission = kept && !kept.isFree ? site.admit(factsOf(incoming)) : undefined;
  if (admission?.spent.ok === false) return admission;
  const answer = ready ?? (kept && site.findReady(kept.address, read));
  if (!answer) return admission;
  outgoing.writeHead(answer.status, [...answer.headers, requestIdHeader, logged.id]);
  outgoing.end(method === "HEAD" ? null : answer.body);
  if (ready && method === "GET") site.logReady(logged, answer);
  else site.log(logged, answer.status);
  return "answered";
}

/** Starts reading the body, or returns a refusal if the path accepts no such body. */
function takeBody(
  { incoming, outgoing, method, read }: Exchange,
  admission: Admission,
): RefusalKind | undefined {
  const { takes } = admission;
  if (read.hasBody) {
    if (!takes && read.isInPieces) return isReading(method) ? "malformed" : "wrongMethod";
    if (takes?.isForm && !isReadableForm(headersOf(incoming))) return "wrongType";
    if (takes) startReading(incoming, admission, takes.most);
  }
  // Answers `Expect: 100-continue` if the declared length is within the limit.
  const expectsContinue = incoming.headers.expect !== undefined && takes !== undefined;
  if (expectsContinue && statedLength(incoming) <= takes.most) outgoing.writeContinue();
  return undefined;
}

export function retryAfter(ms: number): string[] {
  return ["Retry-After", String(Math.max(1, Math.ceil(ms / 1_000)))];
}

function factsOf({ method = "GET", url = "", headers, socket }: IncomingMessage): RequestFacts {
  return {
    method,
    url,
    header: (name) => headers[name]?.toString(),
    remoteAddress: socket.remoteAddress ?? "",
  };
}

const headersOf = ({ headers }: IncomingMessage) => ({
  get: (name: string) => headers[name]?.toString() ?? null,
});

const statedLength = ({ headers }: IncomingMessage) => Number(headers["content-length"] ?? 0);

function startReading(incoming: IncomingMessage, admission: Admission, most: number): void {
  // A client that waits for 100 Continue hasn't sent a body yet, so there is nothing to drain.
  const isSilent = incoming.headers.expect !== undefined && statedLength(incoming) > most;
  admission.body = readBody(incoming, {
    most,
    limits: isSilent ? { ...bodyLimits, lingerMs: 0 } : bodyLimits,
    takeSlowPlace: admission.takeSlowPlace,
    onEnd: (received, kind) => {
      admission.payFor(received);
      if (kind === "too-many-pieces") stopParsing(incoming.socket);
    },
  });
}

/** Checks for exactly one Host header. A health check over HTTP/1.0 may have none. */
export function isAddressed(
  hosts: number,
  { httpVersion, url = "" }: { httpVersion?: string | undefined; url?: string | undefined },
): boolean {
  return (
    hosts === 1 ||
    (hosts === 0 && httpVersion === "1.0" && isForMonitors(url.split("?", 1)[0] ?? ""))
  );
}

/** Creates a check that disconnects clients with too many pipelined requests. */
function createFloodCheck() {
  const unanswered = new WeakMap<Socket, number>();
  return ({ socket }: IncomingMessage, outgoing: ServerResponse): boolean => {
    // A pipelined response has no socket until the responses before it have been sent.
    if (outgoing.socket) return false;
    const waiting = (unanswered.get(socket) ?? 0) + 1;
    if (waiting > maxUnanswered) {
      if (!socket.destroyed) {
        stopParsing(socket);
        socket.destroy();
      }
      return true;
    }
    unanswered.set(socket, waiting);
    outgoing.once("close", () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    return false;
  };
}

/**
 * Reads the headers needed for every request in one pass, without building an object of all
 * headers.
 */
function readHeaders(raw: readonly string[]) {
  let hosts = 0;
  let hasBody = false;
  let isInPieces = false;
  let acceptEncoding: string | undefined;
  let ifNoneMatch: string | undefined;
  let ifModifiedSince: string | undefined;
  let requestId: string | undefined;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
    else if (name.length === 15 && name.toLowerCase() === "accept-encoding") {
      acceptEncoding = raw[at + 1];
    } else if (name.length === 13 && name.toLowerCase() === "if-none-match") {
      ifNoneMatch = raw[at + 1];
    } else if (name.length === 17 && name.toLowerCase() === "if-modified-since") {
      ifModifiedSince = raw[at + 1];
    } else if (name.length === 12 && name.toLowerCase() === "x-request-id") {
      requestId = raw[at + 1];
    } else if (name.length === 14 && name.toLowerCase() === "content-length") {
      hasBody ||= raw[at + 1] !== "0";
    } else if (name.length === 17 && name.toLowerCase() === "transfer-encoding") {
      hasBody = true;
      isInPieces = true;
    }
  }
  return { hosts, hasBody, isInPieces, acceptEncoding, ifNoneMatch, ifModifiedSince, requestId };
}
