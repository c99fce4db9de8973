import type { IncomingMessage, ServerResponse } from "node:http";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { Logger } from "pino";
import type { Hook } from "./account-system/hook.ts";
import type { Typed } from "./forms/typed.ts";
import { compress, pickEncoding } from "./http/encoding.ts";
import { createKeptPages, type KeptPages, type ReadyAnswer } from "./http/kept-pages.ts";
import { createListener } from "./http/listener.ts";
import type { Spent } from "./http/networks.ts";
import { paths } from "./http/paths.ts";
import {
  type Body,
  maxBodyBytes,
  type PostedForm,
  parseForm,
  whereFrom,
} from "./http/posted-form.ts";
import { createTurns, type Turns } from "./http/turns.ts";
import type { SignedIn } from "./operators/sessions.ts";
import type { SiteServices } from "./services.ts";

/** What a page is shown with, beside its address. */
export type Visit = {
  /** What a posted form came to, where the page shows it again. */
  shown?: unknown;
  /** On operators' pages: whoever is signed in, and what was posted. */
  signedIn?: SignedIn | undefined;
  posted?: Typed;
};

/** A form that is to be shown again, with the status that tells programs why. */
export type ShownAgain = {
  status: number;
  shown: unknown;
  headers?: Record<string, string> | undefined;
};

/** What a form does that was posted to `url`. Refused ones come here too, without fields, to be answered in the campus's words. */
export type FormHandler = (
  posted: PostedForm,
  sender: { clientAddress: string; url: URL },
) => Promise<Response | ShownAgain>;

/**
 * What is declared about addresses. What is not declared is refused: an address that nobody declared as kept is made
 * for each visitor and stored by no cache, and one without a form handler takes no unsafe method.
 */
export type Pages = {
  /**
   * Undefined where no page lives. `keptAs` is the address under which everybody gets the same page; `operators` is there
   * on pages of operators, which hear who is signed in and, some of them, forms.
   */
  find: (
    url: URL,
  ) => { keptAs?: string | undefined; operators?: { takesForms: boolean } } | undefined;
  /** One of our addresses, in the language that another one asks for. */
  inLanguageOf: (url: URL, path: string) => string;
  /** What whoever asks is told where not even the page of a fault can be made. */
  faultTextAt: (url: URL) => string;
  render: (request: Request, visit: Visit) => Promise<Response>;
  forms: Readonly<Record<string, FormHandler>>;
};

export type Site = ReturnType<typeof createApp>;

type Connection = {
  incoming?: Pick<IncomingMessage, "rawHeaders" | "url"> & {
    socket: { remoteAddress?: string | undefined };
  };
  outgoing?: ServerResponse;
};

/** Longer addresses than any of ours are not looked at. */
const maxAddressLength = 4_096;
/** A form of an operator may tick many requests. */
const operatorPairs = 500;
/** What taking a body costs whoever sends it, in milliseconds of the one thread: the rest comes by what is made of it. */
const bodyMs = 4;
const bytesPerMs = 4_096;
/** To whoever asked while the store could not be used. */
export const comeBack = { "Retry-After": "60" };
/** All addresses without a page get this one. It leads nowhere itself. */
const nowhere = "/nowhere";

/** What every answer is made with. */
type Parts = {
  services: SiteServices;
  pages: Pages;
  kept: KeptPages;
  turns: Turns;
};

type Asked = Context<{ Bindings: Connection }>;

