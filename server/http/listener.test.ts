import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ReadyAnswer } from "./kept-pages.ts";
import { createListener } from "./listener.ts";

let server: Server;
let asked: string[];
let logged: string[];

const ready = (text: string): ReadyAnswer => ({
  status: 200,
  headers: ["content-length", String(text.length)],
  body: Buffer.from(text),
});

beforeEach(async () => {
  asked = [];
  logged = [];
  const listener = createListener({
    async fetch(request) {
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return new Response(`made for you${await request.text()}`);
    },
    findReady: (address, _, ifNoneMatch) =>
      address !== "/ready"
        ? undefined
        : ifNoneMatch === "same"
          ? { status: 304, headers: ["etag", "same"], body: null }
          : ready("ready"),
    keptAs: (url) => url.split("?x=")[0],
    log: (method, path, status) => logged.push(`${method} ${path} ${status}`),
    logReady: ({ status }, url) => logged.push(`ready ${url} ${status}`),
  });
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterEach(() => new Promise((resolve) => server.close(resolve)));

async function ask(path: string, method = "GET", headers = {}, body?: string) {
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, host: "127.0.0.1", path, method, headers, agent: false }).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return `${response.statusCode} ${await text(response)}`;
}

test("a finished page leaves before anything of a framework sees the request, with one line in the log", async () => {
  expect(await ask("/ready")).toBe("200 ready");
  expect(await ask("/ready", "GET", { "If-None-Match": "same" })).toBe("304 ");
  expect(await ask("/ready", "HEAD")).toBe("200 ");
  expect(asked).toEqual([]);
  expect(logged).toEqual(["ready /ready 200", "ready /ready 304", "HEAD /ready 200"]);
});

test("an address whose page is kept under another one gets that page as it is, and its own line in the log", async () => {
  expect(await ask("/ready?x=1")).toBe("200 ready");
  expect(await ask("/ready?x=2", "HEAD")).toBe("200 ");
  expect(await ask("/elsewhere?x=3")).toBe("200 made for you");
  expect(asked).toEqual(["GET /elsewhere"]);
  expect(logged).toEqual(["GET /ready?x=1 200", "HEAD /ready?x=2 200"]);
});

test("everything else takes the ordinary way", async () => {
  expect(await ask("/other")).toBe("200 made for you");
  expect(await ask("/ready", "POST")).toBe("200 made for you");
  expect(await ask("/ready?link=a")).toBe("200 made for you");
  expect(asked).toEqual(["GET /other", "POST /ready", "GET /ready"]);
});

test("TRACE is refused without making anything of it", async () => {
  expect(await ask("/ready", "TRACE")).toBe("405 ");
  expect(asked).toEqual([]);
});

test("the form that comes after one in pieces arrives whole", async () => {
  const inPieces = { "Transfer-Encoding": "chunked" };
  expect(await ask("/form", "POST", inPieces, "piece")).toBe("411 ");
  expect(await ask("/ready", "GET", inPieces, "piece")).toBe("411 ");
  expect(await ask("/form", "POST", { "Content-Length": "4" }, "form")).toBe(
    "200 made for youform",
  );
});

test("a form that does not say how long it is is refused, whatever else it says", async () => {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  socket.write("POST /form HTTP/1.1\r\nHost: localhost\r\nAccept-Charset: utf-8\r\n\r\n");
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 411 /);
});

test("who asks 500 times without waiting is hung up on, and the rest is not even made into requests", async () => {
  let made = 0;
  server.prependListener("request", () => made++);
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  socket.write("GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(500));
  socket.on("error", () => {}).resume();
  await new Promise((resolve) => socket.once("close", resolve));
  expect(made).toBeLessThan(20);
  expect(await ask("/ready")).toBe("200 ready");
});
