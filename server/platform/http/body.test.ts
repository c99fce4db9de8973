import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Body, bodyLimits, longestBodyMs, readBody } from "./body.ts";

let server: Server;
let read: { body: Promise<Body>; came: { bytes: number; pieces: number } }[];
let slowPlaces: number;
let limits: typeof bodyLimits;
const sockets: Socket[] = [];

beforeEach(async () => {
  read = [];
  slowPlaces = 10;
  limits = { ...bodyLimits };
  server = createServer((incoming, outgoing) => {
    const came = { bytes: 0, pieces: 0 };
    const takeSlowPlace = () => {
      if (slowPlaces === 0) return undefined;
      slowPlaces--;
      return () => void slowPlaces++;
    };
    const onEnd = (all: typeof came) => Object.assign(came, all);
    const body = readBody(incoming, { most: 100, limits, takeSlowPlace, onEnd });
    read.push({ body, came });
    void body.then(() => outgoing.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function send(head: string, body = "") {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => {}).resume();
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n${body}`);
  const before = read.length;
  await vi.waitFor(() => expect(read.length).toBe(before + 1));
  return { socket, ...(read.at(-1) as (typeof read)[number]) };
}

const chunked = "Transfer-Encoding: chunked";
const inChunks = (...all: string[]) =>
  all.map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join("");
const textOf = (body: Body) =>
  body.kind === "bytes" ? Buffer.from(body.bytes).toString() : body.kind;

describe("a request body", () => {
  test.each([
    ["with a Content-Length", "Content-Length: 11", "hello world"],
    ["in chunks", chunked, `${inChunks("hello ", "world")}0\r\n\r\n`],
  ])("reads a body %s to the end", async (_, head, text) => {
    expect(textOf(await (await send(head, text)).body)).toBe("hello world");
  });

  test("reads a chunked body of exactly the maximum length", async () => {
    limits.bytes = 100;
    const text = "a".repeat(100);
    const tens = Array<string>(10).fill("a".repeat(10));
    expect(textOf(await (await send(chunked, `${inChunks(...tens)}0\r\n\r\n`)).body)).toBe(text);
  });

  test("stops reading an endless body shortly after the limit", async () => {
    limits.discardedBytes = 1_000;
    limits.lingerMs = 2 ** 30;
    const { body, came } = await send(
      chunked,
      inChunks(
        ..."a"
          .repeat(20)
          .split("")
          .map((piece) => piece.repeat(100)),
      ),
    );
    expect((await body).kind).toBe("too-large");
    expect(came.bytes).toBeLessThanOrEqual(1_200);
  });

  test("rejects a body that arrives in too many pieces", async () => {
    limits.freePieces = 50;
    const { body, came } = await send(chunked, inChunks(..."a".repeat(90)));
    expect((await body).kind).toBe("too-many-pieces");
    expect(came.pieces).toBe(52);
  });

  test("reports a body as gone if the client hangs up", async () => {
    const { socket, body } = await send("Content-Length: 11", "hello");
    socket.destroy();
    expect((await body).kind).toBe("gone");
  });
});

describe("a slow body", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => vi.useRealTimers());

  const turn = () => new Promise((resolve) => setImmediate(resolve));
  async function sendAndWait(
    socket: Socket,
    came: { now: () => number },
    text: string,
    ms: number,
  ) {
    const before = came.now();
    socket.write(text);
    while (came.now() === before) await turn();
    await vi.advanceTimersByTimeAsync(ms);
  }

  async function open() {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    sockets.push(socket);
    socket.on("error", () => {}).resume();
    let bytes = 0;
    server.once("request", (incoming) =>
      incoming.on("data", (piece: Buffer) => {
        bytes += piece.length;
      }),
    );
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${chunked}\r\n\r\n`);
    while (read.length === 0) await turn();
    const { body } = read[0] as (typeof read)[number];
    return { socket, body, came: { now: () => bytes } };
  }

  test("reads a slow body to the end while it makes progress", async () => {
    limits.bytesPerSecond = 1;
    const { socket, body, came } = await open();
    for (let piece = 0; piece < 10; piece++)
      await sendAndWait(socket, came, inChunks("aaaaa"), 4_000);
    socket.write("0\r\n\r\n");
    expect(textOf(await body)).toBe("a".repeat(50));
    expect(slowPlaces).toBe(10);
  });

  test("rejects a slow body whose pieces arrive too far apart", async () => {
    const { socket, body, came } = await open();
    for (let piece = 0; piece < 5; piece++) await sendAndWait(socket, came, inChunks("a"), 2_500);
    expect((await body).kind).toBe("too-slow");
  });

  test("rejects a slow body if its network has too many slow bodies already", async () => {
    slowPlaces = 0;
    limits.bytesPerSecond = 1;
    const { socket, body, came } = await open();
    await sendAndWait(socket, came, inChunks("a".repeat(50)), 10_000);
    expect((await body).kind).toBe("too-slow");
  });
});

test("allows a body of 45 kB to arrive at 2.5 kB per second", () => {
  const seconds = 45_000 / 2_500;
  expect(seconds * 1_000).toBeGreaterThan(bodyLimits.firstMs);
  expect(2_500).toBeGreaterThan(bodyLimits.bytesPerSecond);
  expect(longestBodyMs).toBeLessThan(180_000);
});
