import { connect } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { filledForm } from "../harness/deletion-form.ts";
import { startServerProcess } from "../harness/server-process.ts";

const server = await startServerProcess();
afterAll(() => server.stop());

/** Sends raw text and returns all data that arrives before the server closes the connection. */
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
/** Builds a request without a body. */
const asking = (line: string, ...headers: string[]) =>
  lines(`${line} HTTP/1.1`, ...headers, "Connection: close", "", "");
const statusOf = (answer: string) => Number(answer.split(" ")[1]);
const typed = "Content-Type: application/x-www-form-urlencoded";
const form = (...more: string[]) =>
  lines("POST /deletion-requests HTTP/1.1", ours, typed, ...more, "", "");

test.each([
  ["two Host headers", 400, asking("GET /", ours, "Host: evil.example")],
  ["an absolute URL in the request line", 400, asking("GET http://evil.example/", ours)],
  ["a request without a host", 400, asking("GET /")],
  ["a path with 12,000 slashes", 414, asking(`GET ${"/".repeat(12_000)}`, ours)],
])("answers %s with status %i", async (_, status, text) => {
  const answer = await sendRaw(text);
  expect(statusOf(answer)).toBe(status);
  expect(answer).not.toContain("evil.example");
});

test("never uses the Host header in a page's links", async () => {
  const answer = await sendRaw(asking("GET /faq", "Host: evil.example"));
  expect(answer).not.toContain("evil.example");
  expect(answer).toContain(`<link rel="canonical" href="${server.url}/faq"`);
});

describe("forms", () => {
  test("sends no 100 Continue for a form that is too long", async () => {
    const answer = await sendRaw(form("Content-Length: 100000", "Expect: 100-continue"));
    expect(statusOf(answer)).toBe(413);
    expect(answer).toMatch(/^connection: close/im);
  });

  const ownForm = new URLSearchParams(filledForm({ email: "chunks@uni.example" })).toString();
  const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

  test.each([
    ["the script's form", "/deletion-requests", 200],
    ["the page's form", "/delete-my-account", 200],
  ])("accepts a form in chunks: %s", async (_, path, status) => {
    const answer = await sendRaw(
      lines(
        `POST ${path} HTTP/1.1`,
        ...[ours, typed, "Transfer-Encoding: chunked", "Connection: close", ""],
        `${chunk(ownForm.slice(0, 20))}${chunk(ownForm.slice(20))}0\r\n\r\n`,
      ),
    );
    expect(statusOf(answer)).toBe(status);
  });

  test("cuts off a chunked form at the size limit", async () => {
    const answer = await sendRaw(
      form("Transfer-Encoding: chunked", "Accept: application/json") +
        chunk(`feedback=${"a".repeat(40_000)}`).repeat(3),
    );
    expect(statusOf(answer)).toBe(413);
    expect(answer).toMatch(/^connection: close/im);
    expect(answer).toMatch(/more than we can accept/);
  });

  test.each([
    ["is compressed", "Content-Encoding: gzip"],
    ["has another charset", `${typed}; charset=utf-7`],
  ])("rejects a form with an explanation if it %s", async (_, header) => {
    const answer = await sendRaw(
      lines(
        "POST /bn/delete-my-account HTTP/1.1",
        ...[ours, header.startsWith("Content-Type") ? header : `${typed}\r\n${header}`],
        ...["Accept: text/html", "Content-Length: 5", "", "a=1&b"],
      ),
    );
    expect(statusOf(answer)).toBe(415);
    expect(answer).toContain('<html lang="bn" dir="ltr">');
  });

  test("sends 100 Continue before reading a form's body", async () => {
    const waiting = ["Content-Length: 0", "Expect: 100-continue", "Connection: close"];
    const answers = (await sendRaw(form(...waiting))).split(/(?=HTTP\/1\.1)/);
    expect(answers.map(statusOf)).toEqual([100, 422]);
  });

  test("doesn't log an error when the client aborts a form", async () => {
    const socket = connect(server.port, "127.0.0.1", () => {
      socket.write(`${form("Content-Length: 70007")}email=`, () => socket.destroy());
    });
    await expect
      .poll(() => server.output.stdout)
      .toMatch(/"POST","path":"\/deletion-requests","status":400/);
    expect(server.output.stdout + server.output.stderr).not.toMatch(
      /"level":(50|"error")|a page failed/,
    );
  });
});

