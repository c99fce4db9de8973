import { type AddressInfo, createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { openOffice } from "../../server/deletion-requests/office.fixture.ts";
import { Secret } from "../../server/keys/secret.ts";
import { createMailFiles } from "../../server/mail/files.ts";
import { createMailer, type Letter, type MailTimeouts } from "../../server/mail/mailer.ts";
import { findFreePort } from "../harness/free-port.ts";
import { startMailServer, startScriptedServer } from "./mail-server.fixture.ts";

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Patience that is soon over with one kind of waiting, and with no other on the slowest machine. */
const patient: MailTimeouts = { connectMs: 100_000, silenceMs: 100_000, wholeMs: 100_000 };

function mailerTo(
  url: string,
  tls: "required" | "optional" = "optional",
  impatient: Partial<MailTimeouts> = {},
) {
  return createMailer({
    smtpUrl: new Secret(url),
    tls,
    files: createMailFiles("/nowhere"),
    from: { name: "Rides", address: "rides@rides.example", replyTo: "help@rides.example" },
    timeouts: { ...patient, ...impatient },
  });
}

const letter: Letter = {
  to: "anika@uni.example",
  messageKey: "0b8f5d0e-0000-4000-8000-000000000000",
  date: Temporal.Instant.from("2026-11-22T04:00:00Z"),
  label: "confirm",
  subject: "One more step",
  text: "Text",
  html: "<p>HTML</p>",
};

/** A real mail server, until the end of the test. */
async function mailServer(options?: Parameters<typeof startMailServer>[0]) {
  const server = await startMailServer(options);
  closers.push(server.close);
  return server;
}

async function scripted(
  greeting: string,
  answer: (line: string) => string | undefined,
): Promise<string> {
  const server = await startScriptedServer(greeting, answer);
  closers.push(server.close);
  return server.url;
}

/** A polite server but for the lines given here. */
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

describe("a mail server that works", () => {
  test("gets one mail to one address, in text and HTML, with our Message-ID", async () => {
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

  test.each([
    "a@b.example,evil@x.example",
    "a@b.example\r\nBcc: evil@x.example",
    "a@b.example, evil@x.example",
    "Evil <evil@x.example>",
    "a@b.example>\r\nRCPT TO:<evil@x.example",
    "group: evil@x.example;",
    "",
  ])("never hears of %j", async (to) => {
    const server = await mailServer();
    expect(await mailerTo(server.url).send({ ...letter, to })).toEqual({
      kind: "failed",
      problem: "address not usable",
      permanent: true,
    });
    expect(server.received).toEqual([]);
  });

  test("sees an international domain in its ASCII form", async () => {
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

describe("a mail server in trouble is named by what there is to repair", () => {
  /** `wide`: no mail at all could have left, not this one alone. */
  const passing = (problem: string, wide = true) => ({
    kind: "failed",
    problem,
    permanent: false,
    wide,
  });

  /** Takes whoever comes, and hangs up. */
  async function closing(): Promise<string> {
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closers.push(async () => void server.close());
    return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const nobody = async () => `smtp://127.0.0.1:${await findFreePort()}`;
  const silent = (greeting: string) => () => scripted(greeting, () => undefined);

  test.each<[string, string, () => string | Promise<string>, Partial<MailTimeouts>?]>([
    ["down", "mail server down (ECONNREFUSED)", nobody],
    ["with an unknown name", "mail server's name not found", () => "smtp://mail.invalid:25"],
    ["closing at once", "mail server closed the connection", closing],
    ["silent: given up soon", "mail server does not answer", silent(""), { connectMs: 400 }],
    ["silent once it has greeted", "mail server too slow", silent("220 hello"), { silenceMs: 800 }],
    ["so slow that it never ends", "mail server too slow", silent("220 hello"), { wholeMs: 1500 }],
  ])("%s", async (_, problem, server, impatient) => {
    const mailer = mailerTo(await server(), "optional", impatient);
    expect(await mailer.send(letter)).toEqual(passing(problem));
  });

  test.each([
    ["silent", undefined],
    ["gone", "hang up"],
  ])("%s once it had all of the mail: this one may have arrived", async (_, end) => {
    const url = await scripted("220 hello", politeBut({ ".": end }));
    expect(await mailerTo(url, "optional", { silenceMs: 800 }).send(letter)).toEqual(
      passing("mail server did not say whether it took the mail", false),
    );
  });

  test.each(["smtps", "smtp"])(
    "with a certificate that nobody vouches for, by %s",
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

  test("without TLS where TLS is required: nothing is sent", async () => {
    const server = await mailServer();
    expect(await mailerTo(server.url, "required").send(letter)).toEqual(
      passing("TLS refused (500)"),
    );
    expect(server.received).toEqual([]);
  });

  test("speaking plainly where TLS is expected", async () => {
    const server = await mailServer();
    const url = server.url.replace("smtp:", "smtps:");
    expect(await mailerTo(url).send(letter)).toEqual(passing("TLS refused"));
  });

  test("with another password", async () => {
    const server = await mailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error("wrong")),
    });
    const url = server.url.replace("//", "//rides:secret@");
    expect(await mailerTo(url).send(letter)).toEqual(passing("login refused (535)"));
  });

  test("wanting a login that is not configured", async () => {
    const server = await mailServer({ authOptional: false });
    expect(await mailerTo(server.url).send(letter)).toEqual(
      passing("mail without login or TLS refused (530)"),
    );
  });

  test.each([
    ["connection put off (421)", "421 busy", {}],
    ["connection refused (554)", "554 no service", {}],
    ["sender put off (421)", "220 hello", { MAIL: "421 closing" }],
    ["sender refused (550)", "220 hello", { MAIL: "550 who are you" }],
  ])("%s: a passing problem of every mail", async (problem, greeting, special) => {
    const url = await scripted(greeting, politeBut(special));
    expect(await mailerTo(url).send(letter)).toEqual(passing(problem));
  });

  test.each([
    ["recipient put off (451)", { RCPT: "451 greylisted" }],
    ["content put off (452)", { DATA: "452 full" }],
  ])("%s: a passing problem of this mail alone", async (problem, special) => {
    const url = await scripted("220 hello", politeBut(special));
    expect(await mailerTo(url).send(letter)).toEqual(passing(problem, false));
  });

  test.each([
    ["recipient refused (550)", { RCPT: "550 <anika@uni.example> unknown" }],
    ["content refused (554)", { DATA: "554 rejected" }],
  ])("%s: permanent, told without the address", async (problem, special) => {
    const url = await scripted("220 hello", politeBut(special));
    expect(await mailerTo(url).send(letter)).toEqual({
      kind: "failed",
      problem,
      permanent: true,
      wide: false,
    });
  });
});

test("a mail that may have arrived is not sent again because another left, but a quarter of an hour later", async () => {
  const office = await openOffice();
  const taken: string[] = [];
  let hangsUp = true;
  const url = await scripted("220 hello", (line) => {
    const to = /^RCPT TO:<(.*)>/.exec(line)?.[1];
    if (to) taken.push(to);
    if (line === ".") return hangsUp ? "hang up" : "250 ok";
    return politeBut({})(line);
  });
  closers.push(office.close.bind(office));
  office.answer = (mail) => mailerTo(url).send(mail);
  await office.submit();
  await office.rounds.runOnce();
  hangsUp = false;
  for (let minute = 0; minute < 14; minute++) {
    office.pass({ minutes: 1 });
    await office.submit({ email: `other${minute}@uni.example` });
    await office.rounds.runOnce();
  }
  expect(taken.filter((to) => to === "anika@uni.example")).toHaveLength(1);
  office.pass({ minutes: 1 });
  await office.rounds.runOnce();
  expect(office.newest("confirm").to).toBe("anika@uni.example");
});
