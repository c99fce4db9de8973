import { once } from "node:events";
import { createServer, type Server } from "node:http";
import {
  createServer as createNetServer,
  type ListenOptions,
  Server as NetServer,
  type Socket,
} from "node:net";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { longestBodyMs } from "./body.ts";
import type { Listener } from "./listener.ts";
import { networksOf } from "./networks.ts";

/** Limits per connection, per client and overall. Node's defaults are minutes or unlimited. */
const limits = {
  headersMs: 5_000,
  /** How long the entire request may take. `body.ts` ends almost all slow bodies earlier. */
  requestMs: longestBodyMs + 10_000,
  /** How long a connection may have no traffic, for example because the client doesn't read. */
  silentMs: 20_000,
  /** How long a connection may stay open between two requests. */
  idleMs: 5_000,
  requestsPerConnection: 1_000,
  connections: 2_000,
  /**
   * Maximum number of connections per client. Wider networks get a multiple of it. Our own proxy
   * enforces this limit for its clients.
   */
  connectionsPerClient: 400,
  /**
   * Number of a client's connections that the server reads right away. It starts reading further
   * connections at intervals of `turnMs`.
   */
  connectionsReadAtOnce: 64,
  turnMs: 2,
};

/** How many sockets share the port. Only Linux distributes connections among them. */
const listeningSockets = process.platform === "linux" ? 16 : 1;

/**
 * Connections of a client or network. The server doesn't read from the `waiting` connections yet.
 */
type ClientConnections = { connections: number; waiting: Socket[] };

/** Delays reading from a connection so that other clients' newer connections are read first. */
function waitForTurn(holder: ClientConnections, socket: Socket): void {
  // The HTTP server starts reading on the next tick, so the socket can't be paused earlier.
  process.nextTick(() => socket.pause());
  if (holder.waiting.push(socket) === 1) setTimeout(readNext, limits.turnMs, holder);
}

function readNext(holder: ClientConnections): void {
  holder.waiting.shift()?.resume();
  if (holder.waiting.length > 0) setTimeout(readNext, limits.turnMs, holder);
}

/**
 * How long a server behind a proxy still accepts connections during a shutdown, in milliseconds.
 * Within this time, the proxy notices that `/livez` fails and picks another server, or holds its
 * visitors back. `examples/caddy/Caddyfile` checks every second.
 */
const announceMs = 2_000;
/** How long open connections may still send requests during a shutdown, in milliseconds. */
const lingerMs = 500;
const lastAnswersMs = 5_000;

type ServerOptions = {
  isBehindProxy: boolean;
  /**
   * Checks whether an address belongs to our own proxy, whose connections come from many clients.
   */
  isProxy: (socketAddress: string) => boolean;
  /** Maximum number of connections overall. */
  most?: number | undefined;
  /** Answers requests that can't be parsed. By default, Node answers them. */
  answerBroken?: ((error: Error, socket: Socket) => void) | undefined;
  /** Answers a request with an `Expect` other than 100-continue. By default, Node answers it. */
  answerExpectation?: Listener | undefined;
};

export function createLimitedServer(listener: Listener, options: ServerOptions) {
  let stopping = false;

  const answer: Listener = (incoming, outgoing) => {
    if (stopping) outgoing.setHeader("Connection", "close");
    listener(incoming, outgoing);
  };
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: limits.idleMs,
    },
    answer,
  );
  // The listener sends 100 Continue itself, and only if it will accept the body.
  server.on("checkContinue", answer);
  if (options.answerExpectation) server.on("checkExpectation", options.answerExpectation);
  if (options.answerBroken) {
    const { answerBroken } = options;
    server.on("clientError", (error, socket) => answerBroken(error, socket as Socket));
  }
  server.timeout = limits.silentMs;
  server.maxRequestsPerSocket = limits.requestsPerConnection;
  limitConnections(server, options);
  let more: NetServer[] = [];

  return {
    server,

    /**
     * @param port 0 for any free port
     * @returns the port
     * @throws system errors such as EADDRINUSE
     */
    async listen(port: number, host: string | undefined): Promise<number> {
      const isShared = listeningSockets > 1;
      // Tries an unshared socket first, because a shared socket would bind even to a port in use.
      if (isShared && port !== 0) await closeAll([await listenOn(new NetServer(), { port, host })]);
      await listenOn(server, { port, host, reusePort: isShared });
      const address = server.address();
      const taken = typeof address === "object" && address ? address.port : port;
      more = await openMoreSockets(server, { port: taken, host, reusePort: true });
      return taken;
    },

    /**
     * Shuts down gracefully: sends `Connection: close` with every response, accepts no new
     * connections (behind a proxy after `announceMs`), and waits for requests in progress.
     */
    async stop(): Promise<void> {
      stopping = true;
      if (options.isBehindProxy) await sleep(announceMs);
      const closed = closeAll([server, ...more]);
      await sleep(lingerMs);
      // Reads data that arrived while the machine was suspended.
      await setImmediate();
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), lastAnswersMs).unref();
      await closed;
    },
  };
}

/** Closes connections beyond the limits, and delays reading from clients with many connections. */
function limitConnections(
  server: Server,
  { isProxy, most = limits.connections }: ServerOptions,
): void {
  const holders = new Map<string, ClientConnections>();
  let connections = 0;

  server.on("connection", (socket: Socket) => {
    connections++;
    socket.once("close", () => connections--);
    if (connections > most) {
      socket.destroy();
      // Closes idle connections to make room.
      server.closeIdleConnections();
      return;
    }
    const { remoteAddress } = socket;
    if (!remoteAddress || isProxy(remoteAddress)) return;
    const held = networksOf(remoteAddress).map(({ prefix, share }) => {
      const holder = holders.getOrInsert(prefix, { connections: 0, waiting: [] });
      holder.connections++;
      return { prefix, share, holder };
    });
    socket.once("close", () => {
      for (const { prefix, holder } of held) {
        if (--holder.connections === 0) holders.delete(prefix);
      }
    });
    const { connectionsPerClient, connectionsReadAtOnce } = limits;
    const isFull = held.some(
      ({ share, holder }) => holder.connections > connectionsPerClient * share,
    );
    const [client] = held;
    if (isFull) socket.destroy();
    else if (client && client.holder.connections > connectionsReadAtOnce) {
      waitForTurn(client.holder, socket);
    }
  });
}

/**
 * Opens more listening sockets on the server's port. Node accepts one connection per socket and
 * event-loop turn. A visitor behind 300 other new connections waits for 300 turns with a single
 * socket, and for about 30 with 16 sockets. We measured the 99th percentile of other visitors' page
 * times while one client kept opening 400 connections. With a single socket, it was 1.3 to 2.9
 * times as long and exceeded the promised 250 ms.
 */
function openMoreSockets(server: Server, options: ListenOptions): Promise<NetServer[]> {
  const take = (socket: Socket) => void server.emit("connection", socket);
  return Promise.all(
    Array.from({ length: listeningSockets - 1 }, () =>
      listenOn(createNetServer({ allowHalfOpen: true, noDelay: true }, take), options),
    ),
  );
}

async function listenOn<T extends NetServer>(server: T, options: ListenOptions): Promise<T> {
  await once(server.listen(options), "listening");
  return server;
}

/**
 * Closes servers with the `close` of `net.Server`, because the `close` of `http.Server` also ends
 * idle connections, even if a request is on its way.
 */
async function closeAll(servers: NetServer[]): Promise<void> {
  await Promise.all(
    servers.map((server) => new Promise((done) => NetServer.prototype.close.call(server, done))),
  );
}
