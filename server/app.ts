import type { IncomingMessage, ServerResponse } from "node:http";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { Logger } from "pino";
import type { Hook } from "./account-system/inbound/hook.ts";
import type { FormValues } from "./platform/forms/form-values.ts";
import { type Admission, createAdmission } from "./platform/http/admission.ts";
import { type Body, bodyLimits } from "./platform/http/body.ts";
import { compress, pickEncoding } from "./platform/http/encoding.ts";
import { createFairQueue, type Turns } from "./platform/http/fair-queue.ts";
import { createBuildFinder } from "./platform/http/kept-builds.ts";
import {
  createListener,
  isAddressed,
  type LoggedRequest,
  retryAfter,
} from "./platform/http/listener.ts";
import { createPageCache, type PageCache, type ReadyAnswer } from "./platform/http/page-cache.ts";
import { isForMonitors, monitorPaths, paths } from "./platform/http/paths.ts";
import {
  type FormOrigin,
  findFormOrigin,
  isReadableForm,
  type PostedForm,
  parseForm,
} from "./platform/http/posted-form.ts";
import {
  createRefusals,
  type RefusalKind,
  type Refusals,
  type RefusalWords,
} from "./platform/http/refusals.ts";
import { requestIdHeader } from "./platform/http/request-ids.ts";
import type { LanguagePaths } from "./platform/i18n/language-paths.ts";
import type { SiteServices } from "./services.ts";
import type { SignedIn } from "./team/roster/sessions.ts";

/** Results of the checks before routing, for loaders and actions. */
export type Visit = {
  /**
   * The signed-in operator, on operator pages. `posted` contains the fields of a submitted form.
   */
  signedIn?: SignedIn | undefined;
  posted?: FormValues;
  /** The submitted form, on public pages. */
  form?: PublicForm;
};

export type PublicForm = {
  /**
   * The form's fields, or the reason if the form was refused. The action explains the reason in the
   * campus's words.
   */
  posted: PostedForm;
  clientAddress: string;
  /**
   * Renders the page when it is the client's turn in the fair queue. The action doesn't wait for
   * its turn, because storing a form mostly waits for the disk and hardly uses the CPU.
   */
  renderInTurn: (render: () => Promise<Response>) => Promise<Response>;
};

/**
 * Properties of a page's URL, with strict defaults. Without `keptAs`, the page is rendered for each
 * visitor and never cached. Without `takesForms`, the URL accepts only safe methods.
 */
export type PageDeclaration = {
  /** URL under which the page is cached, if one copy serves all visitors. */
  keptAs?: string | undefined;
  /** Query parameters on which a cached page depends. */
  query?: readonly string[] | undefined;
  /** Whether the page is an operator page. Only operator pages get the session. */
  isOperators?: boolean;
  takesForms?: boolean;
};

export type Pages = {
  /** Finds the page at a URL. Returns undefined if there is none. */
  find: (url: URL) => PageDeclaration | undefined;
  languages: LanguagePaths;
  /**
   * Returns the next time at which cached pages become stale, in milliseconds since 1970. Pages
   * become stale when a notice ends, and when rides start or end.
   */
  changesAfter: (nowMs: number) => number;
  /**
   * Error messages for requests that get no rendered page. Each element contains the messages in
   * one language, beginning with the campus's default language.
   */
  refusals: readonly RefusalWords[];
  /**
   * Runs the action of a POST, then loads and renders the page. If the action or the page throws,
   * renders an error page, except for a public form.
   * @throws the error of a public form's action or page
   */
  render: (request: Request, visit: Visit) => Promise<Response>;
};

export type Site = ReturnType<typeof createApp>;

type Connection = {
  incoming?: Pick<IncomingMessage, "rawHeaders" | "url"> & {
    httpVersion?: string | undefined;
    /** Whether the complete request has been read. `undefined` for requests without a socket. */
    complete?: boolean;
    socket: { remoteAddress?: string | undefined };
  };
  outgoing?: ServerResponse;
  admission?: Admission | undefined;
  requestId?: string | undefined;
};

/** Maximum length of a URL, in characters. All URLs of the site are shorter. */
const maxAddressLength = 4_096;
/** Maximum number of fields in an operator's form, which may contain many selected requests. */
const operatorPairs = 500;
/** Header of responses while the database is unavailable. The value is in seconds. */
export const retryLater = { "Retry-After": "60" };
/** Internal URL of the not-found page, which is served for every unknown URL. */
const nowhere = "/nowhere";

