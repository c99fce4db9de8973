import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { createInterface } from "node:readline";
import type { SMTPServerOptions } from "smtp-server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createMailFiles } from "../../server/delivery/mail-files.ts";
import {
  createMailer,
  type MailTimeouts,
  type OutgoingEmail,
} from "../../server/delivery/mailer.ts";
import { Secret } from "../../server/platform/crypto/keys.ts";
import { findFreePort } from "../harness/free-port.ts";
import { startMailServer } from "./mail-server.fixture.ts";

/** Problem reported when the email may or may not have arrived. */
const unacknowledged = "mail server did not say whether it took the mail";

let leftovers: AsyncDisposableStack;

beforeEach(() => {
  leftovers = new AsyncDisposableStack();
});
afterEach(() => leftovers.disposeAsync());

/** Timeouts that never expire during a test. Tests shorten individual timeouts. */
const patient: MailTimeouts = { connectMs: 100_000, silenceMs: 100_000, wholeMs: 100_000 };

function mailerTo(
  url: string,
  tls: "required" | "optional" = "optional",
  impatient: Partial<MailTimeouts> = {},
) {
  const mailer = createMailer({
    smtpUrl: new Secret(url),
    tls,
    files: createMailFiles("/nowhere"),
    from: { name: "Rides", address: "rides@rides.example", replyTo: "help@rides.example" },
    timeouts: { ...patient, ...impatient },
  });
  leftovers.defer(() => mailer.close?.());
  return mailer;
}

const letter: OutgoingEmail = {
  to: "anika@uni.example",
  messageKey: "0b8f5d0e-0000-4000-8000-000000000000",
  date: Temporal.Instant.from("2026-11-22T04:00:00Z"),
  label: "confirm",
  subject: "One more step",
  text: "Text",
  html: "<p>HTML</p>",
};

const mailServer = async (options?: Parameters<typeof startMailServer>[0]) =>
  leftovers.use(await startMailServer(options));

/**
 * Starts a server that replies to each line with `answer`. If `answer` returns undefined, the
 * server stays silent; "hang up" closes the connection.
 */
function scripted(greeting: string, answer: (line: string) => string | undefined) {
  const server = createServer((socket) => {
    leftovers.defer(() => void socket.destroy());
    socket.on("error", () => {});
    if (greeting !== "") socket.write(`${greeting}\r\n`);
    createInterface({ input: socket }).on("line", (line) => {
      const reply = answer(line);
      if (reply === "hang up") return socket.destroy();
      if (reply !== undefined) socket.write(`${reply}\r\n`);
      if (reply?.startsWith("421")) socket.end();
    });
  });
  return listening(server);
}

async function listening(server: Server): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  leftovers.defer(() => void server.close());
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Replies like a working server, except to the given commands. */
function politeBut(special: Record<string, string | undefined>) {
  return (line: string) => {
    const command = Object.keys(special).find((start) => line.startsWith(start));
    if (command !== undefined) return special[command];
    if (line.startsWith("EHLO")) return "250 ok";
    if (line === "DATA") return "354 go on";
    if (line === "QUIT") return "221 bye";
    return /^(?:MAIL|RCPT)/.test(line) ? "250 ok" : undefined;
  };
}

describe("sending to a working mail server", () => {
  test("delivers an email as text and HTML with our Message-ID", async () => {
    const server = await mailServer();
    expect(await mailerTo(server.url).send(letter)).toEqual({ kind: "delivered" });
    expect(server.received).toMatchObject([
      {
        from: "rides@rides.example",
        to: ["anika@uni.example"],
        mail: {
          subject: "One more step",
          text: "Text\n",
          html: expect.stringContaining("<p>HTML</p>"),
          messageId: `<${letter.messageKey}@rides.example>`,
          date: "2026-11-22T04:00:00.000Z",
          from: { name: "Rides", address: "rides@rides.example" },
          to: [{ address: "anika@uni.example" }],
        },
      },
    ]);
    const names = server.received[0]?.mail.headers.map((header) => header.key);
    expect(names).toContain("auto-submitted");
    expect(names?.some((name) => /track|unsubscribe|x-mailer/.test(name))).toBe(false);
  });

  test("delivers two emails over one connection", async () => {
    let connections = 0;
    const server = await mailServer({
      onConnect(_, done) {
        connections++;
        done();
      },
    });
    const mailer = mailerTo(server.url);
    for (const messageKey of ["first", "second"]) {
      expect(await mailer.send({ ...letter, messageKey })).toEqual({ kind: "delivered" });
    }
    const received = server.received.map(({ mail }) => mail.messageId);
    expect(received).toEqual(["<first@rides.example>", "<second@rides.example>"]);
    expect(connections).toBe(1);
  });

  test("delivers the next email after the server closes the connection", async () => {
    const sockets = new Set<{ destroy(): void }>();
    const server = await mailServer();
    server.net.on("connection", (socket) => sockets.add(socket));
    const mailer = mailerTo(server.url);
    expect(await mailer.send(letter)).toEqual({ kind: "delivered" });
    for (const socket of sockets) socket.destroy();
    // The mailer hasn't noticed yet that the connection is closed.
    expect(await mailer.send({ ...letter, messageKey: "next" })).toEqual({ kind: "delivered" });
    expect(server.received.at(-1)?.mail.messageId).toBe("<next@rides.example>");
  });

  // For other invalid addresses, see server/platform/addresses/email-address.test.ts.
  test.each([
    "a@b.example,evil@x.example",
    "a@b.example>\r\nRCPT TO:<evil@x.example",
    " a@b.example",
  ])("sends no email to the invalid address %j", async (to) => {
    const server = await mailServer();
    expect(await mailerTo(server.url).send({ ...letter, to })).toEqual({
      kind: "failed",
      problem: "address not usable",
      permanent: true,
    });
    expect(server.received).toEqual([]);
  });

  test("sends an internationalized domain in its ASCII form unchanged", async () => {
    const lines: string[] = [];
    const polite = politeBut({ ".": "250 ok" });
    const url = await scripted("220 hello", (line) => {
      lines.push(line);
      return polite(line);
    });
    const to = "a@xn--strae-oqa.example";
    expect(await mailerTo(url).send({ ...letter, to })).toEqual({ kind: "delivered" });
    expect(lines).toContain(`RCPT TO:<${to}>`);
  });
});

