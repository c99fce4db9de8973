import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout } from "node:timers/promises";

/** Silence after which the connections count as idle, in milliseconds. */
const quietMs = 400;

/**
 * Starts a proxy in front of a PostgreSQL server that counts round trips. A round trip starts when
 * a client sends data after a server response. Login doesn't count.
 */
export async function startWatchedWire(to: number) {
  let count = 0;
  let lastAt = performance.now();
  let isHeld: (data: Buffer) => boolean = () => false;
  const held: (() => void)[] = [];
  const server = createServer((client) => {
    const target = connect(to, "127.0.0.1");
    let isOurs = false;
    let isLoggedIn = false;
    for (const socket of [client, target]) {
      socket.setNoDelay(true).on("error", () => {});
      socket.on("close", () => {
        client.destroy();
        target.destroy();
      });
    }
    client.on("data", (data: Buffer) => {
      if (isLoggedIn && !isOurs) {
        count++;
        lastAt = performance.now();
      }
      isOurs = true;
      if (isHeld(data)) held.push(() => target.write(data));
      else target.write(data);
    });
    target.on("data", (answer: Buffer) => {
      isOurs = false;
      // "Z" is ReadyForQuery, the end of the login.
      isLoggedIn ||= answer.at(-6) === "Z".charCodeAt(0);
      client.write(answer);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: String((server.address() as AddressInfo).port),
    count: () => count,
    async untilQuiet() {
      while (performance.now() - lastAt < quietMs) await setTimeout(20);
    },
    /** Holds back messages that match `isTime` until `release` is called. */
    hold(isTime: (data: Buffer) => boolean) {
      isHeld = isTime;
    },
    countHeld: () => held.length,
    release() {
      isHeld = () => false;
      for (const send of held.splice(0)) send();
    },
    close: () => void server.close(),
  };
}