type Parts = {
  services: SiteServices;
  pages: Pages;
  kept: PageCache;
  turns: Turns;
  refusals: Refusals;
};

type RequestContext = Context<{ Bindings: Connection }>;

/** Creates the site, both as a listener for sockets and as a function from request to response. */
export function createApp(services: SiteServices, pages: Pages) {
  const { publicUrl, requestIds } = services;
  const securing = secureHeaders({
    contentSecurityPolicy: undefined,
    referrerPolicy: "same-origin",
    xFrameOptions: "DENY",
    strictTransportSecurity: publicUrl.startsWith("https:") ? "max-age=31536000" : false,
    permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [] },
  });
  const kept = keepPages(services, pages, securing);
  const turns = createFairQueue({ atOnce: 4, budget: services.budget });
  let secured: string[] = [];
  const refusals = createRefusals(pages.refusals, {
    shared: () => secured,
    isForScripts: (path) => path === paths.deletionRequests,
    problemAt: (path, kind) =>
      (Object.hasOwn(services.hooks, path) && services.hooks[path]?.explainRefusal(kind)) ||
      undefined,
  });
  void headersOf(securing).then((headers) => {
    secured = headers;
  });
  const app = route({ services, pages, kept, turns, refusals }, securing);
  const requests = createRequestLog(services.log);
  const admit = createAdmission(services, {
    findBodyLimit: (method, url) => findBodyLimit(services, pages, method, url),
  });

  /**
   * Handles a request. The listener has already admitted requests from sockets. All other requests,
   * such as those of tests, are admitted here.
   */
  async function fetch(request: Request, connection: Connection = {}): Promise<Response> {
    const started = performance.now();
    const admission = connection.admission ?? admit(operatorOf(request, connection));
    const remoteAddress = connection.incoming?.socket.remoteAddress ?? "";
    const given = request.headers.get(requestIdHeader);
    const id = connection.requestId ?? requestIds.idOf(remoteAddress, given);
    const response = admission.spent.ok
      ? await requestIds.within(id, () => app.fetch(request, { ...connection, admission }))
      : refusals.toResponse("tooMany", request, retryAfter(admission.spent.retryAfterMs));
    // Closes the connection after a 429 or 503 response, or if the request's body wasn't read
    // completely.
    const { incoming } = connection;
    const isWhole = incoming?.complete !== false;
    if (response.status === 429 || response.status === 503 || !isWhole) {
      response.headers.set("Connection", "close");
    }
    response.headers.set(requestIdHeader, id);
    const { pathname: path } = new URL(request.url);
    requests.log({ id, method: request.method, path, started }, response.status);
    return response;
  }

  const listener = createListener({
    fetch,
    admit,
    refusals,
    findReady: kept.find,
    findKept: createKeptFinder(services, pages),
    idOf: requestIds.idOf,
    ...requests,
  });

  /** Renders the landing page at startup, because the first render in a process is slow. */
  function prepare(): void {
    const address = pages.find(new URL(publicUrl + paths.landing))?.keptAs;
    if (address === undefined) return;
    kept.make(address).catch((error: unknown) => services.reportError(error, address));
  }

  return {
    fetch,
    listener,
    prepare,
    answerBroken: refusals.answerBroken,
    answerExpectation: (incoming: IncomingMessage, outgoing: ServerResponse) =>
      void refusals.send("expectation", incoming, outgoing),
  };
}

/** Returns the headers that are set on every response. */
async function headersOf(securing: MiddlewareHandler): Promise<string[]> {
  const bare = new Hono();
  bare.use(securing);
  bare.get("/", (c) => c.body(null));
  return [...(await bare.request("/")).headers].flat();
}

function operatorOf(request: Request, { incoming }: Connection) {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    url: pathname + search,
    header: (name: string) => request.headers.get(name) ?? undefined,
    remoteAddress: incoming?.socket?.remoteAddress ?? "",
  };
}

/**
 * Returns the maximum length of a body posted to a URL, or undefined if the URL accepts no body.
 */
