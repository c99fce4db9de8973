import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { Logger } from "pino";
import type { DeletionRequests } from "./deletion-requests/service.ts";
import { isSameOrigin } from "./http/origin-rule.ts";
import { createPageCache } from "./http/page-cache.ts";
import type { SubmissionDoor } from "./http/submission-door.ts";

/** What the pages may use. Everything that can be reached is handed in; tests hand in their own. */
export type SiteServices = {
  publicUrl: string;
  deletionMode: "real" | "simulated";
  deletionRequests: DeletionRequests;
  submissionDoor: SubmissionDoor;
  clock: () => Temporal.Instant;
  /** Absolute path of the built files for browsers. */
  clientDir: string;
  /** Text of a built file, by its address. */
  readAsset: (path: string) => string;
  /** Address of the peer, after trusted hops. */
  clientAddress: (request: Request, socketAddress: string) => string;
  /** True when the store answers. */
  isHealthy: () => Promise<boolean>;
  log: Logger;
  /** Told of every fault; `path` has no query. */
  reportError: (error: unknown, path: string) => void;
};

/** Who is asking. */
export type Visit = { clientAddress: string; sameOrigin: boolean };

type RenderPage = (request: Request, visit: Visit) => Promise<Response>;
type Connection = {
  incoming?: { socket: { remoteAddress?: string }; rawHeaders: string[]; url?: string };
};

/** The whole site as one function from request to response. */
export function createApp(services: SiteServices, renderPage: RenderPage) {
  const { publicUrl, log } = services;
  const pages = createPageCache(() => services.clock().epochMilliseconds);
  const app = new Hono<{ Bindings: Connection }>();

  app.use(async (c, next) => {
    const started = performance.now();
    await next();
    // No address, no query, no user agent: nothing here leads to a person.
    log.info(
      {
        method: c.req.method,
        path: c.req.path,
        status: c.res.status,
        ms: Math.round(performance.now() - started),
      },
      "request",
    );
  });

  app.use(
    secureHeaders({
      contentSecurityPolicy: undefined,
      referrerPolicy: "same-origin",
      xFrameOptions: "DENY",
      strictTransportSecurity: publicUrl.startsWith("https:") ? "max-age=31536000" : false,
      permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [] },
    }),
  );

  app.use(async (c, next) => {
    if (isAmbiguous(c.env?.incoming))
      return c.text("Bad request: one Host header and a plain path, please.", 400);
    await next();
  });

  app.get("/healthz", async (c) => {
    const healthy = await services.isHealthy().catch(() => false);
    c.header("Cache-Control", "no-store");
    return c.json({ status: healthy ? "ok" : "database unavailable" }, healthy ? 200 : 503);
  });

  // The names of built files contain a hash of what is in them.
  const files = serveStatic({ root: services.clientDir, precompressed: true });
  for (const path of ["/assets/*", "/art/*"]) {
    app.use(path, async (c, next) => {
      await next();
      if (c.res.ok) c.header("Cache-Control", "public, max-age=31536000, immutable");
    });
    app.get(path, files);
  }
  app.get("/favicon.ico", serveStatic({ root: services.clientDir }));

  app.all("*", async (c) => {
    const request = c.req.raw;
    const url = new URL(request.url);
    if (url.pathname.length > 1 && url.pathname.endsWith("/")) {
      const path = url.pathname.replace(/\/+$/, "") || "/";
      return c.redirect(path.replace(/^\/+/, "/") + url.search, 308);
    }
    const visit: Visit = {
      clientAddress: clientAddress(c),
      sameOrigin: isSameOrigin(request.headers, publicUrl),
    };
    if (request.method === "GET" || request.method === "HEAD") {
      return pages.respond(request, () => renderPage(forRouter(request, url, publicUrl), visit));
    }
    return renderPage(forRouter(request, url, publicUrl), visit);
  });

  app.onError((error, c) => {
    services.reportError(error, c.req.path);
    return c.text("Something broke on our side. Please load the page again in a moment.", 500);
  });

  return app;

  function clientAddress(c: Context<{ Bindings: Connection }>): string {
    return services.clientAddress(c.req.raw, c.env?.incoming?.socket.remoteAddress ?? "");
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

/**
 * The request as the router sees it: at the public origin, whatever the Host header said, and without `Origin`,
 * which `isSameOrigin` has judged by a rule that also holds behind a proxy.
 */
function forRouter(request: Request, url: URL, publicUrl: string): Request {
  const headers = new Headers(request.headers);
  headers.delete("origin");
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  return new Request(publicUrl + url.pathname + url.search, {
    // HEAD is rendered as GET, so that both say the same; the adapter leaves the body out.
    method: hasBody ? request.method : "GET",
    headers,
    ...(hasBody ? { body: request.body, duplex: "half" } : {}),
    signal: request.signal,
  } as RequestInit);
}
