import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** The target of an attack, and the attack's duration in seconds. */
export type Target = { port: number; seconds: number; dataDir: string };

export type Client = ReturnType<typeof createClient>;

/** The attacker's IP address. On Linux, other visitors are on a different network. */
const ownAddress = process.platform === "linux" ? "127.0.1.66" : "127.0.0.1";

/** Creates a client that sends raw HTTP over its own connections. */
export function createClient(target: Target) {
  const until = performance.now() + target.seconds * 1_000;

  function open(localAddress = ownAddress): Socket {
    const socket = connect({ port: target.port, host: "127.0.0.1", localAddress });
    socket.on("error", () => {});
    return socket;
  }
  const ended = (socket: Socket) =>
    new Promise<unknown>((resolve) => socket.once("close", resolve));

  return {
    ...target,

    ask: (path: string, encoding = "br") =>
      `GET ${path} HTTP/1.1\r\nHost: localhost:${target.port}\r\nAccept-Encoding: ${encoding}\r\n\r\n`,

    /** Builds a form request. `headers` declare the body's length, rightly or wrongly, or omit it. */
    post: (
      headers: readonly string[],
      body = "",
      { type = "application/x-www-form-urlencoded", path = "/deletion-requests" } = {},
    ) =>
      [
        `POST ${path} HTTP/1.1`,
        `Host: localhost:${target.port}`,
        `Origin: http://localhost:${target.port}`,
        `Content-Type: ${type}`,
        ...headers,
        "",
        body,
      ].join("\r\n"),

    /**
     * Repeats `act` on `width` concurrent connections until time is up.
     * @param act receives the number of earlier calls on all connections
     */
    async repeat(width: number, act: (turn: number) => Promise<void>): Promise<void> {
      let turn = 0;
      const send = async () => {
        while (performance.now() < until) {
          const started = performance.now();
          await Promise.race([act(turn++), pause(Math.max(0, until - performance.now()))]);
          // Loopback connections fail faster than real ones, so this adds a delay.
          if (performance.now() - started < 2) await pause(2);
        }
      };
      await Promise.all(Array.from({ length: width }, send));
    },

    /**
     * Sends a request. Waits until the response starts, the connection closes, or the timeout
     * expires.
     */
    async send(
      text: string,
      options: { patienceMs?: number; until?: "never read"; from?: string } = {},
    ): Promise<void> {
      const socket = open(options.from);
      const over = [ended(socket), pause(options.patienceMs ?? 10_000)];
      if (options.until === "never read") socket.pause();
      else over.push(new Promise((resolve) => socket.once("data", resolve)));
      socket.write(text);
      await Promise.race(over);
      socket.destroy();
    },

    /** Sends the head, then `pieces` bytes of the body, each in its own packet. */
    async sendInPieces(head: string, pieces: number): Promise<void> {
      const socket = open().setNoDelay().resume();
      socket.write(head);
      for (let sent = 0; sent < pieces && !socket.destroyed; sent++) {
        socket.write("a");
        if (sent % 50 === 0) await pause(0);
      }
      socket.destroy();
    },

    /**
     * Keeps sending requests on one connection, each after the previous response, until the server
     * closes the connection or time is up.
     */
    async repeatRequests(write: (turn: number) => string): Promise<void> {
      const socket = open();
      let turn = 0;
      socket.on("data", () => socket.write(write(turn++)));
      socket.write(write(turn++));
      await Promise.race([ended(socket), pause(until - performance.now())]);
      socket.destroy();
    },

    /** Opens a connection and calls `begin`, then `goOn` every 200 ms for a minute. */
    async slowly(begin: (socket: Socket) => void, goOn: (socket: Socket) => void): Promise<void> {
      const socket = open();
      begin(socket);
      for (let turn = 0; turn < 300 && !socket.destroyed; turn++) {
        await pause(200);
        goOn(socket);
      }
      socket.destroy();
    },
  };
}
