import { createServer, type Server } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { Listener } from "./listener.ts";
import { networksOf } from "./networks.ts";

/** What one connection, one client and all of them together may hold. Node's own limits are minutes and without end. */
const limits = {
  /** Until the headers, and until the whole request, have arrived. */
  headersMs: 5_000,
  requestMs: 10_000,
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

export type HttpServer = {
  server: Server;
  /**
   * Stops without cutting anybody off: nobody new is taken, every answer says that it is the connection's last, and
   * what is under way gets its time.
   */
  stop(): Promise<void>;
};

/** How long requests may still come in on connections that are open already, in milliseconds. */
const farewellMs = 500;
const lastAnswersMs = 5_000;

/** @param options.isProxy whether an address is that of a proxy of ours, behind which everybody is one client */
export function createLimitedServer(
  listener: Listener,
  options: { isProxy: (socketAddress: string) => boolean },
): HttpServer {
  const holders = new Map<string, Holder>();
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
  server.timeout = limits.silentMs;
  server.maxRequestsPerSocket = limits.requestsPerConnection;
  server.maxConnections = limits.connections;
  // Full: whoever only keeps a connection for later makes room.
  server.on("drop", () => server.closeIdleConnections());

  server.on("connection", (socket) => {
    const { remoteAddress } = socket;
    if (!remoteAddress || options.isProxy(remoteAddress)) return;
    const held = networksOf(remoteAddress).map(({ prefix, share }) => {
      const holder = holders.get(prefix) ?? { connections: 0, waiting: [] };
      holders.set(prefix, holder);
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

  return {
    server,
    async stop() {
      stopping = true;
      // The HTTP server's own `close` hangs up on connections that are idle at this moment, and on what is on its way.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
      await new Promise((resolve) => setTimeout(resolve, farewellMs));
      // Where the machine stood still until now, what came in meanwhile is still to be read.
      await new Promise((resolve) => setImmediate(resolve));
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), lastAnswersMs).unref();
      await closed;
    },
  };
}
