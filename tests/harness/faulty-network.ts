import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A proxy whose connections a test can cut and reopen. */
export type FaultyNetwork = Awaited<ReturnType<typeof startFaultyNetwork>>;

type IsTime = (said: Buffer) => boolean;
const never: IsTime = () => false;

/** Starts a proxy from a free port on this machine to another port. */
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
    client.on("data", (said: Buffer) => {
      if (before(said)) return destroy();
      if (after(said)) {
        // A response proves that the server received the message, so the connection can be cut now.
        target.removeAllListeners("data").once("data", destroy);
      }
      target.write(said);
    });
    target.on("data", (answer) => void client.write(answer));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");

  /** Cuts every connection immediately, even in the middle of a message, but accepts new ones. */
  function cut(): void {
    for (const socket of [...pairs].flat()) socket.resetAndDestroy();
    pairs.clear();
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    /** Cuts every connection and accepts no new ones until `open`. */
    close() {
      isClosed = true;
      cut();
    },
    open() {
      isClosed = false;
    },
    /** Cuts a connection before it forwards a message for which `isTime` returns true. */
    cutBefore(isTime: IsTime) {
      before = isTime;
    },
    /**
     * Cuts a connection after forwarding a message for which `isTime` returns true, but before
     * returning the response.
     */
    cutAfter(isTime: IsTime) {
      after = isTime;
    },
    /** Ends all faults: forwards everything again. */
    mend() {
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
