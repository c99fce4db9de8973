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

describe("what is sent along", () => {
  const form = (...more: string[]) => [
    "POST /deletion-requests HTTP/1.1",
    `Host: localhost:${server.port}`,
    "Content-Type: application/x-www-form-urlencoded",
    ...more,
    "",
    "",
  ];

  test.each(["POST /deletion-requests", "GET /faq", "PUT /", "POST /hooks/account-system"])(
    "in pieces of unknown length is not read: %s",
    async (line) => {
      const head = [`${line} HTTP/1.1`, "Host: localhost", "Transfer-Encoding: chunked", "", ""];
      expect(statusOf(await sendRaw(...head, "1\r\na"))).toBe(411);
    },
  );

  test("as a form without a length is refused, too", async () => {
    expect(statusOf(await sendRaw(...form()))).toBe(411);
  });

  test("is not asked for where it is too long, and the connection ends", async () => {
    const answer = await sendRaw(...form("Content-Length: 100000", "Expect: 100-continue"));
    expect(statusOf(answer)).toBe(413);
    expect(answer).toMatch(/^connection: close/im);
  });

  test("is asked for where it is read", async () => {
    const waiting = ["Content-Length: 0", "Expect: 100-continue", "Connection: close"];
    const answers = (await sendRaw(...form(...waiting))).split(/(?=HTTP\/1\.1)/);
    expect(answers.map(statusOf)).toEqual([100, 422]);
  });

  test("by somebody who goes away in the middle of it is no fault of the site", async () => {
    const socket = connect(server.port, "127.0.0.1", () => {
      socket.write(`${form("Content-Length: 70007").join("\r\n")}email=`, () => socket.destroy());
    });
    await expect
      .poll(() => server.said.stdout)
      .toMatch(/"POST","path":"\/deletion-requests","status":400/);
    expect(server.said.stdout + server.said.stderr).not.toMatch(
      /"level":(50|"error")|a page failed/,
    );
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
