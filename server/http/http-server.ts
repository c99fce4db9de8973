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

/** What one connection, one client and all of them together may hold. Node's own limits are minutes and without end. */
const limits = {
  /** Until the headers have arrived. */
  headersMs: 5_000,
  /** Until a whole request has arrived, whatever its body's progress: server/http/body.ts ends nearly all of them sooner. */
  requestMs: longestBodyMs + 10_000,
  /** A connection on which nothing moves, such as one whose client does not read. */
  silentMs: 20_000,
  /** Between two requests. */
  idleMs: 5_000,
  requestsPerConnection: 1_000,
  connections: 2_000,
  /** Of one client; its wider networks have their shares. A proxy of ours has this limit itself. */
  connectionsPerClient: 400,
  /** Of one client, read as soon as they are there. Those beyond are read one after the other, `turnMs` apart. */
  connectionsReadAtOnce: 64,
  turnMs: 2,
};

/** Only Linux deals connections out among sockets that share a port. */
const listeningSockets = process.platform === "linux" ? 16 : 1;

/** Who connects. `waiting` are connections whose turn to be read has not come. */
type Holder = { connections: number; waiting: Socket[] };

/** So that everybody else's connections, which may have come later, are read between those of one network. */
function waitForTurn(holder: Holder, socket: Socket): void {
  // The HTTP server, which was told of the connection before us, begins to read it on the next tick.
  process.nextTick(() => socket.pause());
  if (holder.waiting.push(socket) === 1) setTimeout(readNext, limits.turnMs, holder);
}

function readNext(holder: Holder): void {
  holder.waiting.shift()?.resume();
  if (holder.waiting.length > 0) setTimeout(readNext, limits.turnMs, holder);
}

/** How long requests may still come in on connections that are open already, in milliseconds. */
const farewellMs = 500;
const lastAnswersMs = 5_000;

type ConnectionLimits = {
  /** Whether an address is that of a proxy of ours, behind which everybody is one client. */
  isProxy: (socketAddress: string) => boolean;
  /** Connections at once, of all clients together. */
  most?: number | undefined;
  /** Answers what Node's parser cannot read; without it, Node does. */
  hearBroken?: ((error: Error, socket: Socket) => void) | undefined;
  /** Answers a request with an `Expect` other than 100-continue; without it, Node does. */
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
  // Whoever asks first whether to send its body is told so by whoever reads it, and by nobody where it is refused.
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
     * @param port 0 for one that is free
     * @returns the port
     * @throws what the system says, such as EADDRINUSE
     */
    async listen(port: number, host: string | undefined): Promise<number> {
      const isShared = listeningSockets > 1;
      // A socket that shares its port isn't refused a port that another program has.
      if (isShared && port !== 0) await closeAll([await listenOn(new NetServer(), { port, host })]);
      await listenOn(server, { port, host, reusePort: isShared });
      const address = server.address();
      const taken = typeof address === "object" && address ? address.port : port;
      more = await openMoreSockets(server, { port: taken, host, reusePort: true });
      return taken;
    },

    /**
     * Stops without cutting anybody off: nobody new is taken, every answer says that it is the connection's last, and
     * what is under way gets its time.
     */
    async stop(): Promise<void> {
      stopping = true;
      const closed = closeAll([server, ...more]);
      await new Promise((resolve) => setTimeout(resolve, farewellMs));
      // Where the machine stood still until now, what came in meanwhile is still to be read.
      await new Promise((resolve) => setImmediate(resolve));
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), lastAnswersMs).unref();
      await closed;
    },
  };
}

/** Whoever holds too many connections is given no other; those of one client beyond some are read in turn. */
function limitConnections(
  server: Server,
  { isProxy, most = limits.connections }: ConnectionLimits,
): void {
  const holders = new Map<string, Holder>();
  let connections = 0;

  server.on("connection", (socket: Socket) => {
    connections++;
    socket.once("close", () => connections--);
    if (connections > most) {
      socket.destroy();
      // Whoever only keeps a connection for later makes room.
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
 * Opens more listening sockets on the server's port. Node takes one new connection per socket in each turn of the event
 * loop, so with a single socket a visitor behind 300 other new connections waits for 300 turns; with 16 sockets, for about
 * 30. Measured while one client opens 400 connections again and again: with one socket, the 99th percentile of other
 * visitors' pages is 1.3 to 2.9 times as long, and goes beyond the promised 250 ms.
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

/** An HTTP server's own `close` hangs up on connections that are idle at this moment, and on what is on its way. */
async function closeAll(servers: NetServer[]): Promise<void> {
  await Promise.all(
    servers.map((server) => new Promise((done) => NetServer.prototype.close.call(server, done))),
  );
}
