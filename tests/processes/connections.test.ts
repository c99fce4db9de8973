import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, startServerProcess } from "../harness/server-process.ts";

let server: ServerProcess;
beforeAll(async () => {
  server = await startServerProcess();
});
afterAll(() => server.stop());

/** Sends these lines as they are, and gives everything that comes back until the server hangs up. */
function sendRaw(...lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write(lines.join("\r\n")));
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk.toString();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
  });
}

const statusOf = (answer: string) => Number(answer.split(" ")[1]);

test("an ordinary request by hand is answered", async () => {
  const answer = await sendRaw(
    "GET /healthz HTTP/1.1",
    `Host: localhost:${server.port}`,
    "Connection: close",
    "",
    "",
  );
  expect(statusOf(answer)).toBe(200);
});

test("two Host headers are refused", async () => {
  const answer = await sendRaw(
    "GET / HTTP/1.1",
    `Host: localhost:${server.port}`,
    "Host: evil.example",
    "Connection: close",
    "",
    "",
  );
  expect(statusOf(answer)).toBe(400);
  expect(answer).not.toContain("evil.example");
});

test("a whole address in the request line is refused", async () => {
  const answer = await sendRaw(
    "GET http://evil.example/ HTTP/1.1",
    `Host: localhost:${server.port}`,
    "Connection: close",
    "",
    "",
  );
  expect(statusOf(answer)).toBe(400);
  expect(answer).not.toContain("evil.example");
});

test("a request without a host is refused", async () => {
  expect(statusOf(await sendRaw("GET / HTTP/1.1", "Connection: close", "", ""))).toBe(400);
});

test("no link on a page is made from the Host header", async () => {
  const answer = await sendRaw(
    "GET /faq HTTP/1.1",
    "Host: evil.example",
    "Connection: close",
    "",
    "",
  );
  expect(statusOf(answer)).toBe(200);
  expect(answer).not.toContain("evil.example");
  expect(answer).toContain(`<link rel="canonical" href="${server.url}/faq">`);
});

// Node by itself would wait a minute for headers, and five for a body.
describe("a connection that dawdles is closed within seconds", () => {
  test.concurrent("when its headers never end", async () => {
    const started = performance.now();
    await sendRaw("GET / HTTP/1.1", "Host: localhost", "X-Slow: ");
    expect(performance.now() - started).toBeLessThan(45_000);
  });

  test.concurrent("when its body never comes", async () => {
    const started = performance.now();
    await sendRaw(
      "POST /delete-my-account HTTP/1.1",
      "Host: localhost",
      "Content-Type: application/x-www-form-urlencoded",
      "Content-Length: 100",
      "",
      "email=",
    );
    expect(performance.now() - started).toBeLessThan(45_000);
  });
});

test.each(["TRACE", "TRACK", "PUT", "PATCH", "DELETE"])("%s is no method here", async (method) => {
  const answer = await sendRaw(
    `${method} /delete-my-account HTTP/1.1`,
    `Host: localhost:${server.port}`,
    "Connection: close",
    "",
    "",
  );
  expect(statusOf(answer)).toBeGreaterThanOrEqual(400);
  expect(statusOf(answer)).toBeLessThan(500);
});

test("an address of 16,000 slashes is answered as quickly as any other", async () => {
  const answer = await sendRaw(
    `GET ${"/".repeat(12_000)} HTTP/1.1`,
    `Host: localhost:${server.port}`,
    "Connection: close",
    "",
    "",
  );
  expect(statusOf(answer)).toBe(414);
});

describe("one connection cannot hold the memory of all", () => {
  test("who sends 1,500 requests without waiting for an answer is hung up on", async () => {
    const request = `GET /blog HTTP/1.1\r\nHost: localhost:${server.port}\r\n\r\n`;
    const answers = await new Promise<string>((resolve) => {
      const socket = connect(server.port, "127.0.0.1", () => socket.write(request.repeat(1_500)));
      let received = "";
      socket.on("data", (chunk) => {
        received += chunk.toString("latin1");
      });
      // Hanging up on somebody who is still sending reaches them as an error.
      socket.on("error", () => {});
      socket.on("close", () => resolve(received));
    });
    expect((answers.match(/HTTP\/1\.1 200/g) ?? []).length).toBeLessThan(100);
  });

  test("a few requests at once are all answered", async () => {
    const request = `GET /healthz HTTP/1.1\r\nHost: localhost:${server.port}\r\n\r\n`;
    const last = request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    const answer = await sendRaw(request.repeat(4) + last);
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(5);
  });
});
