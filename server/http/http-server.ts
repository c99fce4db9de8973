import { createServer, type Server } from "node:http";
import { Server as NetServer } from "node:net";
import { clientNetwork } from "./client-address.ts";
import type { Listener } from "./listener.ts";

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
};

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

/** @param options.behindProxy whether every connection comes from our own proxy */
export function createLimitedServer(
  listener: Listener,
  options: { behindProxy: boolean },
): HttpServer {
  const connectionsOf = new Map<string, number>();
  let stopping = false;

  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: limits.idleMs,
    },
    (incoming, outgoing) => {
      if (stopping) outgoing.setHeader("Connection", "close");
      listener(incoming, outgoing);
    },
  );
  server.timeout = limits.silentMs;
  server.maxRequestsPerSocket = limits.requestsPerConnection;
  server.maxConnections = limits.connections;
  // Full: whoever only keeps a connection for later makes room.
  server.on("drop", () => server.closeIdleConnections());

  server.on("connection", (socket) => {
    if (options.behindProxy || !socket.remoteAddress) return;
    const client = clientNetwork(socket.remoteAddress);
    const count = (connectionsOf.get(client) ?? 0) + 1;
    connectionsOf.set(client, count);
    socket.once("close", () => {
      const left = (connectionsOf.get(client) ?? 1) - 1;
      if (left > 0) connectionsOf.set(client, left);
      else connectionsOf.delete(client);
    });
    if (count > limits.connectionsPerClient) socket.destroy();
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
