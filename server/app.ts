import { existsSync, readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { Logger } from "pino";
import type { Hook } from "./account-system/hook.ts";
import type { Typed } from "./forms/typed.ts";
import { type Admission, createAdmission } from "./http/admission.ts";
import { type Body, bodyLimits } from "./http/body.ts";
import { compress, pickEncoding } from "./http/encoding.ts";
import { createKeptPages, type KeptPages, type ReadyAnswer } from "./http/kept-pages.ts";
import { createListener, healthPath, isAddressed, retryAfter } from "./http/listener.ts";
import { paths } from "./http/paths.ts";
import { isReadableForm, type PostedForm, parseForm, whereFrom } from "./http/posted-form.ts";
import {
  createRefusals,
  type RefusalKind,
  type Refusals,
  type RefusalWords,
} from "./http/refusals.ts";
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
  /** What is answered where no page can be made, the campus's first language first. */
  refusals: readonly RefusalWords[];
  render: (request: Request, visit: Visit) => Promise<Response>;
  forms: Readonly<Record<string, FormHandler>>;
};

export type Site = ReturnType<typeof createApp>;

type Connection = {
  incoming?: Pick<IncomingMessage, "rawHeaders" | "url"> & {
    httpVersion?: string | undefined;
    socket: { remoteAddress?: string | undefined };
  };
  outgoing?: ServerResponse;
  admission?: Admission;
};

/** Longer addresses than any of ours are not looked at. */
const maxAddressLength = 4_096;
/** A form of an operator may tick many requests. */
const operatorPairs = 500;
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
  refusals: Refusals;
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
  let secured: string[] = [];
  const refusals = createRefusals(pages.refusals, {
    shared: () => secured,
    isForScripts: (path) => path === paths.deletionRequests,
    problemAt: (path, kind) =>
      (Object.hasOwn(services.hooks, path) && services.hooks[path]?.tellRefused(kind)) || undefined,
  });
  void headersOf(securing).then((headers) => {
    secured = headers;
  });
  const app = route({ services, pages, kept, turns, refusals }, securing);
  const requests = createRequestLog(services.log);
  const admit = createAdmission(services, {
    findBodyLimit: (method, url) => findBodyLimit(services, pages, method, url),
  });

  /** What comes by a socket was admitted by the listener, and everything else, such as a test's requests, is admitted here. */
  async function fetch(request: Request, connection: Connection = {}): Promise<Response> {
    const started = performance.now();
    const admission = connection.admission ?? admit(askedBy(request, connection));
    const response = admission.spent.ok
      ? await app.fetch(request, { ...connection, admission })
      : refusals.toResponse("tooMany", request, retryAfter(admission.spent.retryAfterMs));
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
    admit,
    refusals,
    findReady: kept.find,
    findKept: createKeptFinder(services, pages),
    ...requests,
  });

  /** Makes what most visitors see first, and with it all that the first page of a process costs, before anybody waits. */
  function prepare(): void {
    const address = pages.find(new URL(publicUrl + paths.landing))?.keptAs;
    if (address === undefined) return;
    kept.make(address).catch((error: unknown) => services.reportError(error, address));
  }

  return {
    fetch,
    listener,
    prepare,
    hearBroken: refusals.hearBroken,
    hearExpectation: (incoming: IncomingMessage, outgoing: ServerResponse) =>
      void refusals.send("expectation", incoming, outgoing),
  };
}

/** The headers that every answer leaves with. */
async function headersOf(securing: MiddlewareHandler): Promise<string[]> {
  const bare = new Hono();
  bare.use(securing);
  bare.get("/", (c) => c.body(null));
  return [...(await bare.request("/")).headers].flat();
}

function askedBy(request: Request, { incoming }: Connection) {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    url: pathname + search,
    header: (name: string) => request.headers.get(name) ?? undefined,
    remoteAddress: incoming?.socket?.remoteAddress ?? "",
  };
}

