import { once } from "node:events";
import { Agent, get, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
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
  const limited = createLimitedServer(listener, { isProxy: () => false, most });
  ({ server, stop } = limited);
  return limited.listen(0, "127.0.0.1");
}

/** Nothing is ended for having waited: what is counted here is counted on a slow machine, too. */
function waitForEver(): void {
  server.timeout = 0;
  server.headersTimeout = 0;
  server.requestTimeout = 0;
  server.keepAliveTimeout = 0;
}

/** How many connections are open at the server. */
function countConnections(): () => number {
  const held = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    if (socket.destroyed) return;
    held.add(socket);
    socket.once("close", () => held.delete(socket));
  });
  return () => held.size;
}

/** Opens a connection; what becomes of it is told by `closed`. */
function open(port: number) {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.on("error", () => {});
  return { socket, closed };
}

test("a client that does not read its answer is hung up on", async () => {
  const gone = Promise.withResolvers<void>();
  const port = await serve((_, outgoing) => {
    outgoing.once("close", gone.resolve);
    // More than any buffer on the way holds.
    outgoing.end(Buffer.alloc(64 * 1024 * 1024));
  });
  expect(server.timeout).toBeGreaterThan(0);
  expect(server.timeout).toBeLessThanOrEqual(20_000);
  // The same in a shorter time.
  server.timeout = 300;
  const { socket } = open(port);
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await gone.promise;
});

// Node by itself would wait a minute for headers, and five for a body.
test.each([
  ["headers never end", "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "],
  ["body never comes", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nemail="],
])("a client whose %s is hung up on", async (_, text) => {
  const port = await serve((incoming) => incoming.resume());
  expect(server.headersTimeout).toBeLessThanOrEqual(5_000);
  expect(server.requestTimeout).toBeLessThanOrEqual(10_000);
  // The same in a shorter time.
  server.headersTimeout = 100;
  server.requestTimeout = 200;
  const { socket, closed } = open(port);
  socket.resume().write(text);
  await closed;
});

test("a connection is good for a thousand requests", async () => {
  let last = "";
  const port = await serve((_, outgoing) => outgoing.end());
  waitForEver();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let asked = 0;
  while (last !== "close" && asked < 1_001) {
    const sent = get({ port, host: "127.0.0.1", agent });
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    await once(response.resume(), "end");
    last = response.headers.connection ?? "";
    asked++;
  }
  agent.destroy();
  expect(asked).toBe(1_000);
});

test("one client has 400 connections at most, and gets others when some are closed", {
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

// Other systems have one loopback address, and here are two clients.
test.runIf(process.platform === "linux")(
  "whoever comes behind 400 connections of one client is answered before most of them",
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

test("all clients together have a limit, too", async () => {
  let asked = 0;
  const port = await serve((_, outgoing) => {
    asked++;
    outgoing.write("here");
  }, 3);
  waitForEver();
  for (let count = 1; count <= 3; count++) {
    open(port).socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await expect.poll(() => asked, { timeout: 60_000 }).toBe(count);
  }
  await open(port).closed;
});
