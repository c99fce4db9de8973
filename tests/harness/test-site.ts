import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Config } from "../../server/config.ts";
import { openTestServices } from "../../server/services.fixture.ts";
import type { SiteServices } from "../../server/services.ts";
import { openSiteBundle } from "../../server/site-bundle.ts";
import type { Role } from "../../server/team/roster/operators.ts";
import { campusDir, buildDir as projectBuildDir } from "./campus.ts";
import { signIn } from "./sign-in.ts";

export type TestSiteOptions = Partial<
  Pick<
    Config,
    "publicUrl" | "deletionMode" | "submissionLimit" | "trustProxy" | "accountSystem" | "isDrill"
  >
> & {
  /** URL of an SMTP server. Without a URL, the site writes emails to files in the data folder. */
  smtpUrl?: string;
  /** Whether to listen on a free local port for a browser. `publicUrl` then has that port. */
  listen?: boolean;
  /** The build to serve, by default the project's. */
  buildDir?: string;
  opensAt?: Temporal.Instant;
};

export type TestSite = Awaited<ReturnType<typeof openTestSite>>;

type RequestOptions = RequestInit & {
  /** The client's IP address, as the socket would report it. */
  from?: string;
};

/** Form fields. A list submits several values under one name. */
type Fields = Record<string, string | string[]> | string[][];

/**
 * Opens the built site in this process, with its own database in a temporary folder. Requests don't
 * need a socket. The clock stands still until a test advances it.
 */
export async function openTestSite({
  smtpUrl,
  listen = false,
  buildDir = projectBuildDir,
  opensAt = Temporal.Instant.from("2026-11-21T04:00:00Z"),
  ...changes
}: TestSiteOptions = {}) {
  // Reserves the port for `publicUrl`. Requests wait until the site is open.
  const server = listen ? createServer() : undefined;
  if (server) await once(server.listen(0, "127.0.0.1"), "listening");
  const port = (server?.address() as AddressInfo | undefined)?.port ?? 3000;
  const publicUrl = changes.publicUrl ?? `http://localhost:${port}`;
  const bundle = await openSiteBundle(buildDir);
  const opened = await openTestServices(bundle, {
    now: opensAt,
    settings: { PORT: String(port), CAMPUS_DIR: campusDir, SMTP_URL: smtpUrl },
    config: { submissionLimit: 10_000, ...changes, publicUrl },
  });
  const { foundation, rounds, kysely, logLines } = opened;
  const { clock, database, dataDir } = foundation;
  const faults: { error: unknown; path: string }[] = [];
  const services: SiteServices = {
    ...opened.site,
    reportError: (error, path) => faults.push({ error, path }),
  };
  const site = bundle.createSite(services);

  server?.on("request", site.listener);

  async function ask(path: string, { from = "203.0.113.7", ...init }: RequestOptions = {}) {
    const request = new Request(new URL(path, publicUrl), { redirect: "manual", ...init });
    const { pathname, search, host } = new URL(request.url);
    return site.fetch(request, {
      incoming: {
        socket: { remoteAddress: from },
        rawHeaders: ["Host", host],
        url: pathname + search,
      },
    });
  }

  /** Fetches a page as text. Throws if the status differs from `status`. */
  async function read(path: string, status = 200, init?: RequestOptions): Promise<string> {
    const response = await ask(path, init);
    const body = await response.text();
    if (response.status !== status) {
      throw new Error(`${path} answered ${response.status}: ${body.slice(0, 200)}`);
    }
    return body;
  }

  async function post(path: string, fields: Fields, init: RequestOptions = {}) {
    const pairs = Array.isArray(fields)
      ? fields
      : Object.entries(fields).flatMap(([name, value]) =>
          [value].flat().map((item) => [name, item]),
        );
    return ask(path, {
      method: "POST",
      body: new URLSearchParams(pairs),
      ...init,
      headers: { Origin: publicUrl, ...init.headers },
    });
  }

  return {
    publicUrl,
    port,
    dataDir,
    foundation,
    services,
    database,
    kysely,
    clock,
    logLines,
    faults,
    /** Runs the scheduled jobs on demand, including email delivery. */
    rounds,
    ask,
    read,
    /** Submits a form as a browser without JavaScript does. */
    post,
    /** Signs in an operator. The returned functions send requests with the operator's cookie. */
    async signInAs(name: string, role: Role = "operator") {
      const { cookie } = await signIn(foundation, clock(), name, role);
      const with_ = (init: RequestOptions = {}): RequestOptions => ({
        ...init,
        headers: { Cookie: cookie, ...init.headers },
      });
      return {
        cookie,
        ask: (path: string, init?: RequestOptions) => ask(path, with_(init)),
        read: (path: string, status?: number) => read(path, status, with_({})),
        post: (path: string, fields: Fields, init?: RequestOptions) =>
          post(path, fields, with_(init)),
      };
    },
    /** All stored submissions, oldest first. */
    stored: async () => kysely.selectFrom("submissions").selectAll().orderBy("id").execute(),
    wait: opened.pass,
    /** Closes the site. Throws if the log contains personal data from a form. */
    async [Symbol.asyncDispose]() {
      server?.closeAllConnections();
      server?.close();
      await opened.close();
      const named = logLines.find((line) => /uni\.example|203\.0\.113|another city/.test(line));
      if (named) throw new Error(`The log contains typed text or an email address: ${named}`);
    },
  };
}
