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
  /** Of one client. Behind a proxy all clients are one, and the proxy has this limit instead. */
  connectionsPerClient: 500,
  /** Of one client, read as soon as they are there. Those beyond are read one after the other, `turnMs` apart. */
  connectionsReadAtOnce: 64,
  turnMs: 2,
};

/** Who connects. `waiting` are connections whose turn to be read has not come. */
type Client = { connections: number; waiting: Socket[] };

export type HttpServer = {
  server: Server;
  /**
   * Stops without cutting anybody off: nobody new is taken, every answer says that it is the connection's last, and
   * what is under way gets its time.
   */
  stop(): Promise<void>;
};

/** So that everybody else's connections, which may have come later, are read between those of one client. */
function waitForTurn(client: Client, socket: Socket): void {
  // The HTTP server, which was told of the connection before us, begins to read it on the next tick.
  process.nextTick(() => socket.pause());
  if (client.waiting.push(socket) === 1) setTimeout(readNext, limits.turnMs, client);
}

function readNext(client: Client): void {
  client.waiting.shift()?.resume();
  if (client.waiting.length > 0) setTimeout(readNext, limits.turnMs, client);
}

/** How long requests may still come in on connections that are open already, in milliseconds. */
const farewellMs = 500;
const lastAnswersMs = 5_000;

/** @param options.behindProxy whether every connection comes from our own proxy */
export function createLimitedServer(
  listener: Listener,
  options: { behindProxy: boolean },
): HttpServer {
  const clients = new Map<string, Client>();
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
    if (options.behindProxy || !socket.remoteAddress) return;
    const network = networksOf(socket.remoteAddress)[0].prefix;
    const client = clients.get(network) ?? { connections: 0, waiting: [] };
    clients.set(network, client);
    client.connections++;
    socket.once("close", () => {
      client.connections--;
      if (client.connections === 0) clients.delete(network);
    });
    if (client.connections > limits.connectionsPerClient) socket.destroy();
    else if (client.connections > limits.connectionsReadAtOnce) waitForTurn(client, socket);
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
