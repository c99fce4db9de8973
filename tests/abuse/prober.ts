import { Agent, get } from "node:http";

/**
 * Simulates all other visitors. Requests pages at a steady rate, even while earlier requests are
 * unanswered. Every second request uses a new connection. Runs in a separate process so that
 * neither the attack nor the tests delay it. Each wait counts from the scheduled time of the
 * request.
 */
export type Probing = { port: number; barePort: number; pages: string[]; everyMs: number };
export type Probes = {
  waitsMs: number[];
  /** Response times of the bare server, in milliseconds. */
  bareWaitsMs: number[];
  /** Number of failed page loads, keyed by cause. */
  failures: Record<string, number>;
};

/** How long a visitor waits before giving up, in milliseconds. */
const patienceMs = 10_000;

const probing = JSON.parse(process.argv[2] ?? "") as Probing;
const probes: Probes = { waitsMs: [], bareWaitsMs: [], failures: {} };
const kept = new Agent({ keepAlive: true, maxSockets: 8 });
const outstanding = new Set<Promise<void>>();
let turn = 0;

/** Requests a page. Like a browser, retries once if the server closes a reused connection. */
function ask(
  port: number,
  path: string,
  { agent = false, again = true }: { agent?: Agent | false; again?: boolean } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const request = get(
      {
        host: "127.0.0.1",
        port,
        path,
        agent,
        headers: { Host: `localhost:${port}`, "Accept-Encoding": "br" },
      },
      (response) => {
        response.resume();
        response.on("end", () =>
          resolve(response.statusCode === 200 ? "" : `status ${response.statusCode}`),
        );
        response.on("error", () => resolve("cut off"));
      },
    );
    const patience = setTimeout(() => request.destroy(new Error("no answer")), patienceMs);
    request.on("close", () => clearTimeout(patience));
    request.on("error", (error: NodeJS.ErrnoException) => {
      if (again && request.reusedSocket) resolve(ask(port, path, { agent, again: false }));
      else resolve(error.code ?? error.message);
    });
  });
}

function track(answer: Promise<string>, note: (failure: string) => void): void {
  const noted = answer.then(note);
  outstanding.add(noted);
  noted.finally(() => outstanding.delete(noted));
}

function probe(wantedAt: number): void {
  const page = probing.pages[turn % probing.pages.length] ?? "/";
  const agent = turn % 2 === 0 ? kept : false;
  if (turn % 4 === 0) {
    track(ask(probing.barePort, "/", { agent }), () => {
      probes.bareWaitsMs.push(performance.now() - wantedAt);
    });
  }
  turn++;
  track(ask(probing.port, page, { agent }), (failure) => {
    const waitMs = performance.now() - wantedAt;
    probes.waitsMs.push(failure ? Math.max(waitMs, patienceMs) : waitMs);
    if (failure) probes.failures[failure] = (probes.failures[failure] ?? 0) + 1;
  });
}

// Warms up this process. Its first requests are slow.
for (let index = 0; index < 3 * probing.pages.length; index++) {
  await ask(probing.port, probing.pages[index % probing.pages.length] ?? "/", { agent: kept });
  await ask(probing.barePort, "/");
}
process.send?.("ready");

let wantedAt = performance.now();
const timer = setInterval(() => {
  for (; wantedAt <= performance.now(); wantedAt += probing.everyMs) probe(wantedAt);
}, 5);

process.on("message", async () => {
  clearInterval(timer);
  await Promise.all(outstanding);
  process.send?.(probes, () => process.exit());
});
process.on("disconnect", () => process.exit());
