import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createLanguagePaths } from "../i18n/language-paths.ts";

/**
 * Answers refused requests with a page, problem details (RFC 9457) or plain text. The response says
 * what happened, what we stored and what to do next. Each refusal is rendered once and then cached
 * so that refusing is cheap.
 */

/**
 * HTTP status of each kind of refusal. The messages are in `refusals` in `interface.yaml`. The
 * fault page also uses the messages of `fault`.
 */
export const refusalStatus = {
  malformed: 400,
  tooManyPieces: 400,
  foreign: 403,
  wrongMethod: 405,
  tooSlow: 408,
  tooLarge: 413,
  addressTooLong: 414,
  wrongType: 415,
  expectation: 417,
  tooMany: 429,
  headersTooLarge: 431,
  fault: 500,
  unavailable: 503,
} as const;

export type RefusalKind = keyof typeof refusalStatus;

/** Messages of all refusals in one language. */
export type RefusalWords = {
  language: string;
  texts: Record<RefusalKind, { title: string; detail: string; writeHtml: () => string }>;
  /** Label of the request's id, by which an administrator finds the failure in the log. */
  reference: string;
  /** Content-Security-Policy of the pages. */
  policy: string;
};

/** Placeholder for the request's id in failure pages, which are rendered once for all requests. */
export const referenceMark = "{request-id}";

/** A rendered refusal: alternating header names and values, and the bytes of the body. */
type RenderedRefusal = { status: number; headers: string[]; body: Buffer };

/** The parts of a request that determine the refusal's language and format. */
type RefusedRequest = {
  /** Path and query string. */
  url: string;
  accept?: string | undefined;
  secFetchDest?: string | undefined;
};

type Format = "html" | "json" | "text";

export type Refusals = ReturnType<typeof createRefusals>;

/**
 * @param languages messages by language, beginning with the campus's default language
 * @param options.shared headers of every response of the site
 * @param options.problemAt returns the problem type for a webhook's path and a hyphenated kind
 */
export function createRefusals(
  languages: readonly RefusalWords[],
  options: {
    shared: () => readonly string[];
    isForScripts: (path: string) => boolean;
    problemAt: (path: string, kind: string) => { type: string; title: string } | undefined;
  },
) {
  const made = new Map<string, RenderedRefusal>();
  const paths = createLanguagePaths(languages.map(({ language }) => language));

  function find(
    kind: RefusalKind,
    refused: RefusedRequest,
    headers: readonly string[] = [],
    reference = "",
  ): RenderedRefusal {
    const { language: requested, path: target } = paths.read(paths.current(refused.url));
    const [path = ""] = target.split("?", 1);
    const words = languages.find(({ language }) => language === requested) ?? languages[0];
    if (!words) throw new Error("Refusals need at least one language");
    const problemType = options.problemAt(path, hyphenated(kind));
    const format = problemType
      ? "json"
      : formatFor({ ...refused, isForScripts: options.isForScripts(path) });
    const name = `${kind} ${words.language} ${format} ${problemType?.type ?? ""}`;
    const whole = made.getOrInsertComputed(name, () => make(words, kind, format, problemType));
    const named = isFailure(kind) ? withReference(whole, reference) : whole;
    return headers.length > 0 ? { ...named, headers: [...named.headers, ...headers] } : named;
  }

  function make(
    words: RefusalWords,
    kind: RefusalKind,
    format: Format,
    problemType?: object,
  ): RenderedRefusal {
    const { title, detail, writeHtml } = words.texts[kind];
    const status = refusalStatus[kind];
    const explained = isFailure(kind) ? `${detail} ${words.reference} ${referenceMark}` : detail;
    const problem = problemType
      ? { ...problemType, status }
      : { type: "about:blank", title, status, detail: explained };
    const [contentType, text] = {
      html: () => ["text/html; charset=utf-8", writeHtml()],
      json: () => ["application/problem+json", JSON.stringify(problem)],
      text: () => ["text/plain; charset=utf-8", `${title}\n${explained}\n`],
    }[format]() as [string, string];
    const body = Buffer.from(text);
    return {
      status,
      headers: [
        ...options.shared(),
        ...(format === "html" ? ["Content-Security-Policy", words.policy] : []),
        ...["Content-Type", contentType],
        ...(isFailure(kind) ? [] : ["Content-Length", String(body.byteLength)]),
        ...[
          "Content-Language",
          words.language,
          "Cache-Control",
          "no-store, no-transform",
          "Vary",
          "Accept",
        ],
      ],
      body,
    };
  }

  return {
    find,

    /** Sends a refusal and closes the connection. */
    send(
      kind: RefusalKind,
      incoming: IncomingMessage,
      outgoing: ServerResponse,
      headers: readonly string[] = [],
    ): number {
      const { method, url = "/" } = incoming;
      const { accept } = incoming.headers;
      const secFetchDest = String(incoming.headers["sec-fetch-dest"] ?? "");
      const { status, body, ...refusal } = find(kind, { url, accept, secFetchDest }, headers);
      outgoing.writeHead(status, [...refusal.headers, "Connection", "close"]);
      outgoing.end(method === "HEAD" ? null : body);
      return status;
    },

    /** @param reference the request's id, for a failure page */
    toResponse(
      kind: RefusalKind,
      request: Request,
      headers: readonly string[] = [],
      reference = "",
    ): Response {
      const { pathname, search } = new URL(request.url);
      const accept = request.headers.get("accept") ?? undefined;
      const secFetchDest = request.headers.get("sec-fetch-dest") ?? undefined;
      const refused = { url: pathname + search, accept, secFetchDest };
      const { status, body, headers: flat } = find(kind, refused, headers, reference);
      const pairs = new Headers();
      for (let at = 0; at < flat.length; at += 2) {
        pairs.set(flat[at] as string, flat[at + 1] as string);
      }
      return new Response(new Uint8Array(body), { status, headers: pairs });
    },

    /** Answers requests that Node's parser rejects or that time out. */
    answerBroken: createBrokenListener(find),
  };
}