function findBodyLimit(
  { hooks, publicUrl }: SiteServices,
  pages: Pages,
  method: string,
  line: string,
): { most: number; isForm: boolean } | undefined {
  if (method !== "POST" || !line.startsWith("/") || line.length > maxAddressLength)
    return undefined;
  const [path = ""] = line.split("?", 1);
  if (Object.hasOwn(hooks, path)) return { most: hooks[path]?.maxBytes ?? 0, isForm: false };
  const url = readTarget(pages, new URL(publicUrl + line));
  const takesForms = findDeclaration(pages, url)?.takesForms;
  return takesForms ? { most: bodyLimits.bytes, isForm: true } : undefined;
}

/** Creates the cache of rendered pages. Cached responses include all headers. */
function keepPages(services: SiteServices, pages: Pages, securing: MiddlewareHandler): PageCache {
  const maker = new Hono();
  maker.use(securing);
  maker.get("*", (c) => pages.render(c.req.raw, {}));
  maker.onError((error) => {
    throw error;
  });
  return createPageCache({
    nowMs: () => services.clock().epochMilliseconds,
    changesAfter: pages.changesAfter,
    make: async (address) => maker.fetch(new Request(services.publicUrl + address)),
    onFault: (error, address) => services.reportError(error, address),
  });
}

/**
 * Routes requests to the monitoring endpoints, the other endpoints, the built files and the pages.
 */
function route(parts: Parts, securing: MiddlewareHandler) {
  const { services, pages, refusals } = parts;
  const app = new Hono<{ Bindings: Connection }>();
  app.use(securing);
  // Refuses ambiguous requests and overlong URLs, which our own pages never send.
  app.use(async (c, next) => {
    if (isAmbiguous(c.env?.incoming)) return refusals.toResponse("malformed", c.req.raw);
    if (c.req.url.length > maxAddressLength) {
      return refusals.toResponse("addressTooLong", c.req.raw);
    }
    await next();
  });
  serveFiles(app, services.clientDir);
  // Tells proxies neither to cache nor to modify the response, unless a handler has set
  // Cache-Control.
  app.use(async (c, next) => {
    await next();
    if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "no-store, no-transform");
  });
  // The liveness check doesn't read the database. Otherwise, an orchestrator would restart the
  // server whenever the database is unavailable. A proxy that asks it stops using a stopping server.
  app.on(["GET", "OPTIONS"], monitorPaths.alive, (c) =>
    services.isStopping() ? c.json({ status: "stopping" }, 503) : c.json({ status: "ok" }),
  );
  app.on(["GET", "OPTIONS"], monitorPaths.health, async (c) => {
    const { status, problems } = await services.health
      .status()
      .catch(() => ({ status: "unavailable", problems: ["The database does not respond."] }));
    return c.json(
      problems.length > 0 ? { status, problems } : { status },
      status === "unavailable" ? 503 : 200,
    );
  });
  for (const [path, hook] of Object.entries(services.hooks)) {
    app.all(path, (c) => answerHook(c, hook));
  }
  app.get("*", (c) => renderPage(parts, c));
  app.post("*", (c) => handleForm(parts, c));
  app.all("*", (c) => {
    const page = findDeclaration(pages, readTarget(pages, new URL(c.req.url)));
    const takesForms = page?.takesForms && !page.isOperators;
    return notAllowed(parts, c, takesForms ? "GET, HEAD, POST" : "GET, HEAD");
  });
  app.onError((error, c) => {
    services.reportError(error, c.req.path);
    const reference = services.requestIds.current();
    return services.isStorageProblem(error)
      ? refusals.toResponse("unavailable", c.req.raw, Object.entries(retryLater).flat(), reference)
      : refusals.toResponse("fault", c.req.raw, [], reference);
  });
  return app;
}

/** Matches a single byte range. */
const onePart = /^bytes=(?:\d+-\d*|-\d+)$/;

const isBuiltFile = /^\/(?:assets\/|art\/|favicon\.ico$)/;

/**
 * Serves built files. Their names contain a hash of their content, so they can be cached forever. A
 * missing file must not be cached as missing, because the next build may contain it.
 */
