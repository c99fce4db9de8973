import type { RequestListener, Server } from "node:http";
import { connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { longestBodyMs } from "./body.ts";
import { createLimitedServer } from "./http-server.ts";

let server: Server;
let stop: () => Promise<void>;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  await stop();
});

function serve(listener: RequestListener, most?: number): Promise<number> {
  const limited = createLimitedServer(listener, {
    isBehindProxy: false,
    isProxy: () => false,
    most,
  });
  ({ server, stop } = limited);
  return limited.listen(0, "127.0.0.1");
}

/** Disables all timeouts so that the counts are right even on a slow machine. */
function waitForEver(): void {
  server.timeout = 0;
  server.headersTimeout = 0;
  server.requestTimeout = 0;
  server.keepAliveTimeout = 0;
}

function countConnections(): () => number {
  const held = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    if (socket.destroyed) return;
    held.add(socket);
    socket.once("close", () => held.delete(socket));
  });
  return () => held.size;
}

/** Opens a connection; `closed` resolves when the connection ends. */
function open(port: number) {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => {});
  return { socket, closed };
}

test("disconnects a client that doesn't read its response", async () => {
  const closed = Promise.withResolvers<void>();
  const port = await serve((_, outgoing) => {
    outgoing.once("close", closed.resolve);
    // The response is too long for the buffers on the way to the client.
    outgoing.end(Buffer.alloc(64 * 1024 * 1024));
  });
  expect(server.timeout).toBeGreaterThan(0);
  expect(server.timeout).toBeLessThanOrEqual(20_000);
  // Shortens the timeout to keep the test quick.
  server.timeout = 300;
  const { socket } = open(port);
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await closed.promise;
});

// Node enforces these limits, but its defaults are one minute for headers and five minutes for a
// body.
test("lowers Node's limits on headers, bodies and requests per connection", async () => {
  await serve((_, outgoing) => outgoing.end());
  expect(server).toMatchObject({
    headersTimeout: 5_000,
    requestTimeout: longestBodyMs + 10_000,
    maxRequestsPerSocket: 1_000,
  });
});

test("limits a client to 400 open connections", {
  timeout: 120_000,
}, async () => {
  const port = await serve((_, outgoing) => outgoing.end("here"));
  waitForEver();
  const count = countConnections();
  const held = Array.from({ length: 400 }, () => open(port));
  await expect.poll(count, { timeout: 60_000 }).toBe(400);
  await open(port).closed;
  await expect.poll(count, { timeout: 60_000 }).toBe(400);

  held[0]?.socket.destroy();
  await expect.poll(count, { timeout: 60_000 }).toBe(399);
  const another = open(port);
  another.socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const answer = await new Promise((resolve) => another.socket.once("data", resolve));
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200/);
});

// The test needs two clients, and only Linux has more than one loopback address.
test.runIf(process.platform === "linux")(
  "serves a new client before most of another client's 400 earlier connections",
  { timeout: 120_000 },
  async () => {
    const answered: string[] = [];
    const port = await serve((incoming, outgoing) => {
      answered.push(incoming.url ?? "");
      outgoing.end();
    });
    waitForEver();
    const ask = (path: string, localAddress: string) => {
      const socket = connect({ port, host: "127.0.0.1", localAddress });
      sockets.push(socket);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      return new Promise((resolve) => socket.resume().once("data", resolve));
    };
    const crowd = Array.from({ length: 400 }, () => ask("/crowd", "127.0.0.2"));
    await ask("/newcomer", "127.0.0.1");
    expect(answered.indexOf("/newcomer")).toBeLessThan(300);
    await Promise.all(crowd);
    expect(answered).toHaveLength(401);
  },
);

test.runIf(process.platform === "linux")(
  "accepts 300 new connections within 100 turns of the event loop",
  async () => {
    const port = await serve((_, outgoing) => outgoing.end());
    let turns = 0;
    let taken = 0;
    server.on("connection", () => taken++);
    for (let opened = 0; opened < 300; opened++) open(port);
    for (; taken < 300; turns++) await setImmediate();
    expect(turns).toBeLessThan(100);
  },
);

test("limits the total number of connections", async () => {
  let requests = 0;
  const port = await serve((_, outgoing) => {
    requests++;
    outgoing.write("here");
  }, 3);
  waitForEver();
  for (let count = 1; count <= 3; count++) {
    open(port).socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await expect.poll(() => requests, { timeout: 60_000 }).toBe(count);
  }
  await open(port).closed;
});