/** The whole site, for sockets and as one function from request to response. */
export function createApp(services: SiteServices, pages: Pages) {
  const { publicUrl } = services;
  const securing = secureHeaders({
    contentSecurityPolicy: undefined,
    referrerPolicy: "same-origin",
    xFrameOptions: "DENY",
    strictTransportSecurity: publicUrl.startsWith("https:") ? "max-age=31536000" : false,
    permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [] },
  });
  const kept = keepPages(services, pages, securing);
  const turns = createTurns({ atOnce: 4, budget: services.budget });
  const app = route({ services, pages, kept, turns }, securing);
  const requests = createRequestLog(services.log);

  async function fetch(request: Request, connection: Connection = {}): Promise<Response> {
    const started = performance.now();
    const response = await app.fetch(request, connection);
    // What was refused, and what was not read, is no reason to stay in touch.
    const { incoming } = connection;
    const isWhole = !incoming || !("complete" in incoming) || incoming.complete;
    if (response.status === 429 || response.status === 503 || !isWhole) {
      response.headers.set("Connection", "close");
    }
    requests.log(request.method, new URL(request.url).pathname, response.status, started);
    return response;
  }

  const listener = createListener({
    fetch,
    findReady: kept.find,
    keptAs: (line) => keptAddressOf(line, publicUrl, pages),
    ...requests,
  });

  /** Makes what most visitors see first, and with it all that the first page of a process costs, before anybody waits. */
  function prepare(): void {
    const address = pages.find(new URL(publicUrl + paths.landing))?.keptAs;
    if (address === undefined) return;
    kept.make(address).catch((error: unknown) => services.reportError(error, address));
  }

  return { fetch, listener, prepare };
}

/** The pages that are kept, made with every header that they leave with. */
function keepPages(services: SiteServices, pages: Pages, securing: MiddlewareHandler): KeptPages {
  const maker = new Hono();
  maker.use(securing);
  maker.get("*", (c) => pages.render(c.req.raw, {}));
  maker.onError((error) => {
    throw error;
  });
  return createKeptPages({
    nowMs: () => services.clock().epochMilliseconds,
    make: async (address) => maker.fetch(new Request(services.publicUrl + address)),
    onFault: (error, address) => services.reportError(error, address),
  });
}

/** Which answer is for which address. */
function route(parts: Parts, securing: MiddlewareHandler) {
  const { services, pages } = parts;
  const app = new Hono<{ Bindings: Connection }>();
  app.use(securing);
  // What no request of ours looks like.
  app.use(async (c, next) => {
    if (isAmbiguous(c.env?.incoming)) {
      return c.text("Bad request: one Host header and a plain path, please.", 400);
    }
    if (c.req.url.length > maxAddressLength) return c.text("That address is too long.", 414);
    await next();
  });
  serveFiles(app, services.clientDir);
  // No cache keeps what nobody declared as kept, and no proxy rewrites it.
  app.use(async (c, next) => {
    await next();
    if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "no-store, no-transform");
  });
  app.get("/healthz", async (c) => {
    const { status, problems } = await services.health
      .status()
      .catch(() => ({ status: "unavailable", problems: ["The store does not answer."] }));
    return c.json(
      problems.length > 0 ? { status, problems } : { status },
      status === "unavailable" ? 503 : 200,
    );
  });
  for (const [path, hook] of Object.entries(services.hooks)) {
    app.all(path, (c) => answerHook(parts, c, hook));
  }
  app.get("*", (c) => showPage(parts, c));
  app.post("*", (c) => hearForm(parts, c));
  app.all("*", (c) => {
    const takesForms = Object.hasOwn(pages.forms, c.req.path);
    return notAllowed(c, takesForms ? "GET, HEAD, POST" : "GET, HEAD");
  });
  app.onError((error, c) => {
    services.reportError(error, c.req.path);
    const text = pages.faultTextAt(new URL(c.req.url));
    return services.isStorageProblem(error) ? c.text(text, 503, comeBack) : c.text(text, 500);
  });
  return app;
}

/** One part of a file. */
const onePart = /^bytes=(?:\d+-\d*|-\d+)$/;

/** The names of built files contain a hash of what is in them. */
function serveFiles(app: Hono<{ Bindings: Connection }>, clientDir: string): void {
  const files = serveStatic({ root: clientDir, precompressed: true });
  for (const path of ["/assets/*", "/art/*"]) {
    app.get(path, async (c, next) => {
      // A part is of use only if the file is still the same; a range that we don't understand is ignored (RFC 9110, 14.2).
      const isPart = onePart.test(c.req.header("range") ?? "") && !c.req.header("if-range");
      if (!isPart) c.req.raw.headers.delete("range");
      await next();
      c.header("Vary", "Accept-Encoding");
      if (c.res.ok) c.header("Cache-Control", "public, max-age=31536000, immutable");
    });
    app.get(path, files);
  }
  app.get("/favicon.ico", serveStatic({ root: clientDir }));
}

