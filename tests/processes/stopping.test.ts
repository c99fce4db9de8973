import { existsSync, readdirSync } from "node:fs";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder, folderForEachTest } from "../harness/folder.ts";
import { spawnProgram, startServerProcess } from "../harness/server-process.ts";

folderForEachTest();

const visitors = 20;
/**
 * How long after the signal the server must answer new requests, in milliseconds. The server itself
 * waits twice as long: `lingerMs` in server/platform/http/http-server.ts.
 */
const promisedMs = 250;

/** Requests a page. Resolves to an error code, or to whether the response ends its connection. */
function ask(agent: Agent, port: number): Promise<string | { isLast: boolean }> {
  return new Promise((resolve) => {
    const fail = ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message);
    const request = get({ agent, host: "127.0.0.1", port, path: "/faq" }, (answer) => {
      const isLast = answer.headers.connection === "close";
      answer.resume();
      answer.on("error", fail);
      answer.on("end", () => resolve({ isLast }));
    });
    request.on("error", fail);
  });
}

test("answers every request that reaches a stopping server", async () => {
  const server = await startServerProcess();
  const agent = new Agent({ keepAlive: true, maxSockets: visitors });
  let answered = 0;
  let closingAnswers = 0;
  const known = new Set<number>();
  let signaledAt = Number.POSITIVE_INFINITY;
  const troubles: string[] = [];

  /** Requests pages until the server refuses connections. */
  async function visit(visitor: number): Promise<void> {
    for (;;) {
      const startedAt = performance.now();
      const answer = await ask(agent, server.port);
      if (answer === "ECONNREFUSED") return;
      if (typeof answer === "string") {
        if (startedAt < signaledAt + promisedMs) troubles.push(answer);
        return;
      }
      answered++;
      known.add(visitor);
      if (answer.isLast) closingAnswers++;
      // Stops the server once every visitor has a connection.
      if (
        signaledAt === Number.POSITIVE_INFINITY &&
        answered >= visitors * 5 &&
        known.size === visitors
      ) {
        signaledAt = performance.now();
        server.signal("SIGTERM");
      }
    }
  }

  await Promise.all(Array.from({ length: visitors }, (_, visitor) => visit(visitor)));
  const ending = await server.stop();
  agent.destroy();
  expect(troubles).toEqual([]);
  expect(closingAnswers).toBeGreaterThan(0);
  expect(ending.code).toBe(0);
});

test("tells a proxy that it is stopping while it still accepts connections", async () => {
  const server = await startServerProcess({ TRUST_PROXY: "1" });
  const ask = async (path: string) =>
    (await fetch(server.url + path, { headers: { Connection: "close" } })).status;
  server.signal("SIGTERM");
  await expect.poll(() => ask("/livez")).toBe(503);
  expect(await ask("/faq")).toBe(200);
  expect((await server.stop()).code).toBe(0);
});

test.each(["SIGTERM", "SIGKILL"] as const)(
  "stops the first build when npm start gets a %s",
  async (signal) => {
    const builds = join(folder, ".builds");
    const listBuilds = () => (existsSync(builds) ? readdirSync(builds) : []);
    const start = spawnProgram("scripts/start.mjs", { BUILD_DIR: join(folder, "build") });
    await expect.poll(listBuilds).toHaveLength(1);
    start.kill(signal);
    // A stopped build removes its folder. A running build would leave the folder behind.
    await expect.poll(listBuilds).toEqual([]);
    expect(existsSync(join(folder, "build"))).toBe(false);
  },
);