/** Picks a page for browsers, problem details for scripts, and plain text for everything else. */
function formatFor({
  accept = "",
  secFetchDest,
  isForScripts,
}: RefusedRequest & { isForScripts: boolean }): Format {
  if (isForScripts || secFetchDest === "empty" || /[/+]json\b/.test(accept)) return "json";
  return accept.includes("text/html") ? "html" : "text";
}

/** Checks whether a refusal is caused by a failure of the server. The log contains the cause. */
export function isFailure(kind: RefusalKind): boolean {
  return kind === "fault" || kind === "unavailable";
}

function withReference(rendered: RenderedRefusal, reference: string): RenderedRefusal {
  const body = Buffer.from(rendered.body.toString().replace(referenceMark, reference));
  return {
    ...rendered,
    headers: [...rendered.headers, "Content-Length", String(body.byteLength)],
    body,
  };
}

const hyphenated = (kind: string) => kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Time for the client to read the response before we hang up, in milliseconds. */
const lingerMs = 1_000;

type BrokenError = Error & { code?: string; rawPacket?: Buffer };

function createBrokenListener(
  find: (kind: RefusalKind, refused: RefusedRequest) => RenderedRefusal,
) {
  const answered = new WeakSet<Socket>();
  return (error: BrokenError, socket: Socket): void => {
    // A connection that was already refused may report more errors.
    if (answered.has(socket)) return;
    answered.add(socket);
    // A second response can't follow one that has begun.
    if (error.code === "ECONNRESET" || !socket.writable || socket.bytesWritten > 0) {
      socket.destroy();
      return;
    }
    const kind = brokenKinds[error.code ?? ""] ?? "malformed";
    const { status, headers, body } = find(kind, readRefused(error.rawPacket));
    const lines = [`HTTP/1.1 ${status} ${reasons[status] ?? "Bad Request"}`];
    for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
    const head = `${lines.join("\r\n")}\r\nConnection: close\r\n\r\n`;
    socket.end(Buffer.concat([Buffer.from(head), body]));
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
}

const brokenKinds: Record<string, RefusalKind> = {
  HPE_HEADER_OVERFLOW: "headersTooLarge",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "tooLarge",
  ERR_HTTP_REQUEST_TIMEOUT: "tooSlow",
};

const reasons: Record<number, string> = {
  408: "Request Timeout",
  413: "Payload Too Large",
  431: "Request Header Fields Too Large",
};

/** Extracts the path and headers from a request that can't be parsed. */
function readRefused(packet: Buffer | undefined): RefusedRequest {
  const start = packet?.subarray(0, 16 * 1024).toString("latin1") ?? "";
  const headerOf = (name: string) => new RegExp(`\\n${name}:([^\\r\\n]*)`, "i").exec(start)?.[1];
  return {
    url: /^\w+ (\/\S*)/.exec(start)?.[1] ?? "/",
    accept: headerOf("accept"),
    secFetchDest: headerOf("sec-fetch-dest")?.trim(),
  };
}
