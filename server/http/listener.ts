import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { KeptPages, ReadyAnswer } from "./kept-pages.ts";

/** A request as it came, and where its answer goes. */
export type HttpConnection = { incoming: IncomingMessage; outgoing: ServerResponse };

export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Browsers and proxies wait for an answer before they ask again on the same connection. */
const maxUnanswered = 5;

/**
 * Answers sockets. A finished page is found by the request line as it stands and leaves as ready bytes, before
 * anything of a framework is made. So does a page that is kept under another address, such as all posts that do not
 * exist; everything else takes the ordinary way. One function, because it is one decision on the way of every request.
 */
export function createListener(site: {
  fetch: (request: Request, connection: HttpConnection) => Promise<Response>;
  findReady: KeptPages["find"];
  /** The address under which the page of a request line is kept; undefined for whatever takes the ordinary way. */
  keptAs: (url: string) => string | undefined;
  log: (method: string, path: string, status: number, started: number) => void;
  /** The same for a GET that a ready page answered at its own address. */
  logReady: (answer: ReadyAnswer, url: string, started: number) => void;
}): Listener {
  const ordinary = getRequestListener(
    (request, connection) => site.fetch(request, connection as HttpConnection),
    // What is not read of a body ends with its connection.
    { overrideGlobalObjects: false, autoCleanupIncoming: false },
  );
  const unanswered = new WeakMap<Socket, number>();

  return (incoming, outgoing) => {
    const { socket, method = "GET", url = "" } = incoming;
    // An answer that has to wait for the one before it on its connection has no socket yet.
    if (!outgoing.socket) {
      const waiting = (unanswered.get(socket) ?? 0) + 1;
      if (waiting > maxUnanswered) {
        if (!socket.destroyed) hangUp(socket);
        return;
      }
      unanswered.set(socket, waiting);
      outgoing.once("close", () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    }

    // The web's Request refuses these methods by throwing.
    if (method === "TRACE" || method === "TRACK" || method === "CONNECT") {
      outgoing.writeHead(405, { Allow: "GET, HEAD", "Content-Length": 0 }).end();
      return;
    }
    const started = performance.now();
    const read = readHeaders(incoming.rawHeaders);
    // Pieces of one byte cost a thousand times what they weigh, and browsers state the length of a form.
    if (read.isInPieces || (method === "POST" && !read.isStated)) {
      stopParsing(socket);
      outgoing.writeHead(411, { Connection: "close", "Content-Length": 0 }).end();
      site.log(method, url, 411, started);
      return;
    }
    if (read.hosts !== 1 || (method !== "GET" && method !== "HEAD")) {
      ordinary(incoming, outgoing);
      return;
    }
    const { acceptEncoding, ifNoneMatch } = read;
    const own = site.findReady(url, acceptEncoding, ifNoneMatch);
    const address = own ? url : site.keptAs(url);
    const answer = own ?? (address && site.findReady(address, acceptEncoding, ifNoneMatch));
    if (!answer) {
      ordinary(incoming, outgoing);
      return;
    }
    outgoing.writeHead(answer.status, answer.headers);
    outgoing.end(method === "HEAD" ? null : answer.body);
    if (own && method === "GET") site.logReady(answer, url, started);
    else site.log(method, url, answer.status, started);
  };
}

/** What has to be known before anything else, in one pass and without making an object of all headers. */
function readHeaders(raw: readonly string[]) {
  let hosts = 0;
  let isStated = false;
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
    } else if (name.length === 14 && name.toLowerCase() === "content-length") isStated = true;
    else if (name.length === 17 && name.toLowerCase() === "transfer-encoding") isInPieces = true;
  }
  return { hosts, isStated, isInPieces, acceptEncoding, ifNoneMatch };
}

/** What Node's parser calls for each piece of a body stands in it under this number (`HTTPParser.kOnBody`). */
const onBody = 3;

type Parser = { onIncoming?: () => number; pause?: () => void; [onBody]?: unknown };

/**
 * Of what was read at once, up to a thousand requests or ten thousand pieces of a body, no more is taken apart: that
 * would hold the one thread for longer than everything else, 17 ms where 1 ms is enough. No documentation of Node names
 * these parts of it; without them all would be as before, but slower.
 */
function stopParsing(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: Parser | null };
  const take = parser?.[onBody];
  if (!take) return;
  parser.onIncoming = () => 0;
  parser[onBody] = undefined;
  parser.pause?.();
  // Node hands the parser to another connection, with whatever body that has.
  socket.prependOnceListener("close", () => {
    parser[onBody] = take;
  });
}

/**
 * For each request that was made already Node makes an error, where finding out in which line it was made would take
 * longer than everything else.
 */
function hangUp(socket: Socket): void {
  stopParsing(socket);
  const usual = Error.stackTraceLimit;
  socket.prependOnceListener("close", () => {
    Error.stackTraceLimit = 0;
  });
  socket.once("close", () => {
    Error.stackTraceLimit = usual;
  });
  socket.destroy();
}