function serveFiles(app: Hono<{ Bindings: Connection }>, clientDir: string): void {
  const files = serveStatic({ root: clientDir, precompressed: true });
  const findElsewhere = createBuildFinder(clientDir);
  for (const path of ["/assets/*", "/art/*"]) {
    app.get(path, async (c, next) => {
      // A range is valid only for an unchanged file, so conditional range requests get the complete
      // file. Ranges in an unsupported format are ignored (RFC 9110, 14.2).
      const isPart = onePart.test(c.req.header("range") ?? "") && !c.req.header("if-range");
      if (!isPart) c.req.raw.headers.delete("range");
      await next();
      c.header("Vary", "Accept-Encoding");
      const isHeld = c.res.ok ? "public, max-age=31536000, immutable" : "no-store, no-transform";
      c.header("Cache-Control", isHeld);
    });
    app.get(path, files);
    app.get(path, (c, next) => {
      const root = findElsewhere(c.req.path);
      return root ? serveStatic({ root, precompressed: true })(c, next) : next();
    });
  }
  // The name contains no hash, so a new icon shows after a day at the latest.
  app.get("/favicon.ico", async (c, next) => {
    await next();
    if (c.res.ok) c.header("Cache-Control", "public, max-age=86400");
  });
  app.get("/favicon.ico", serveStatic({ root: clientDir }));
}

function answerHook(c: RequestContext, hook: Hook) {
  const { method, headers } = c.req.raw;
  return hook.answer({
    method,
    headers,
    query: new URL(c.req.url).searchParams,
    readBody: () => bodyOf(c, hook.maxBytes),
  });
}

async function renderPage(parts: Parts, c: RequestContext): Promise<Response> {
  const { services, pages, kept } = parts;
  const url = new URL(c.req.url);
  const address = plainAddress(pages, url);
  if (address !== url.pathname + url.search) return c.redirect(address, 308);

  const page = await findPage(parts, url, c.req.header("cookie"));
  if (page?.isOperators) return renderOperatorPage(parts, c, url, { signedIn: page.signedIn });
  const keptAs = page ? page.keptAs : inLanguageOf(pages, url, nowhere);
  const acceptEncoding = c.req.header("accept-encoding");
  if (keptAs !== undefined) {
    const suiting = {
      acceptEncoding,
      ifNoneMatch: c.req.header("if-none-match"),
      ifModifiedSince: c.req.header("if-modified-since"),
    };
    const answer = kept.find(keptAs, suiting) ?? (await kept.make(keptAs, suiting));
    return answer instanceof Response ? answer : toResponse(answer);
  }
  return answerInTurn(parts, c, () =>
    pages.render(new Request(services.publicUrl + url.pathname + url.search), {}),
  );
}

/**
 * Checks a submitted form and passes it to its route's action. If the form lacks our Origin, the
 * action doesn't get the session, because browsers may attach the session cookie to any request.
 */
async function handleForm(parts: Parts, c: RequestContext): Promise<Response> {
  const url = readTarget(parts.pages, new URL(c.req.url));
  const origin = findFormOrigin(c.req.raw.headers, parts.services.publicUrl);
  const page = await findPage(parts, url, origin === "ours" ? c.req.header("cookie") : undefined);
  if (!page?.takesForms) return notAllowed(parts, c, "GET, HEAD");
  return page.isOperators
    ? handleOperatorForm(parts, c, { url, origin, signedIn: page.signedIn })
    : handlePublicForm(parts, c, { url, origin });
}

type FormTarget = { url: URL; origin: FormOrigin };

async function handlePublicForm(
  parts: Parts,
  c: RequestContext,
  { url, origin }: FormTarget,
): Promise<Response> {
  const { services, pages, refusals } = parts;
  // Public forms have no session, so they may lack an Origin.
  const posted = origin === "elsewhere" ? ({ kind: "foreign" } as const) : await formOf(c);
  if (posted.kind === "refused") return refusals.toResponse(refusedForms[posted.as], c.req.raw);
  const form: PublicForm = {
    posted,
    clientAddress: clientAddress(services, c),
    renderInTurn: (render) => answerInTurn(parts, c, render),
  };
  // Drops the query string, because the response depends only on the path, which includes the
  // language.
  const address = services.publicUrl + url.pathname;
  return pages.render(new Request(address, { method: "POST" }), { form });
}

