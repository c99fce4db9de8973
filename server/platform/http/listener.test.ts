import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createListener } from "./listener.ts";
import type { ReadyAnswer } from "./page-cache.ts";
import { refusalWords } from "./refusals.fixture.ts";
import { createRefusals } from "./refusals.ts";

let server: Server;
let requests: string[];
let logged: string[];
let ids: string[];
let admitted: string[];
let paid: { bytes: number; pieces: number }[];
let isOverBudget: boolean;

const ready = (text: string): ReadyAnswer => ({
  status: 200,
  headers: ["content-length", String(text.length)],
  body: Buffer.from(text),
});

beforeEach(async () => {
  requests = [];
  logged = [];
  ids = [];
  admitted = [];
  paid = [];
  isOverBudget = false;
  const listener = createListener({
    async fetch(request, { admission }) {
      requests.push(`${request.method} ${new URL(request.url).pathname}`);
      const body = await admission?.body;
      const text = body?.kind === "bytes" ? Buffer.from(body.bytes).toString() : (body?.kind ?? "");
      return new Response(`made for you${text}`);
    },
    findReady: (address, { ifNoneMatch } = {}) =>
      address !== "/ready"
        ? undefined
        : ifNoneMatch === "same"
          ? { status: 304, headers: ["etag", "same"], body: null }
          : ready("ready"),
    admit: (facts) => {
      admitted.push(facts.url);
      return {
        client: "",
        spent: isOverBudget ? { ok: false, retryAfterMs: 700 } : { ok: true },
        takes: facts.method === "POST" ? { most: 100, isForm: facts.url === "/form" } : undefined,
        takeSlowPlace: () => () => {},
        payFor: (came) => paid.push(came),
      };
    },
    refusals: createRefusals([refusalWords()], {
      shared: () => [],
      isForScripts: () => false,
      problemAt: () => undefined,
    }),
    findKept: (url) => ({
      address: url.split("?x=")[0] ?? "",
      isFree: !url.startsWith("/made-up"),
    }),
    idOf: (_, given) => given ?? "made",
    log: ({ id, method, path }, status) => {
      logged.push(`${method} ${path} ${status}`);
      ids.push(id);
    },
    logReady: ({ id, path }, { status }) => {
      logged.push(`ready ${path} ${status}`);
      ids.push(id);
    },
  });
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterEach(() => new Promise((resolve) => server.close(resolve)));

async function send(path: string, method = "GET", headers = {}, body?: string) {
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, host: "127.0.0.1", path, method, headers, agent: false }).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return response;
}

async function ask(...args: Parameters<typeof send>) {
  const response = await send(...args);
  return `${response.statusCode} ${await text(response)}`;
}

test("serves a cached page without the framework and logs one line", async () => {
  expect(await ask("/ready")).toBe("200 ready");
  expect(await ask("/ready", "GET", { "If-None-Match": "same" })).toBe("304 ");
  expect(await ask("/ready", "HEAD")).toBe("200 ");
  expect(requests).toEqual([]);
  expect(logged).toEqual(["ready /ready 200", "ready /ready 304", "HEAD /ready 200"]);
});

test("serves a page cached under another URL and logs the requested URL", async () => {
  expect(await ask("/ready?x=1")).toBe("200 ready");
  expect(await ask("/ready?x=2", "HEAD")).toBe("200 ");
  expect(await ask("/elsewhere?x=3")).toBe("200 made for you");
  expect(requests).toEqual(["GET /elsewhere"]);
  expect(logged).toEqual(["GET /ready?x=1 200", "HEAD /ready?x=2 200"]);
});

test("adds a request id to every response and log line", async () => {
  const headers = { "X-Request-Id": "given" };
  for (const [path, method] of [["/ready"], ["/ready?x=1"], ["/ready", "TRACE"]] as const) {
    const { headers: got } = await send(path, method, headers);
    expect(got["x-request-id"]).toBe("given");
  }
  expect((await send("/ready")).headers["x-request-id"]).toBe("made");
  expect(ids).toEqual(["given", "given", "given", "made"]);
});

test("passes uncached requests to the framework", async () => {
  expect(await ask("/other")).toBe("200 made for you");
  expect(await ask("/ready", "POST")).toBe("200 made for you");
  expect(await ask("/ready?link=a")).toBe("200 made for you");
  expect(requests).toEqual(["GET /other", "POST /ready", "GET /ready"]);
});

test("refuses TRACE without the framework", async () => {
  expect(await ask("/ready", "TRACE")).toMatch(/^405 Refused: wrongMethod/);
  expect(requests).toEqual([]);
});

const inPieces = { "Transfer-Encoding": "chunked" };
const isForm = { "Content-Type": "application/x-www-form-urlencoded" };

test("charges the client for bodies with and without chunked encoding", async () => {
  expect(await ask("/form", "POST", { ...isForm, ...inPieces }, "piece")).toBe(
    "200 made for youpiece",
  );
  expect(await ask("/form", "POST", { ...isForm, "Content-Length": "4" }, "form")).toBe(
    "200 made for youform",
  );
  expect(paid).toEqual([
    { bytes: 5, pieces: 1 },
    { bytes: 4, pieces: 1 },
  ]);
});

test.each([
  ["compressed", { ...isForm, "Content-Encoding": "gzip" }],
  ["in another charset", { "Content-Type": `${isForm["Content-Type"]}; charset=utf-7` }],
  ["as JSON", { "Content-Type": "application/json" }],
])("refuses a form sent %s before reading it", async (_, headers) => {
  expect(await ask("/form", "POST", { ...headers, "Content-Length": "4" }, "form")).toMatch(
    /^415 Refused: wrongType/,
  );
  expect(requests).toEqual([]);
});

test("refuses chunked bodies on paths that accept no body", async () => {
  expect(await ask("/other", "GET", inPieces, "piece")).toMatch(/^400 Refused: malformed/);
  expect(await ask("/other", "PUT", inPieces, "piece")).toMatch(/^405 Refused: wrongMethod/);
  expect(await ask("/form", "POST", { ...isForm, "Content-Length": "4" }, "form")).toBe(
    "200 made for youform",
  );
});

test("stops reading a body that exceeds the limit on pieces", async () => {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  const head = `POST /crumbs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
  socket.write(head + "1\r\na\r\n".repeat(99));
  socket.end("1;x\r\na\r\n".repeat(5_000));
  await text(socket).catch(() => "");
  expect(paid).toEqual([expect.objectContaining({ pieces: 67 })]);
});

describe("a client without budget", () => {
  beforeEach(() => {
    isOverBudget = true;
  });

  test("serves cached pages to a client without budget", async () => {
    expect(await ask("/ready")).toBe("200 ready");
    expect(await ask("/ready?x=1")).toBe("200 ready");
    expect(admitted).toEqual([]);
  });

  test.each([
    ["a rendered page", "GET", "/other"],
    ["a missing page", "GET", "/made-up"],
    ["a form", "POST", "/form"],
  ])("refuses %s to a client without budget before doing any work", async (_, method, path) => {
    const { port } = server.address() as AddressInfo;
    const sent = request({ port, host: "127.0.0.1", path, method, agent: false }).end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    expect(await text(response)).toMatch(/^Refused: tooMany/);
    expect(response).toMatchObject({
      statusCode: 429,
      headers: { "retry-after": "1", connection: "close" },
    });
    expect(requests).toEqual([]);
  });
});

test("disconnects a client with 500 pipelined requests and stops parsing them", async () => {
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
