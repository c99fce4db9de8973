import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a server that can be cut, silenced and opened again. */
export type FaultyNetwork = Awaited<ReturnType<typeof startFaultyNetwork>>;

type IsTime = (said: Buffer) => boolean;
const never: IsTime = () => false;

/** Passes connections to a port of this machine on to another. */
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
        // The answer to it means that it was heard.
        target.removeAllListeners("data").once("data", destroy);
      }
      target.write(said);
    });
    target.on("data", (answer) => void client.write(answer));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");

  /** Cuts every connection as it stands, in the middle of whatever it says; new ones are let through. */
  function cut(): void {
    for (const socket of [...pairs].flat()) socket.resetAndDestroy();
    pairs.clear();
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    /** Cuts every connection and takes no new one, until it is opened. */
    close() {
      isClosed = true;
      cut();
    },
    open() {
      isClosed = false;
    },
    /** Cuts a connection the moment before what it says is passed on, wherever `isTime` says so. */
    cutBefore(isTime: IsTime) {
      before = isTime;
    },
    /** Cuts a connection once what it says has been passed on and before the answer comes back. */
    cutAfter(isTime: IsTime) {
      after = isTime;
    },
    /** Lets everything through again. */
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
