import type { IncomingMessage } from "node:http";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Secret } from "../../platform/crypto/keys.ts";
import { createSecret, startReceiver, type TestReceiver } from "../account-system.fixture.ts";
import { send } from "./sender.ts";

const now = Temporal.Instant.from("2026-11-21T04:00:00Z");
const event = { id: "msg_1", body: "{}" };

let receiver: TestReceiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver[Symbol.asyncDispose]());

const sendIt = () => send(receiver.config(), event, now);

test("signs each event with both secrets during a rotation", async () => {
  const secrets = [createSecret(), createSecret()];
  let signatures: unknown;
  receiver.intercept = (request, response) => {
    signatures = request.headers["webhook-signature"];
    response.end();
  };
  await send(
    { url: receiver.url, secrets: secrets.map((secret) => new Secret(secret)) },
    event,
    now,
  );
  const date = new Date(now.epochMilliseconds);
  const expected = secrets.map((secret) => new Webhook(secret).sign(event.id, date, event.body));
  expect(signatures).toBe(expected.join(" "));
});

test("uses a date in a Retry-After header as the earliest time for a retry", async () => {
  receiver.intercept = (_, response) =>
    response.writeHead(429, { "Retry-After": "Sat, 21 Nov 2026 06:00:00 GMT" }).end();
  const { problem, notBefore } = await sendIt();
  expect(problem).toBe("answered with an error (429)");
  expect(String(notBefore)).toBe("2026-11-21T06:00:00Z");
});

test("doesn't follow redirects", async () => {
  let followed = 0;
  receiver.intercept = (request, response) => {
    if (request.url === "/elsewhere") followed++;
    response.writeHead(307, { Location: "/elsewhere" }).end();
  };
  expect(await sendIt()).toMatchObject({ problem: "redirects, which is not followed (307)" });
  expect(followed).toBe(0);
});

test.each<[string, (request: IncomingMessage) => void]>([
  ["answers no HTTP", ({ socket }) => socket.end("hello\r\nthis is no HTTP\r\n\r\n")],
  ["closed the connection", ({ socket }) => socket.destroy()],
])("reports a receiver that %s", async (problem, intercept) => {
  receiver.intercept = intercept;
  expect(await sendIt()).toEqual({ problem });
});