function answerHook({ services }: Parts, c: Asked, hook: Hook) {
  const { method, headers } = c.req.raw;
  return hook.answer({
    method,
    headers,
    query: new URL(c.req.url).searchParams,
    spent: spendOnBody(services, c, clientAddress(services, c)),
    readBody: () => bodyOf(c, hook.maxBytes),
  });
}

async function showPage(parts: Parts, c: Asked): Promise<Response> {
  const { services, pages, kept } = parts;
  const url = new URL(c.req.url);
  const plain = plainPath(url.pathname);
  if (plain !== url.pathname) return c.redirect(plain + url.search, 308);

  const page = await findPage(parts, url, c.req.header("cookie"));
  if (page?.operators) return showOperators(parts, c, url, { signedIn: page.signedIn });
  const keptAs = page ? page.keptAs : pages.inLanguageOf(url, nowhere);
  const acceptEncoding = c.req.header("accept-encoding");
  if (keptAs !== undefined) {
    const ifNoneMatch = c.req.header("if-none-match");
    const answer =
      kept.find(keptAs, acceptEncoding, ifNoneMatch) ??
      (await kept.make(keptAs, acceptEncoding, ifNoneMatch));
    return answer instanceof Response ? answer : toResponse(answer);
  }
  return answerInTurn(parts, c, clientAddress(services, c), () =>
    pages.render(new Request(services.publicUrl + url.pathname + url.search), {}),
  );
}

async function hearForm(parts: Parts, c: Asked): Promise<Response> {
  const { services, pages } = parts;
  const path = c.req.path;
  const url = new URL(c.req.url);
  const form = Object.hasOwn(pages.forms, path) ? pages.forms[path] : undefined;
  if (!form) return hearOperators(parts, c, url);
  const address = clientAddress(services, c);
  const spent = spendOnBody(services, c, address);
  if (!spent.ok) return busy(c, spent.retryAfterMs);
  // What says nothing carries nobody's login, because there is none.
  const isForeign = whereFrom(c.req.raw.headers, services.publicUrl) === "elsewhere";
  const posted = isForeign ? ({ kind: "foreign" } as const) : await formOf(c);
  if (posted.kind === "gone") return c.body(null, 400);
  const answer = await form(posted, { clientAddress: address, url });
  if (answer instanceof Response) return answer;
  return answerInTurn(parts, c, address, async () => {
    const asked = new Request(services.publicUrl + pages.inLanguageOf(url, path));
    const page = await pages.render(asked, { shown: answer.shown });
    const shown = new Response(page.body, { status: answer.status, headers: page.headers });
    for (const [name, value] of Object.entries(answer.headers ?? {})) {
      shown.headers.set(name, value);
    }
    return shown;
  });
}

/** The page of an address, and who is signed in on one of operators: those are not there until somebody is invited. */
async function findPage({ services, pages }: Parts, url: URL, cookies: string | undefined) {
  const page = isReadable(url.pathname) ? pages.find(url) : undefined;
  if (!page?.operators) return page && { ...page, signedIn: undefined };
  const signedIn = await services.operators.findSession(cookies);
  return signedIn || (await services.operators.isThere()) ? { ...page, signedIn } : undefined;
}

/** Where the page of a request line is kept, if it is one that everybody gets. */
function keptAddressOf(line: string, publicUrl: string, pages: Pages): string | undefined {
  if (!line.startsWith("/") || line.length > maxAddressLength) return undefined;
  const url = new URL(publicUrl + line);
  const isPlain = isReadable(url.pathname) && plainPath(url.pathname) === url.pathname;
  return isPlain ? pages.find(url)?.keptAs : undefined;
}

