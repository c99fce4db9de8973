import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { vi } from "vitest";
import { paths } from "../../server/platform/http/paths.ts";
import { root } from "../harness/campus.ts";
import { makeCertificate } from "../harness/certificate.ts";
import { filledForm, takesMany } from "../harness/deletion-form.ts";
import { findFreePort } from "../harness/free-port.ts";
import { killOnExit } from "../harness/kill-on-exit.ts";
import { type ProxyPlace, sampleHost } from "../harness/nginx.ts";
import { createTestDatabase, startPostgres } from "../harness/postgres.ts";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";

/** A visitor's request. `got` is the response's status, or the error if there was no response. */
export type Arrival = { method: string; got: number | string; waitedMs: number };

/** Starts servers on one PostgreSQL database behind a proxy with a sample configuration. */
export async function startBehind(
  startProxy: (place: ProxyPlace) => Promise<ChildProcess>,
  count: number,
) {
  const folder = await mkdtemp(join(tmpdir(), "proxies-"));
  const postgres = await startPostgres();
  const database = await createTestDatabase(postgres.url);
  const [port, plainPort, ...upstreams] = await findFreePorts(2 + count);
  if (port === undefined || plainPort === undefined) throw new Error("no free port");
  const publicUrl = `https://${sampleHost}`;
  const settings = {
    ...takesMany,
    PUBLIC_URL: publicUrl,
    DATABASE_URL: database.url,
    SECRET_KEYS: `1:${randomBytes(32).toString("base64url")}`,
    SMTP_URL: "smtp://127.0.0.1:9",
    TRUST_PROXY: "1",
  };
  const start = (at: number) =>
    startServerProcess({ ...settings, PORT: String(upstreams[at]) }, join(folder, `data-${at}`));
  const servers: ServerProcess[] = [];
  for (const at of upstreams.keys()) servers.push(await start(at));
  const proxy = await startProxy({ folder, port, plainPort, upstreams });
  const ask = (path: string, form?: Record<string, string>) => send(port, path, form);
  await vi.waitUntil(async () => (await ask("/livez")).got === 200, { timeout: 60_000 });

  return {
    servers,
    async restart(at: number): Promise<void> {
      await servers[at]?.stop();
      servers[at] = await start(at);
    },

    /** Sends a request every 100 ms until `done` settles. Every fifth request submits a form. */
    async visitUntil(done: Promise<unknown>): Promise<Arrival[]> {
      let isOver = false;
      void done.finally(() => {
        isOver = true;
      });
      const arrivals: Promise<Arrival>[] = [];
      for (let visitor = 0; !isOver; visitor++) {
        const email = `v${visitor}@uni.example`;
        const isForm = visitor % 5 === 4;
        const path = ["/", "/faq", "/blog", paths.deletion][visitor % 5] ?? paths.deletionRequests;
        arrivals.push(isForm ? ask(path, filledForm({ email })) : ask(path));
        await setTimeout(100);
      }
      await done;
      return Promise.all(arrivals);
    },

    async close(): Promise<void> {
      proxy.kill();
      for (const server of servers) server.signal("SIGCONT");
      await Promise.all(servers.map((server) => server.stop("SIGKILL")));
      await postgres.close();
      await rm(folder, { recursive: true });
    },
  };

  async function send(at: number, path: string, form?: Record<string, string>): Promise<Arrival> {
    const startedAt = performance.now();
    const sent = request({
      host: "127.0.0.1",
      port: at,
      path,
      method: form ? "POST" : "GET",
      servername: sampleHost,
      rejectUnauthorized: false,
      agent: false,
      headers: {
        Host: sampleHost,
        ...(form && {
          Origin: publicUrl,
          "Content-Type": "application/x-www-form-urlencoded",
        }),
      },
    });
    sent.end(form ? new URLSearchParams(form).toString() : undefined);
    const got = await (once(sent, "response") as Promise<[IncomingMessage]>)
      .then(async ([answer]) => {
        await once(answer.resume(), "end");
        return answer.statusCode ?? 0;
      })
      .catch(String);
    const waitedMs = performance.now() - startedAt;
    return { method: form ? "POST" : "GET", got, waitedMs };
  }
}

async function findFreePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) found.add(await findFreePort());
  return [...found];
}

/** Starts Caddy with the sample configuration and a self-signed certificate. */
export async function startCaddy({
  folder,
  port,
  plainPort,
  upstreams: [first, second],
}: ProxyPlace): Promise<ChildProcess> {
  await makeCertificate(folder, sampleHost);
  const sample = await readFile(join(root, "examples/caddy/Caddyfile"), "utf8");
  const fitted = sample
    .replace("to 127.0.0.1:3000", `to 127.0.0.1:${first}`)
    .replace("# to 127.0.0.1:3001", second ? `to 127.0.0.1:${second}` : "$&")
    .replace(
      `${sampleHost} {`,
      `${sampleHost} {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`,
    );
  const options = `{\n\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n}\n`;
  const file = join(folder, "Caddyfile");
  await writeFile(file, options + fitted);
  return killOnExit(
    spawn(process.env.CADDY_PATH ?? "caddy", ["run", "--config", file, "--adapter", "caddyfile"], {
      stdio: "ignore",
      env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    }),
  );
}
