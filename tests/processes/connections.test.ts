import { connect } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { startServerProcess } from "../harness/server-process.ts";

const server = await startServerProcess();
afterAll(() => server.stop());

/** Sends this as it is, and gives everything that comes back until the server hangs up. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write(text));
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
  });
}

const ours = "Host: localhost";
const lines = (...all: string[]) => all.join("\r\n");
/** A request and its headers, without more. */
const asking = (line: string, ...headers: string[]) =>
  lines(`${line} HTTP/1.1`, ...headers, "Connection: close", "", "");
const statusOf = (answer: string) => Number(answer.split(" ")[1]);
const typed = "Content-Type: application/x-www-form-urlencoded";
const form = (...more: string[]) =>
  lines("POST /deletion-requests HTTP/1.1", ours, typed, ...more, "", "");

test.each([
  ["two Host headers", 400, asking("GET /", ours, "Host: evil.example")],
  ["a whole address in the request line", 400, asking("GET http://evil.example/", ours)],
  ["a request without a host", 400, asking("GET /")],
  ["an address of 12,000 slashes", 414, asking(`GET ${"/".repeat(12_000)}`, ours)],
])("%s: %i", async (_, status, text) => {
  const answer = await sendRaw(text);
  expect(statusOf(answer)).toBe(status);
  expect(answer).not.toContain("evil.example");
});

test("no link on a page is made from the Host header", async () => {
  const answer = await sendRaw(asking("GET /faq", "Host: evil.example"));
  expect(answer).not.toContain("evil.example");
  expect(answer).toContain(`<link rel="canonical" href="${server.url}/faq"`);
});

describe("a form", () => {
  test("is not asked for where it is too long, and the connection ends", async () => {
    const answer = await sendRaw(form("Content-Length: 100000", "Expect: 100-continue"));
    expect(statusOf(answer)).toBe(413);
    expect(answer).toMatch(/^connection: close/im);
  });

  test("is asked for where it is read", async () => {
    const waiting = ["Content-Length: 0", "Expect: 100-continue", "Connection: close"];
    const answers = (await sendRaw(form(...waiting))).split(/(?=HTTP\/1\.1)/);
    expect(answers.map(statusOf)).toEqual([100, 422]);
  });

  test("of somebody who goes away in the middle of it is no fault of the site", async () => {
    const socket = connect(server.port, "127.0.0.1", () => {
      socket.write(`${form("Content-Length: 70007")}email=`, () => socket.destroy());
    });
    await expect
      .poll(() => server.said.stdout)
      .toMatch(/"POST","path":"\/deletion-requests","status":400/);
    expect(server.said.stdout + server.said.stderr).not.toMatch(
      /"level":(50|"error")|a page failed/,
    );
  });
});

test("a few requests at once are all answered", async () => {
  const several = lines("GET /healthz HTTP/1.1", ours, "", "").repeat(4);
  const answer = await sendRaw(several + asking("GET /healthz", ours));
  expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(5);
});