/** A page of operators: made for whoever is signed in, kept by nobody, found by no search. */
async function showOperators(parts: Parts, c: Asked, url: URL, visit: Visit): Promise<Response> {
  const asked = new Request(parts.services.publicUrl + url.pathname + url.search, {
    method: visit.posted ? "POST" : "GET",
    headers: ["User-Agent", "Sec-Fetch-Dest"].map((name) => [name, c.req.header(name) ?? ""]),
  });
  return answerInTurn(parts, c, spenderOf(parts.services, c, visit.signedIn), async () => {
    const page = await parts.pages.render(asked, visit);
    const answer = new Response(page.body, page);
    answer.headers.set("X-Robots-Tag", "noindex, nofollow");
    return answer;
  });
}

/**
 * A form of an operator, as all are whose address declares none. Here a login travels by itself, so whoever does not say where
 * the form stood is refused, too, before anybody looks who is signed in.
 */
async function hearOperators(parts: Parts, c: Asked, url: URL): Promise<Response> {
  const { services } = parts;
  const isOurs = whereFrom(c.req.raw.headers, services.publicUrl) === "ours";
  const page = await findPage(parts, url, isOurs ? c.req.header("cookie") : undefined);
  if (!page?.operators?.takesForms) return notAllowed(c, "GET, HEAD");
  if (!isOurs) return c.text("This form was sent from elsewhere. Nothing was done.", 403);
  const { signedIn } = page;
  const spent = spendOnBody(services, c, spenderOf(services, c, signedIn));
  if (!spent.ok) return busy(c, spent.retryAfterMs);
  const sent = await formOf(c, operatorPairs);
  if (sent.kind === "form") return showOperators(parts, c, url, { signedIn, posted: sent.typed });
  return c.text("This form cannot be read.", sent.kind === "too-large" ? 413 : 400);
}

/** What is made for one visitor, in turn with the others' and at their own cost. */
async function answerInTurn(
  { turns }: Parts,
  c: Asked,
  client: string,
  work: () => Promise<Response>,
): Promise<Response> {
  const isGone = () => c.env?.outgoing?.destroyed === true;
  const turn = await turns.run(client, work, isGone);
  if (turn.kind === "gone") return c.body(null, 400);
  if (turn.kind === "busy") return busy(c, turn.retryAfterMs);
  return compressed(turn.value, c.req.header("accept-encoding"));
}

/** Whoever is signed in has a budget of their own, which nobody at the same address uses up. */
function spenderOf(services: SiteServices, c: Asked, signedIn: SignedIn | undefined): string {
  return signedIn ? `session ${signedIn.session.id}` : clientAddress(services, c);
}

/** Before anything of a body is read. */
function spendOnBody(services: SiteServices, c: Asked, client: string): Spent {
  const stated = Number(c.req.header("content-length") ?? 0);
  return services.budget.spendWork(client, bodyMs + Math.min(stated, maxBodyBytes) / bytesPerMs);
}

/**
 * What was sent along. Whoever waits to be told so before they send it is told now. It is copied into one buffer of its stated
 * length, so that it weighs the same in however many pieces it comes; one that is longer than `maxBytes` is not read.
 */
async function bodyOf(c: Asked, maxBytes: number): Promise<Body> {
  const { incoming, outgoing } = c.env ?? {};
  const stated = c.req.header("content-length");
  const statedBytes = stated === undefined ? maxBytes : Number(stated);
  if (!(statedBytes <= maxBytes)) return { kind: "too-large" };
  if (c.req.header("expect")) outgoing?.writeContinue();
  // The web's own stream begins to take the body off the socket when it is looked at, so it is looked at only here.
  const source =
    incoming && "readable" in incoming ? (incoming as IncomingMessage) : c.req.raw.body;
  const bytes = new Uint8Array(statedBytes);
  let length = 0;
  try {
    for await (const piece of source ?? []) {
      if (length + piece.byteLength > statedBytes) return { kind: "too-large" };
      bytes.set(piece, length);
      length += piece.byteLength;
    }
  } catch {
    return { kind: "gone" };
  }
  return { kind: "bytes", bytes: bytes.subarray(0, length) };
}

/** The body is read only where it says that it is a form. */
async function formOf(c: Asked, pairs?: number): Promise<PostedForm | { kind: "gone" }> {
  const [type = ""] = c.req.header("content-type")?.split(";") ?? [];
  const isForm = type.trim().toLowerCase() === "application/x-www-form-urlencoded";
  const body = isForm ? await bodyOf(c, maxBodyBytes) : ({ kind: "malformed" } as const);
  return body.kind === "bytes" ? parseForm(body.bytes, pairs) : body;
}

