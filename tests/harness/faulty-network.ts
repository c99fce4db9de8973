import { connect, createServer, type Server, type Socket } from "node:net";

/** A way to a server that can be cut, silenced and opened again. */
export type FaultyNetwork = {
  port: number;
  /** Connections that are open now. */
  count(): number;
  /** Cuts every connection as it stands, in the middle of whatever it says; new ones are let through. */
  cut(): void;
  /** Cuts every connection and takes no new one, until it is opened. */
  close(): void;
  open(): void;
  /** Cuts a connection the moment before what it says is passed on, wherever `isTime` says so. */
  cutBefore(isTime: (said: Buffer) => boolean): void;
  /** Cuts a connection once what it says has been passed on and before the answer comes back. */
  cutAfter(isTime: (said: Buffer) => boolean): void;
  /** Lets everything through again. */
  mend(): void;
  end(): Promise<void>;
};

/** Passes connections to a port of this machine on to another. */
export async function startFaultyNetwork(to: number): Promise<FaultyNetwork> {
  const pairs = new Set<[Socket, Socket]>();
  let isClosed = false;
  let before: (said: Buffer) => boolean = () => false;
  let after: (said: Buffer) => boolean = () => false;

  const server: Server = createServer((client) => {
    if (isClosed) return void client.resetAndDestroy();
    const target = connect(to, "127.0.0.1");
    const pair: [Socket, Socket] = [client, target];
    pairs.add(pair);
    const destroy = () => {
      pairs.delete(pair);
      client.destroy();
      target.destroy();
    };
    for (const socket of pair) socket.on("error", destroy).on("close", destroy).setNoDelay(true);
    client.on("data", (chunk) => {
      const said = Buffer.from(chunk);
      if (before(said)) return destroy();
      if (after(said)) {
        target.removeAllListeners("data");
        target.write(said);
        // The answer to it means that it was heard.
        target.once("data", destroy);
        return;
      }
      target.write(said);
    });
    target.on("data", (answer) => void client.write(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();

  function cut(): void {
    for (const pair of [...pairs]) {
      pairs.delete(pair);
      for (const socket of pair) socket.resetAndDestroy();
    }
  }
  return {
    port: typeof address === "object" && address ? address.port : 0,
    count: () => pairs.size,
    cut,
    close() {
      isClosed = true;
      cut();
    },
    open() {
      isClosed = false;
    },
    cutBefore(isTime) {
      before = isTime;
    },
    cutAfter(isTime) {
      after = isTime;
    },
    mend() {
      before = () => false;
      after = () => false;
    },
    async end() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
