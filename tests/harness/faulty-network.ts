import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy that can cut connections on command. */
export type FaultyNetwork = Awaited<ReturnType<typeof startFaultyNetwork>>;

type IsTime = (data: Buffer) => boolean;
const never: IsTime = () => false;

/** Starts a proxy on a free local port. Forwards to the local port `to`. */
export async function startFaultyNetwork(to: number) {
  const pairs = new Set<Socket[]>();
  let isClosed = false;
  let before = never;
  let after = never;

  const server = createServer((client) => {
    if (isClosed) return void client.resetAndDestroy();
    const target = connect(to, "127.0.0.1");
    const pair = [client, target];
    pairs.add(pair);
    const destroy = () => {
      pairs.delete(pair);
      client.destroy();
      target.destroy();
    };
    for (const socket of pair) socket.on("error", destroy).on("close", destroy).setNoDelay(true);
    client.on("data", (data: Buffer) => {
      if (before(data)) return destroy();
      if (after(data)) {
        // The response proves that the server has processed the message.
        target.removeAllListeners("data").once("data", destroy);
      }
      target.write(data);
    });
    target.on("data", (answer) => void client.write(answer));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");

  /** Resets every connection, even in the middle of a message. Still accepts new connections. */
  function cut(): void {
    for (const socket of [...pairs].flat()) socket.resetAndDestroy();
    pairs.clear();
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    /** Resets every connection and rejects new ones until `open` is called. */
    close() {
      isClosed = true;
      cut();
    },
    open() {
      isClosed = false;
    },
    /** Cuts the connection instead of forwarding a message that matches `isTime`. */
    cutBefore(isTime: IsTime) {
      before = isTime;
    },
    /**
     * Forwards a message that matches `isTime`, then cuts the connection instead of returning the
     * response.
     */
    cutAfter(isTime: IsTime) {
      after = isTime;
    },
    /** Stops cutting connections. */
    restore() {
      before = never;
      after = never;
    },
    async end() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
