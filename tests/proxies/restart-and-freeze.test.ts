import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startNginx } from "../harness/nginx.ts";
import { type Arrival, startBehind, startCaddy } from "./proxies.fixture.ts";

// Caddy and nginx with the sample configurations in front of two real servers. Run with `npm run
// test:deep -- proxies`.

/** How long SIGSTOP freezes a server, in milliseconds. */
const frozenMs = 20_000;
/** Longest wait for a page behind Caddy according to docs/put-it-online.md, in milliseconds. */
const promisedMs = 5_000;

const waits = (arrivals: Arrival[]) =>
  Math.round(Math.max(...arrivals.map(({ waitedMs }) => waitedMs)));
const isPage = ({ method }: Arrival) => method === "GET";

function report(name: string, arrivals: Arrival[]): void {
  const failed = arrivals.filter(({ got }) => got !== 200);
  const forms = arrivals.filter((arrival) => !isPage(arrival));
  console.log(
    `${name}: ${arrivals.length} visitors, ${failed.length} without their page, longest wait for a page ${waits(arrivals.filter(isPage))} ms, for a form ${waits(forms)} ms`,
  );
}

const installed = [
  { name: "Caddy", startProxy: startCaddy, path: process.env.CADDY_PATH },
  { name: "nginx", startProxy: startNginx, path: process.env.NGINX_PATH },
].filter(({ path }) => path);

describe.each(installed)("$name in front of two servers", ({ name, startProxy }) => {
  let site: Awaited<ReturnType<typeof startBehind>>;
  beforeAll(async () => {
    site = await startBehind(startProxy, 2);
  });
  afterAll(() => site?.close());

  test("answers every visitor during a rolling restart of the servers", async () => {
    const restarts = async () => {
      for (const at of site.servers.keys()) {
        await site.restart(at);
        // Caddy's health check must notice the restarted server.
        await setTimeout(3_000);
      }
    };
    const arrivals = await site.visitUntil(restarts());
    report(`${name}, restarted`, arrivals);
    expect(arrivals.filter(({ got }) => got !== 200)).toEqual([]);
  });

  test("answers every page request while one server is frozen", async () => {
    const freeze = async () => {
      site.servers[0]?.signal("SIGSTOP");
      await setTimeout(frozenMs);
      site.servers[0]?.signal("SIGCONT");
    };
    const arrivals = await site.visitUntil(freeze());
    report(`${name}, frozen`, arrivals);
    const pages = arrivals.filter(isPage);
    expect(pages.filter(({ got }) => got !== 200)).toEqual([]);
    // Open-source nginx has no active health checks, so visitors wait for its read timeout.
    if (name === "Caddy") expect(waits(pages)).toBeLessThan(promisedMs);
  });
});

test.skipIf(!process.env.CADDY_PATH)(
  "answers every visitor behind Caddy during a restart of the only server",
  async () => {
    const site = await startBehind(startCaddy, 1);
    onTestFinished(() => site.close());
    const arrivals = await site.visitUntil(site.restart(0));
    report("Caddy, only server restarted", arrivals);
    expect(arrivals.filter(({ got }) => got !== 200)).toEqual([]);
  },
);