describe("sending to a faulty mail server", () => {
  const closing = () => listening(createServer((socket) => socket.end()));
  const nobody = async () => `smtp://127.0.0.1:${await findFreePort()}`;
  const silent = (greeting: string) => () => scripted(greeting, () => undefined);
  const but =
    (special: Parameters<typeof politeBut>[0], greeting = "220 hello") =>
    () =>
      scripted(greeting, politeBut(special));
  const real = async (options?: Parameters<typeof mailServer>[0], login = "") =>
    (await mailServer(options)).url.replace("//", `//${login}`);
  const wrong: SMTPServerOptions = {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(new Error("wrong")),
  };

  /** Scope of the fault: every email, only this email for now, or only this email for good. */
  type Extent = "all" | "this" | "permanent";
  test.each<[string, Extent, () => string | Promise<string>, Partial<MailTimeouts>?]>([
    ["mail server down (ECONNREFUSED)", "all", nobody],
    ["mail server's name not found", "all", () => "smtp://mail.invalid:25"],
    ["mail server closed the connection", "all", closing],
    ["mail server does not answer", "all", silent(""), { connectMs: 400 }],
    ["mail server too slow", "all", silent("220 hello"), { silenceMs: 800 }],
    ["mail server too slow", "all", silent("220 hello"), { wholeMs: 1500 }],
    [unacknowledged, "this", but({ ".": undefined }), { silenceMs: 800 }],
    [unacknowledged, "this", but({ ".": "hang up" })],
    ["TLS refused", "all", async () => (await real()).replace("smtp:", "smtps:")],
    ["login refused (535)", "all", () => real(wrong, "rides:secret@")],
    ["mail without login or TLS refused (530)", "all", () => real({ authOptional: false })],
    ["connection put off (421)", "all", but({}, "421 busy")],
    ["connection refused (554)", "all", but({}, "554 no service")],
    ["sender put off (421)", "all", but({ MAIL: "421 closing" })],
    ["sender refused (550)", "all", but({ MAIL: "550 who are you" })],
    ["recipient put off (451)", "this", but({ RCPT: "451 greylisted" })],
    ["content put off (452)", "this", but({ DATA: "452 full" })],
    // The reported problem must not contain the email address.
    ["recipient refused (550)", "permanent", but({ RCPT: "550 <anika@uni.example> unknown" })],
    ["content refused (554)", "permanent", but({ DATA: "554 rejected" })],
  ])('reports "%s" (scope: %s)', async (problem, extent, server, impatient) => {
    expect(await mailerTo(await server(), "optional", impatient).send(letter)).toEqual({
      kind: "failed",
      problem,
      permanent: extent === "permanent",
      isChannelWide: extent === "all",
    });
  });

  test("sends nothing if the server refuses the required TLS", async () => {
    const server = await mailServer();
    const result = await mailerTo(server.url, "required").send(letter);
    expect(result).toMatchObject({
      problem: "TLS refused (500)",
      permanent: false,
      isChannelWide: true,
    });
    expect(server.received).toEqual([]);
  });

  test.each(["smtps", "smtp"])(
    "sends nothing over %s to a server with an untrusted certificate",
    async (scheme) => {
      const server = await mailServer({ secure: scheme === "smtps", disabledCommands: [] });
      const url = server.url.replace("smtp:", `${scheme}:`);
      expect(await mailerTo(url).send(letter)).toMatchObject({
        problem: expect.stringMatching(/^certificate not trusted \([A-Z_]+\)$/),
        permanent: false,
      });
      expect(server.received).toEqual([]);
    },
  );
});
