import { randomBytes } from "node:crypto";
import { connect } from "node:net";

/**
 * Asks one server as fast as it answers, on kept connections, each waiting for its answer before it asks again.
 * `load.ts ORDER`; answers with a `Loaded` to its parent. It reads no more of an answer than where it ends, so that it
 * is faster than what it measures.
 */
export type Order = {
  port: number;
  connections: number;
  seconds: number;
  /** A page to ask, or forms to send. */
  ask: { page: string } | { forms: string };
};

export type Loaded = {
  answers: number;
  /** Answers of another status than 200. */
  others: number;
  seconds: number;
  p50: number;
  p99: number;
};

const order = JSON.parse(process.argv[2] ?? "") as Order;
const waitsMs: number[] = [];
let others = 0;
const started = performance.now();
const until = started + order.seconds * 1_000;

function nextRequest(): Buffer {
  const host = `Host: localhost:${order.port}\r\n`;
  if ("page" in order.ask) {
    return Buffer.from(`GET ${order.ask.page} HTTP/1.1\r\n${host}Accept-Encoding: br\r\n\r\n`);
  }
  const body = `email=${randomBytes(9).toString("hex")}%40uni.example&reason=privacy-concerns&feedback=I+moved+to+another+city.&confirmation=yes&formKey=${randomBytes(16).toString("hex")}&website=`;
  return Buffer.from(
    `POST ${order.ask.forms} HTTP/1.1\r\n${host}Origin: http://localhost:${order.port}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

const page = "page" in order.ask ? nextRequest() : undefined;

function run(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(order.port, "127.0.0.1");
    let askedAt = 0;
    let left = 0;
    let last = false;
    let ended = false;
    const end = () => {
      ended = true;
      socket.destroy();
      resolve();
    };
    const ask = () => {
      askedAt = performance.now();
      if (askedAt > until) return end();
      left = -1;
      socket.write(page ?? nextRequest());
    };
    socket.setNoDelay(true);
    socket.on("connect", ask);
    socket.on("error", end);
    // A server that closes after so many requests is asked on a new connection.
    socket.on("close", () => {
      if (!ended) run().then(resolve);
    });
    socket.on("data", (chunk: Buffer) => {
      if (left < 0) {
        left = lengthOf(chunk);
        // The status: "HTTP/1.1 2..".
        if (chunk[9] !== 50) others++;
        last = chunk.includes("Connection: close");
      }
      left -= chunk.length;
      if (left > 0) return;
      waitsMs.push(performance.now() - askedAt);
      if (last) socket.destroy();
      else ask();
    });
  });
}

let firstChunk = 0;
let answerLength = 0;

/** Bytes of an answer from its beginning. Answers to the same page have the same head but for the date. */
function lengthOf(chunk: Buffer): number {
  if (page && firstChunk === chunk.length) return answerLength;
  const end = chunk.indexOf("\r\n\r\n");
  const text = chunk.toString("latin1", 0, end).toLowerCase();
  const length = /content-length: (\d+)/.exec(text)?.[1];
  if (length === undefined) return chunk.length;
  firstChunk = chunk.length;
  answerLength = end + 4 + Number(length);
  return answerLength;
}

await Promise.all(Array.from({ length: order.connections }, run));
const sorted = waitsMs.sort((one, other) => one - other);
const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
const loaded: Loaded = {
  answers: sorted.length,
  others,
  seconds: (performance.now() - started) / 1_000,
  p50: at(0.5),
  p99: at(0.99),
};
process.send?.(loaded, () => process.exit());
