import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { createSecret } from "../../server/account-system/account-system.fixture.ts";
import { paths } from "../../server/http/paths.ts";
import { Secret } from "../../server/keys/secret.ts";
import { walk, walkForEachTest, walkOtherwise } from "../harness/account-walk.ts";
import { filledForm } from "../harness/deletion-form.ts";

/** How events are sent and what can come of it, whatever the database: account-system-events.test.ts has what it decides. */

walkForEachTest();

test("while secrets rotate, both sign", async () => {
  const [older, newer] = [createSecret(), createSecret()];
  const secrets = [new Secret(older), new Secret(newer)];
  await walkOtherwise({ accountSystem: (receiver) => ({ ...receiver.config(), secrets }) });
  let heard: IncomingMessage | undefined;
  let body = "";
  walk.receiver.intercept = async (request, response) => {
    heard = request;
    body = await text(request);
    response.end();
  };
  await walk.confirmed("anika");
  const header = (name: string) => String(heard?.headers[name]);
  const date = new Date(Number(header("webhook-timestamp")) * 1000);
  const expected = [older, newer].map((secret) =>
    new Webhook(secret).sign(header("webhook-id"), date, body),
  );
  expect(header("webhook-signature")).toBe(expected.join(" "));
});

describe("an account system", () => {
  test.each([
    ["seconds", "7200"],
    ["a date", "Sat, 21 Nov 2026 06:00:00 GMT"],
  ])("is left alone for as long as it asks, in %s", async (_, retryAfter) => {
    let calls = 0;
    walk.receiver.intercept = (_, response) => {
      calls++;
      response.writeHead(calls === 1 ? 429 : 200, { "Retry-After": retryAfter }).end();
    };
    await walk.confirmed("anika");
    await walk.pass({ minutes: 119 });
    expect(calls).toBe(1);
    await walk.pass({ minutes: 2 });
    expect(calls).toBe(2);
  });

  test("that takes nothing: what keeps events from leaving is shown", async () => {
    walk.receiver.intercept = (_, response) => response.writeHead(500).end();
    await walk.confirmed("anika");
    const { out } = await walk.command("check");
    expect(out).toMatch(/could not leave waits since .*: answered with an error \(500\)\./);
  });

  test("that redirects is not followed: what was signed for one address goes to no other", async () => {
    let followed = 0;
    walk.receiver.intercept = (request, response) => {
      if (request.url === "/elsewhere") followed++;
      response.writeHead(307, { Location: "/elsewhere" }).end();
    };
    await walk.confirmed("anika");
    expect(followed).toBe(0);
    expect((await walk.events())[0]?.last_problem).toBe("redirects, which is not followed (307)");
  });

  test("that speaks no HTTP, or hangs up, is a failed attempt like any other", async () => {
    walk.receiver.intercept = (request) => {
      request.socket.write("hello\r\nthis is no HTTP\r\n\r\n");
      request.socket.end();
    };
    await walk.confirmed("anika");
    expect((await walk.events())[0]).toMatchObject({
      state: "waiting",
      last_problem: "answers no HTTP",
    });
    walk.receiver.intercept = (request) => request.socket.destroy();
    await walk.pass({ seconds: 7 });
    expect((await walk.events())[0]).toMatchObject({
      failures: 2,
      last_problem: "closed the connection",
    });
  });

  test("that never answers keeps no mail back, however many events wait for it", async () => {
    for (const name of ["anika", "bela", "chitra", "dola", "esha", "farah"]) {
      walk.receiver.intercept = (_, response) => response.writeHead(500).end();
      await walk.confirmed(name);
    }
    walk.receiver.intercept = () => {};
    walk.site.wait({ seconds: 7 });
    const before = walk.mail.received.length;
    walk.site.rounds.start();
    try {
      const email = "gita.rahman@uni.example";
      await walk.site.post(paths.deletionRequests, filledForm({ email }));
      walk.site.rounds.wake();
      await expect
        .poll(() => walk.mail.received.slice(before).some(({ to }) => to.includes(email)), {
          timeout: 60_000,
        })
        .toBe(true);
      const sending = async () => (await walk.events()).filter(({ state }) => state === "sending");
      await expect.poll(sending, { timeout: 60_000 }).toHaveLength(5);
    } finally {
      // Those that hang are let go.
      walk.receiver.intercept = (_, response) => response.writeHead(500).end();
      await walk.receiver.hangUp();
    }
  });
});