async function handleOperatorForm(
  parts: Parts,
  c: RequestContext,
  { url, origin, signedIn }: FormTarget & Pick<Visit, "signedIn">,
): Promise<Response> {
  const { refusals } = parts;
  if (origin !== "ours") return refusals.toResponse("foreign", c.req.raw);
  const sent = await formOf(c, operatorPairs);
  if (sent.kind === "form")
    return renderOperatorPage(parts, c, url, { signedIn, posted: sent.typed });
  const kind = refusedForms[sent.kind === "refused" ? sent.as : sent.kind];
  return refusals.toResponse(kind, c.req.raw);
}

/**
 * Finds the page at a URL and, for operator pages, the session. Operator pages return 404 until an
 * operator has been invited.
 */
async function findPage({ services, pages }: Parts, url: URL, cookies: string | undefined) {
  const page = findDeclaration(pages, url);
  if (!page?.isOperators) return page && { ...page, signedIn: undefined };
  const signedIn = await services.operators.findSession(cookies);
  return signedIn || (await services.operators.isThere()) ? { ...page, signedIn } : undefined;
}

function findDeclaration(pages: Pages, url: URL): PageDeclaration | undefined {
  return isReadable(url.pathname) ? pages.find(url) : undefined;
}

/**
 * Creates a function that finds the cached page for a request's URL. All unknown URLs share the
 * not-found page. Requests for the not-found page count toward the rate limit, because a client can
 * make up any number of URLs.
 */
function createKeptFinder({ publicUrl }: SiteServices, pages: Pages) {
  return (line: string): { address: string; isFree: boolean } | undefined => {
    if (!line.startsWith("/") || line.length > maxAddressLength) return undefined;
    const url = new URL(publicUrl + line);
    const { pathname } = url;
    if (isBuiltFile.test(pathname) || isForMonitors(pathname)) return undefined;
    if (!isReadable(pathname) || plainAddress(pages, url) !== pathname + url.search)
      return undefined;
    const page = pages.find(url);
    if (page) return page.keptAs === undefined ? undefined : { address: page.keptAs, isFree: true };
    return { address: inLanguageOf(pages, url, nowhere), isFree: false };
  };
}

/**
 * Renders an operator page for one session. The page is never cached and is hidden from search
 * engines.
 */
async function renderOperatorPage(
  parts: Parts,
  c: RequestContext,
  url: URL,
  visit: Visit,
): Promise<Response> {
  const pageRequest = new Request(parts.services.publicUrl + url.pathname + url.search, {
    method: visit.posted ? "POST" : "GET",
    headers: ["User-Agent", "Sec-Fetch-Dest"].map((name) => [name, c.req.header(name) ?? ""]),
  });
  return answerInTurn(parts, c, async () => {
    const page = await parts.pages.render(pageRequest, visit);
    const answer = new Response(page.body, page);
    answer.headers.set("X-Robots-Tag", "noindex, nofollow");
    return answer;
  });
}

/** Runs `work` when it is the client's turn, and charges the client for the time. */
async function answerInTurn(
  { turns, refusals }: Parts,
  c: RequestContext,
  work: () => Promise<Response>,
): Promise<Response> {
  const isDisconnected = () => c.env?.outgoing?.destroyed === true;
  const turn = await turns.run(c.env.admission?.client ?? "", work, isDisconnected);
  if (turn.kind === "gone") return c.body(null, 400);
  if (turn.kind === "busy") {
    return refusals.toResponse("tooMany", c.req.raw, retryAfter(turn.retryAfterMs));
  }
  return compressed(turn.value, c.req.header("accept-encoding"));
}

/**
 * Returns the request body, which the listener reads as it arrives. For a request without a socket,
 * reads the body from `c.req`.
 */
async function bodyOf(c: RequestContext, most: number): Promise<Body> {
  const { admission } = c.env;
  if (admission?.body) return admission.body;
  const bytes = new Uint8Array(await c.req.raw.arrayBuffer());
  return bytes.byteLength > most ? { kind: "too-large" } : { kind: "bytes", bytes };
}

type Unread = Exclude<Body["kind"], "bytes"> | "wrong-type";

/** Parses a form if its Content-Type is one that browsers send. */
async function formOf(
  c: RequestContext,
  pairs?: number,
): Promise<PostedForm | { kind: "refused"; as: Exclude<Unread, "too-large"> }> {
  if (!isReadableForm(c.req.raw.headers)) return { kind: "refused", as: "wrong-type" };
  const body = await bodyOf(c, bodyLimits.bytes);
  if (body.kind === "bytes") return parseForm(body.bytes, pairs);
  return body.kind === "too-large" ? { kind: "too-large" } : { kind: "refused", as: body.kind };
}