function clientAddress(services: SiteServices, c: Asked): string {
  return services.clientAddress(
    c.env?.incoming?.socket?.remoteAddress ?? "",
    c.req.header("x-forwarded-for") ?? null,
  );
}

/** No address of a person, no query, no user agent: nothing here leads to anybody. */
function createRequestLog(siteLog: Logger) {
  // A request's line has four fields that are made here; looking for what to remove costs more than writing it.
  const lines = siteLog.child({}, { redact: [] });
  // The line of a ready page is the same each time but for the milliseconds; making it anew costs three times as much.
  const linesOfReady = new WeakMap<ReadyAnswer, Logger>();
  const since = (started: number) => Math.round(performance.now() - started);
  return {
    log(method: string, path: string, status: number, started: number): void {
      lines.info({ method, path, status, ms: since(started) }, "request");
    },
    logReady(answer: ReadyAnswer, url: string, started: number): void {
      let line = linesOfReady.get(answer);
      if (!line) {
        line = lines.child({ method: "GET", path: url, status: answer.status });
        linesOfReady.set(answer, line);
      }
      line.info({ ms: since(started) }, "request");
    },
  };
}

function isReadable(path: string): boolean {
  try {
    // What is made is used: a call whose result nobody wants is left out by the bundler.
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}

/** Two Host headers or a whole address in the request line: the site's caches and links could be confused by them. */
function isAmbiguous(incoming: Connection["incoming"]): boolean {
  if (!incoming) return false;
  const hosts = incoming.rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === "host",
  );
  return hosts.length !== 1 || !incoming.url?.startsWith("/");
}

/** Writes a path in its usual form: `/faq/`, `//faq` and `/f%61q` are `/faq`. */
function plainPath(path: string): string {
  return trimSlashes(path.includes("%") ? decodeUnreserved(path) : path);
}

/** Decodes letters, digits and `-._~`, which mean the same with and without percent-encoding (RFC 3986, 6.2.2.2). */
function decodeUnreserved(path: string): string {
  return path.replaceAll(/%[2-7][\da-f]/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code;
  });
}

/** One slash at the start, none at the end. */
function trimSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (start < end && path[start] === "/") start++;
  while (end > start && path[end - 1] === "/") end--;
  return `/${path.slice(start, end)}`;
}

function toResponse(answer: ReadyAnswer): Response {
  const headers = new Headers();
  for (let at = 0; at < answer.headers.length; at += 2) {
    headers.append(answer.headers[at] as string, answer.headers[at + 1] as string);
  }
  return new Response(answer.body && new Uint8Array(answer.body), {
    status: answer.status,
    headers,
  });
}

function notAllowed(c: Context, allow: string): Response {
  return c.text("This address does not take that.", 405, { Allow: allow });
}

function busy(c: Context, retryAfterMs: number): Response {
  return c.text("You are asking for a lot at once. Please try again in a moment.", 503, {
    "Retry-After": String(Math.max(1, Math.ceil(retryAfterMs / 1_000))),
  });
}

/** A page that is not kept: compressed lightly, since its visitor waits for it. */
async function compressed(
  response: Response,
  acceptEncoding: string | undefined,
): Promise<Response> {
  const type = response.headers.get("content-type") ?? "";
  if (!response.body || !/^(text\/|application\/(json|xml|manifest|atom))/.test(type)) {
    return response;
  }
  const headers = new Headers(response.headers);
  headers.append("Vary", "Accept-Encoding");
  const encoding = pickEncoding(acceptEncoding);
  if (encoding === "identity") {
    return new Response(response.body, { status: response.status, headers });
  }
  const identity = new Uint8Array(await response.arrayBuffer());
  const body = await compress(identity, encoding, "quick");
  headers.set("Content-Encoding", encoding);
  headers.set("Content-Length", String(body.byteLength));
  return new Response(new Uint8Array(body), { status: response.status, headers });
}
