import { once } from "node:events";
import { createServer, type Server } from "node:http";
import {
  createServer as createNetServer,
  type ListenOptions,
  Server as NetServer,
  type Socket,
} from "node:net";
import { longestBodyMs } from "./body.ts";
import type { Listener } from "./listener.ts";
import { networksOf } from "./networks.ts";

/** Limits per connection, per client and in total. Node's defaults are minutes or no limit. */
const limits = {
  /** Time for the headers to arrive. */
  headersMs: 5_000,
  /**
   * Time for the whole request; server/platform/http/body.ts ends almost all slow bodies sooner.
   */
  requestMs: longestBodyMs + 10_000,
  /** Time without traffic, for example because the client doesn't read. */
  silentMs: 20_000,
  /** Time between two requests. */
  idleMs: 5_000,
  requestsPerConnection: 1_000,
  connections: 2_000,
  /**
   * Connections per client; wider networks get multiples. Our own proxy enforces this limit itself.
   */
  connectionsPerClient: 400,
  /** Connections of one client that are read right away; the rest are read `turnMs` apart. */
  connectionsReadAtOnce: 64,
  turnMs: 2,
};

/** Number of sockets that share the port. Only Linux distributes connections among them. */
const listeningSockets = process.platform === "linux" ? 16 : 1;

/** Connections of a client or network; `waiting` are the ones not read yet. */
type ClientConnections = { connections: number; waiting: Socket[] };

/**
 * Delays reading a connection, so that the server reads later connections of other clients in
 * between.
 */
function waitForTurn(holder: ClientConnections, socket: Socket): void {
  // The HTTP server got the connection first and starts reading on the next tick.
  process.nextTick(() => socket.pause());
  if (holder.waiting.push(socket) === 1) setTimeout(readNext, limits.turnMs, holder);
}

function readNext(holder: ClientConnections): void {
  holder.waiting.shift()?.resume();
  if (holder.waiting.length > 0) setTimeout(readNext, limits.turnMs, holder);
}

/** Milliseconds during which open connections may still send requests during a shutdown. */
const farewellMs = 500;
const lastAnswersMs = 5_000;

type ConnectionLimits = {
  /** Checks whether an address is our own proxy's, behind which all clients look like one. */
  isProxy: (socketAddress: string) => boolean;
  /** Limit on all connections together. */
  most?: number | undefined;
  /** Answers unparsable requests; Node does by default. */
  hearBroken?: ((error: Error, socket: Socket) => void) | undefined;
  /** Answers a request with an `Expect` other than 100-continue; Node does by default. */
  hearExpectation?: Listener | undefined;
};

export function createLimitedServer(listener: Listener, options: ConnectionLimits) {
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
  // The listener sends 100 Continue itself, and only if it accepts the body.
  server.on("checkContinue", answer);
  if (options.hearExpectation) server.on("checkExpectation", options.hearExpectation);
  if (options.hearBroken) {
    const { hearBroken } = options;
    server.on("clientError", (error, socket) => hearBroken(error, socket as Socket));
  }
  server.timeout = limits.silentMs;
  server.maxRequestsPerSocket = limits.requestsPerConnection;
  limitConnections(server, options);
  let more: NetServer[] = [];

  return {
    server,

    /**
     * Starts listening.
     * @param port 0 for any free port
     * @returns the port
     * @throws system errors such as EADDRINUSE
     */
    async listen(port: number, host: string | undefined): Promise<number> {
      const isShared = listeningSockets > 1;
      // Tries an unshared socket first, because a shared one would also bind a port in use.
      if (isShared && port !== 0) await closeAll([await listenOn(new NetServer(), { port, host })]);
      await listenOn(server, { port, host, reusePort: isShared });
      const address = server.address();
      const taken = typeof address === "object" && address ? address.port : port;
      more = await openMoreSockets(server, { port: taken, host, reusePort: true });
      return taken;
    },

    /**
     * Shuts down gracefully: accepts no new connections, sends `Connection: close` with every
     * response and waits for requests in progress.
     */
    async stop(): Promise<void> {
      stopping = true;
      const closed = closeAll([server, ...more]);
      await new Promise((resolve) => setTimeout(resolve, farewellMs));
      // After a suspension of the machine, reads the data that arrived meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), lastAnswersMs).unref();
      await closed;
    },
  };
}

/** Closes connections beyond the limits, and delays those of a client with many connections. */
function limitConnections(
  server: Server,
  { isProxy, most = limits.connections }: ConnectionLimits,
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
 * Opens more listening sockets on the server's port. Node accepts one new connection per socket in
 * each turn of the event loop, so with a single socket, a visitor behind 300 other new connections
 * waits for 300 turns; with 16 sockets, for about 30. Measured while one client keeps opening 400
 * connections: with one socket, the 99th percentile of other visitors' page times is 1.3 to 2.9
 * times as long and exceeds the promised 250 ms.
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
 * Closes servers with the close method of net.Server. The one of http.Server would also end idle
 * connections, even if a request is on its way.
 */
async function closeAll(servers: NetServer[]): Promise<void> {
  await Promise.all(
    servers.map((server) => new Promise((done) => NetServer.prototype.close.call(server, done))),
  );
}
