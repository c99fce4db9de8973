import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Admission, Asked } from "./admission.ts";
import { bodyLimits, readBody } from "./body.ts";
import type { KeptPages, ReadyAnswer } from "./kept-pages.ts";
import { isReadableForm } from "./posted-form.ts";
import type { RefusalKind, Refusals } from "./refusals.ts";
import { stopParsing } from "./stop-parsing.ts";

/** A request as it came, where its answer goes, and who pays for it. */
export type HttpConnection = {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  admission?: Admission | undefined;
};

export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Where programs ask how the server is. */
export const healthPath = "/healthz";

/** Browsers and proxies wait for an answer before they ask again on the same connection. */
const maxUnanswered = 5;

type Site = {
  fetch: (request: Request, connection: HttpConnection) => Promise<Response>;
  /** Takes the price of a request, before anything is done for it. */
  admit: (asked: Asked) => Admission;
  refusals: Pick<Refusals, "send" | "toResponse">;
  findReady: KeptPages["find"];
  /**
   * The address under which the page of a request line is kept, and whether it costs nothing; undefined for whatever takes the
   * ordinary way.
   */
  findKept: (url: string) => { address: string; isFree: boolean } | undefined;
  log: (method: string, path: string, status: number, started: number) => void;
  /** The same for a GET that a ready page answered at its own address. */
  logReady: (answer: ReadyAnswer, url: string, started: number) => void;
};

/**
 * Answers sockets. A finished page is found by the request line as it stands and leaves as ready bytes, before
 * anything of a framework is made. Everything else is paid for first, by whoever asks: a client that has spent its budget gets
 * a constant answer and is hung up on. A body is read here, while it comes.
 */
export function createListener(site: Site): Listener {
  const admissions = new WeakMap<IncomingMessage, Admission>();
  const ordinary = getRequestListener(
    (request, connection) => {
      const { incoming, outgoing } = connection as HttpConnection;
      return site.fetch(request, { incoming, outgoing, admission: admissions.get(incoming) });
    },
    {
      overrideGlobalObjects: false,
      // What is not read of a body ends with its connection.
      autoCleanupIncoming: false,
      // A health check by HTTP/1.0 names no host.
      hostname: "localhost",
      // No request could be made of it, such as one with a Host header that is none.
      errorHandler: () => site.refusals.toResponse("malformed", new Request("http://localhost/")),
    },
  );
  const isFlood = createFloodCheck();

  return (incoming, outgoing) => {
    if (isFlood(incoming, outgoing)) return;
    const { method = "GET", url = "" } = incoming;
    const started = performance.now();
    const read = readHeaders(incoming.rawHeaders);
    const refuse = (kind: RefusalKind, ...headers: string[]) => {
      // What else was read of the connection is not looked at.
      if (read.hasBody) stopParsing(incoming.socket);
      site.log(method, url, site.refusals.send(kind, incoming, outgoing, headers), started);
    };
    // The web's Request refuses these methods by throwing.
    if (method === "TRACE" || method === "TRACK" || method === "CONNECT") {
      return refuse("wrongMethod", "Allow", "GET, HEAD");
    }
    const isRead = method === "GET" || method === "HEAD";
    let admission: Admission | undefined;
    // The connection of a page that was asked for with a body ends, so that nobody waits for the rest of it.
    if (isRead && read.hosts === 1 && !read.hasBody) {
      const { acceptEncoding, ifNoneMatch } = read;
      const own = site.findReady(url, acceptEncoding, ifNoneMatch);
      const kept = own ? undefined : site.findKept(url);
      if (kept && !kept.isFree) admission = site.admit(askedBy(incoming));
      if (admission?.spent.ok === false) return refuseFlood(refuse, admission);
      const answer = own ?? (kept && site.findReady(kept.address, acceptEncoding, ifNoneMatch));
      if (answer) {
        outgoing.writeHead(answer.status, answer.headers);
        outgoing.end(method === "HEAD" ? null : answer.body);
        if (own && method === "GET") site.logReady(answer, url, started);
        else site.log(method, url, answer.status, started);
        return;
      }
    }
    admission ??= site.admit(askedBy(incoming));
    if (!admission.spent.ok) return refuseFlood(refuse, admission);
    admissions.set(incoming, admission);
    if (read.hasBody) {
      const { takes } = admission;
      if (!takes && read.isInPieces) return refuse(isRead ? "malformed" : "wrongMethod");
      if (takes?.isForm && !isReadableForm(headersOf(incoming))) return refuse("wrongType");
      if (takes) startReading(incoming, admission, takes.most);
    }
    // A client that asks first, and states a length that we take, is told to send.
    const isAsked = incoming.headers.expect !== undefined && admission.takes !== undefined;
    if (isAsked && statedLength(incoming) <= (admission.takes?.most ?? 0)) outgoing.writeContinue();
    ordinary(incoming, outgoing);
  };
}

function refuseFlood(
  refuse: (kind: RefusalKind, ...headers: string[]) => void,
  { spent }: Admission,
): void {
  if (!spent.ok) refuse("tooMany", ...retryAfter(spent.retryAfterMs));
}

export function retryAfter(ms: number): string[] {
  return ["Retry-After", String(Math.max(1, Math.ceil(ms / 1_000)))];
}

function askedBy({ method = "GET", url = "", headers, socket }: IncomingMessage): Asked {
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

/** Now, because pieces may come together with the headers, and each has to be counted. */
function startReading(incoming: IncomingMessage, admission: Admission, most: number): void {
  // Nothing comes from a client that waits to be told to send.
  const isSilent = incoming.headers.expect !== undefined && statedLength(incoming) > most;
  admission.body = readBody(incoming, {
    most,
    limits: isSilent ? { ...bodyLimits, farewellMs: 0 } : bodyLimits,
    takeSlowPlace: admission.takeSlowPlace,
    onEnd: (came, kind) => {
      admission.payFor(came);
      if (kind === "too-many-pieces") stopParsing(incoming.socket);
    },
  });
}

/** Whether a request named its host, once. A health check by HTTP/1.0 need not: that version has no such header. */
export function isAddressed(
  hosts: number,
  { httpVersion, url = "" }: { httpVersion?: string | undefined; url?: string | undefined },
): boolean {
  return (
    hosts === 1 || (hosts === 0 && httpVersion === "1.0" && url.split("?", 1)[0] === healthPath)
  );
}

/** Hangs up on a client that asks again and again without waiting for an answer. */
function createFloodCheck() {
  const unanswered = new WeakMap<Socket, number>();
  return ({ socket }: IncomingMessage, outgoing: ServerResponse): boolean => {
    // An answer that has to wait for the one before it on its connection has no socket yet.
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

/** What has to be known before anything else, in one pass and without making an object of all headers. */
function readHeaders(raw: readonly string[]) {
  let hosts = 0;
  let hasBody = false;
  let isInPieces = false;
  let acceptEncoding: string | undefined;
  let ifNoneMatch: string | undefined;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
    else if (name.length === 15 && name.toLowerCase() === "accept-encoding") {
      acceptEncoding = raw[at + 1];
    } else if (name.length === 13 && name.toLowerCase() === "if-none-match") {
      ifNoneMatch = raw[at + 1];
    } else if (name.length === 14 && name.toLowerCase() === "content-length") {
      hasBody ||= raw[at + 1] !== "0";
    } else if (name.length === 17 && name.toLowerCase() === "transfer-encoding") {
      hasBody = true;
      isInPieces = true;
    }
  }
  return { hosts, hasBody, isInPieces, acceptEncoding, ifNoneMatch };
}