describe("refused requests", () => {
  const [page, data, plain] = ["text/html,*/*", "application/json", "*/*"];

  test.each([
    ["an unreadable request", 400, lines("GET / HTTP/1.1", "Host localhost", "", "")],
    ["two Host headers", 400, asking("GET /", ours, "Host: b")],
    ["an invalid Host header", 400, asking("GET /nowhere-yet", "Host: a b")],
    ["another site's form", 403, "POST /deletion-requests", typed, "Origin: http://evil.example"],
    ["a form sent to a page without one", 405, "POST /faq"],
    ["TRACE", 405, "TRACE /"],
    ["a path that is too long", 414, `GET /${"a".repeat(5_000)}`],
    ["a body that is not a form", 415, "POST /deletion-requests", "Content-Type: text/plain"],
    ["an unknown expectation", 417, "POST /deletion-requests", "Expect: wonders"],
    ["headers that are too large", 431, asking("GET /", ours, `Cookie: ${"a".repeat(20_000)}`)],
  ] as [string, number, string, ...string[]][])(
    "explains the refusal of %s with status %i",
    async (_, status, line, ...headers) => {
      const whole = line.includes("\r\n")
        ? line
        : asking(line, ours, ...headers, ...(line.startsWith("POST") ? ["Content-Length: 0"] : []));
      const answer = await sendRaw(whole);
      expect(statusOf(answer)).toBe(status);
      const [head = "", body = ""] = answer.split("\r\n\r\n");
      expect(head).toMatch(/^connection: close/im);
      expect(body).toMatch(/(\w+ ){3,}\w+/);
    },
  );

  test.each([
    ["a page", page, /^<!DOCTYPE html><html lang="bn" dir="ltr">.*<h1>\p{Script=Bengali}/u],
    ["problem details", data, /^\{"type":"about:blank","title":"\p{Script=Bengali}/u],
    ["plain text", plain, /^\p{Script=Bengali}/u],
  ])("explains a refusal with %s in the visitor's language", async (_, accept, pattern) => {
    const answer = await sendRaw(asking("POST /bn/faq", ours, `Accept: ${accept}`));
    const [, body = ""] = Buffer.from(answer, "latin1").toString().split("\r\n\r\n");
    expect(body).toMatch(pattern);
  });

  test("sends a refusal with the same headers as other responses", async () => {
    const namesOf = (answer: string) =>
      [...(answer.split("\r\n\r\n")[0] ?? "").matchAll(/^([\w-]+):/gm)].map(([, name]) =>
        name?.toLowerCase(),
      );
    const found = namesOf(await sendRaw(asking("GET /faq", ours)));
    const refused = namesOf(await sendRaw(asking("POST /faq", ours, `Accept: ${page}`)));
    const varying = ["date", "etag", "last-modified", "vary"];
    expect(
      found.filter((name) => !refused.includes(name) && !varying.includes(name ?? "")),
    ).toEqual([]);
  });
});

describe("requests without a Host header", () => {
  test.each(["GET", "HEAD", "OPTIONS"])(
    "answers a health check over HTTP/1.0 without a Host header: %s",
    async (method) => {
      expect(statusOf(await sendRaw(`${method} /healthz HTTP/1.0\r\n\r\n`))).toBe(200);
    },
  );

  test.each([
    ["another path", "OPTIONS / HTTP/1.0"],
    ["HTTP/1.1", "GET /healthz HTTP/1.1"],
  ])("rejects a request without a Host header for %s", async (_, line) => {
    expect(statusOf(await sendRaw(`${line}\r\n\r\n`))).toBe(400);
  });
});

test("answers pipelined requests", async () => {
  const several = lines("GET /healthz HTTP/1.1", ours, "", "").repeat(4);
  const answer = await sendRaw(several + asking("GET /healthz", ours));
  expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(5);
});