/** How long a body may be that is posted to this address; undefined where none is taken. */
function findBodyLimit(
  { hooks, publicUrl }: SiteServices,
  { forms, find }: Pages,
  method: string,
  line: string,
): { most: number; isForm: boolean } | undefined {
  if (method !== "POST" || !line.startsWith("/") || line.length > maxAddressLength)
    return undefined;
  const [path = ""] = line.split("?", 1);
  if (Object.hasOwn(hooks, path)) return { most: hooks[path]?.maxBytes ?? 0, isForm: false };
  const url = new URL(publicUrl + line);
  const isTaken =
    Object.hasOwn(forms, path) ||
    (isReadable(url.pathname) && find(url)?.operators?.takesForms === true);
  return isTaken ? { most: bodyLimits.bytes, isForm: true } : undefined;
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
  const { services, pages, refusals } = parts;
  const app = new Hono<{ Bindings: Connection }>();
  app.use(securing);
  // What no request of ours looks like.
  app.use(async (c, next) => {
    if (isAmbiguous(c.env?.incoming)) return refusals.toResponse("malformed", c.req.raw);
    if (c.req.url.length > maxAddressLength) {
      return refusals.toResponse("addressTooLong", c.req.raw);
    }
    await next();
  });
  serveFiles(app, services.clientDir);
  // No cache keeps what nobody declared as kept, and no proxy rewrites it.
  app.use(async (c, next) => {
    await next();
    if (!c.res.headers.has("Cache-Control")) c.header("Cache-Control", "no-store, no-transform");
  });
  app.on(["GET", "OPTIONS"], healthPath, async (c) => {
    const { status, problems } = await services.health
      .status()
      .catch(() => ({ status: "unavailable", problems: ["The store does not answer."] }));
    return c.json(
      problems.length > 0 ? { status, problems } : { status },
      status === "unavailable" ? 503 : 200,
    );
  });
  for (const [path, hook] of Object.entries(services.hooks)) {
    app.all(path, (c) => answerHook(c, hook));
  }
  app.get("*", (c) => showPage(parts, c));
  app.post("*", (c) => hearForm(parts, c));
  app.all("*", (c) => {
    const takesForms = Object.hasOwn(pages.forms, c.req.path);
    return notAllowed(parts, c, takesForms ? "GET, HEAD, POST" : "GET, HEAD");
  });
  app.onError((error, c) => {
    services.reportError(error, c.req.path);
    return services.isStorageProblem(error)
      ? refusals.toResponse("unavailable", c.req.raw, Object.entries(comeBack).flat())
      : refusals.toResponse("fault", c.req.raw);
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

function answerHook(c: Asked, hook: Hook) {
  const { method, headers } = c.req.raw;
  return hook.answer({
    method,
    headers,
    query: new URL(c.req.url).searchParams,
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
  return answerInTurn(parts, c, () =>
    pages.render(new Request(services.publicUrl + url.pathname + url.search), {}),
  );
}

async function hearForm(parts: Parts, c: Asked): Promise<Response> {
  const { services, pages } = parts;
  const path = c.req.path;
  const url = new URL(c.req.url);
  const form = Object.hasOwn(pages.forms, path) ? pages.forms[path] : undefined;
  if (!form) return hearOperators(parts, c, url);
  // A form that names no origin carries nobody's session, because there is none.
  const isForeign = whereFrom(c.req.raw.headers, services.publicUrl) === "elsewhere";
  const posted = isForeign ? ({ kind: "foreign" } as const) : await formOf(c);
  if (posted.kind === "refused")
    return parts.refusals.toResponse(refusedForms[posted.as], c.req.raw);
  const address = clientAddress(services, c);
  const answer = await form(posted, { clientAddress: address, url });
  if (answer instanceof Response) return answer;
  return answerInTurn(parts, c, async () => {
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

/**
 * Where the page of a request line is kept, if everyone gets the same one. An address without a page, a file that was not built
 * among them, has the page of all such addresses: that is not free, because it can be asked for under any name.
 */
function createKeptFinder({ publicUrl, clientDir }: SiteServices, pages: Pages) {
  const files = listFiles(clientDir);
  return (line: string): { address: string; isFree: boolean } | undefined => {
    if (!line.startsWith("/") || line.length > maxAddressLength) return undefined;
    const url = new URL(publicUrl + line);
    const { pathname } = url;
    if (files.has(pathname) || pathname === healthPath) return undefined;
    if (!isReadable(pathname) || plainPath(pathname) !== pathname) return undefined;
    const page = pages.find(url);
    if (page) return page.keptAs === undefined ? undefined : { address: page.keptAs, isFree: true };
    return { address: pages.inLanguageOf(url, nowhere), isFree: false };
  };
}

/** The addresses of all built files. */
function listFiles(clientDir: string): Set<string> {
  const names = ["assets", "art"].flatMap((folder) => {
    const path = join(clientDir, folder);
    if (!existsSync(path)) return [];
    return readdirSync(path, { recursive: true }).map((name) => `/${folder}/${name}`);
  });
  return new Set([...names, "/favicon.ico"]);
}

/** A page of operators: made for whoever is signed in, kept by nobody, found by no search. */
async function showOperators(parts: Parts, c: Asked, url: URL, visit: Visit): Promise<Response> {
  const asked = new Request(parts.services.publicUrl + url.pathname + url.search, {
    method: visit.posted ? "POST" : "GET",
    headers: ["User-Agent", "Sec-Fetch-Dest"].map((name) => [name, c.req.header(name) ?? ""]),
  });
  return answerInTurn(parts, c, async () => {
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
  const isOurs = whereFrom(c.req.raw.headers, parts.services.publicUrl) === "ours";
  const page = await findPage(parts, url, isOurs ? c.req.header("cookie") : undefined);
  if (!page?.operators?.takesForms) return notAllowed(parts, c, "GET, HEAD");
  if (!isOurs) return parts.refusals.toResponse("foreign", c.req.raw);
  const { signedIn } = page;
  const sent = await formOf(c, operatorPairs);
  if (sent.kind === "form") return showOperators(parts, c, url, { signedIn, posted: sent.typed });
  const kind = refusedForms[sent.kind === "refused" ? sent.as : sent.kind];
  return parts.refusals.toResponse(kind, c.req.raw);
}

/** What is made for one visitor, in turn with the others' and at their own cost. */
async function answerInTurn(
  { turns, refusals }: Parts,
  c: Asked,
  work: () => Promise<Response>,
): Promise<Response> {
  const isGone = () => c.env?.outgoing?.destroyed === true;
  const turn = await turns.run(c.env.admission?.client ?? "", work, isGone);
  if (turn.kind === "gone") return c.body(null, 400);
  if (turn.kind === "busy") {
    return refusals.toResponse("tooMany", c.req.raw, retryAfter(turn.retryAfterMs));
  }
  return compressed(turn.value, c.req.header("accept-encoding"));
}

/** The body, which the listener reads while it comes. Only a request that came by no socket still has its own. */
async function bodyOf(c: Asked, most: number): Promise<Body> {
  const { admission } = c.env;
  if (admission?.body) return admission.body;
  const bytes = new Uint8Array(await c.req.raw.arrayBuffer());
  return bytes.byteLength > most ? { kind: "too-large" } : { kind: "bytes", bytes };
}

type Unread = Exclude<Body["kind"], "bytes"> | "wrong-type";

/** A form is read only where it says that it is one, as browsers send it. */
async function formOf(
  c: Asked,
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
  // Nobody hears it.
  gone: "malformed",
};

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
  return !isAddressed(hosts.length, incoming) || !incoming.url?.startsWith("/");
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

function notAllowed({ refusals }: Parts, c: Context, allow: string): Response {
  return refusals.toResponse("wrongMethod", c.req.raw, ["Allow", allow]);
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