const refusedForms: Record<Exclude<Unread | PostedForm["kind"], "form">, RefusalKind> = {
  malformed: "malformed",
  foreign: "foreign",
  "too-large": "tooLarge",
  "wrong-type": "wrongType",
  "too-slow": "tooSlow",
  "too-many-pieces": "tooManyPieces",
  // The client has hung up, so no one reads this response.
  gone: "malformed",
};

function clientAddress(services: SiteServices, c: RequestContext): string {
  return services.clientAddress(
    c.env?.incoming?.socket?.remoteAddress ?? "",
    c.req.header("x-forwarded-for") ?? null,
  );
}

/**
 * Creates the request log. Its lines contain no personal data: no client address, no query string,
 * no user agent.
 */
function createRequestLog(siteLog: Logger) {
  // Skips redaction: all fields of a line are safe, and redacting them would cost more than
  // writing the line.
  const lines = siteLog.child({}, { redact: [] });
  // Reuses one logger per cached page, because its lines differ only in duration and request id.
  // Building each line from scratch would cost three times as much.
  const linesOfReady = new WeakMap<ReadyAnswer, Logger>();
  const since = (started: number) => Math.round(performance.now() - started);
  return {
    log({ id, method, path, started }: LoggedRequest, status: number): void {
      lines.info({ method, path, status, ms: since(started), id }, "request");
    },
    logReady({ id, path, started }: LoggedRequest, answer: ReadyAnswer): void {
      let line = linesOfReady.get(answer);
      if (!line) {
        line = lines.child({ method: "GET", path, status: answer.status });
        linesOfReady.set(answer, line);
      }
      line.info({ ms: since(started), id }, "request");
    },
  };
}

function isReadable(path: string): boolean {
  try {
    // Compares the result, because the bundler would remove a call whose result is unused.
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}

/**
 * Checks whether a request has several Host headers or none (only health checks may have none), or
 * an absolute URL in its request line. Either could confuse caches and links.
 */
function isAmbiguous(incoming: Connection["incoming"]): boolean {
  if (!incoming) return false;
  const hosts = incoming.rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === "host",
  );
  return !isAddressed(hosts.length, incoming) || !incoming.url?.startsWith("/");
}

/**
 * Returns a page's canonical URL, to which its other URLs redirect. Drops query parameters that
 * don't affect a cached page (such as `utm_source`) so that shared caches store one copy of the
 * page.
 */
function plainAddress(pages: Pages, { pathname, search, origin }: URL): string {
  const address = pages.languages.current(plainPath(pathname) + search);
  const [path = "", query] = address.split("?", 2);
  if (query === undefined) return address;
  const page = findDeclaration(pages, new URL(origin + address));
  if (page?.keptAs === undefined) return address;
  const isKnown = (field: string) =>
    page.query?.includes([...new URLSearchParams(field).keys()][0] ?? "");
  const known = query.split("&").filter(isKnown).join("&");
  return path + (known && `?${known}`);
}

/**
 * Returns the current URL for a submitted form. A page that was open during an update still posts
 * to its former URL, so the form must be accepted without a redirect.
 */
function readTarget({ languages }: Pages, { pathname, search, origin }: URL): URL {
  return new URL(origin + languages.current(pathname + search));
}

function inLanguageOf({ languages }: Pages, { pathname }: URL, path: string): string {
  return languages.to(path, languages.read(pathname).language);
}

/** Normalizes a path: `/faq/`, `//faq` and `/f%61q` become `/faq`. */
function plainPath(path: string): string {
  return trimSlashes(path.includes("%") ? decodeUnreserved(path) : path);
}

/**
 * Decodes letters, digits and `-._~`, which mean the same with and without percent-encoding
 * (RFC 3986, 6.2.2.2).
 */
function decodeUnreserved(path: string): string {
  return path.replaceAll(/%[2-7][\da-f]/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : code;
  });
}

/** Collapses leading slashes into one and removes trailing slashes. */
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

function notAllowed({ refusals }: Parts, c: Context, allow: string): Response {
  return refusals.toResponse("wrongMethod", c.req.raw, ["Allow", allow]);
}

/** Compresses an uncached page, at a low level because the visitor is waiting. */
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
