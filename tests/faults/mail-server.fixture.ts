import { once } from "node:events";
import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A real SMTP server on loopback that stores received emails. */

export type Received = { from: string; to: string[]; mail: Email & { messageId: string } };

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/**
 * Starts a mail server.
 * @param options `begin` is called when an email starts to arrive, `take` once the email is
 * complete. `take` accepts or rejects the email.
 */
export async function startMailServer({
  begin = () => {},
  take = (_, done) => done(),
  ...options
}: SMTPServerOptions & {
  begin?: (to: string | undefined) => void;
  take?: (email: Received, done: (error?: Error) => void) => void;
} = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onData(stream, session, done) {
      begin(session.envelope.rcptTo[0]?.address);
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const { mailFrom, rcptTo } = session.envelope;
        const mail = await PostalMime.parse(Buffer.concat(chunks));
        const { messageId } = mail;
        if (stream.sizeExceeded || !messageId) return done(new Error("broken off"));
        const to = rcptTo.map(({ address }) => address);
        const email = { from: mailFrom ? mailFrom.address : "", to, mail: { ...mail, messageId } };
        received.push(email);
        take(email, done);
      });
    },
    ...options,
  });
  // A killed client resets its connection. This must not fail the test.
  server.on("error", () => {});
  const net = server.listen(0, "127.0.0.1");
  await once(net, "listening");
  const close = () => new Promise<void>((resolve) => server.close(resolve));
  return {
    url: `smtp://127.0.0.1:${(net.address() as AddressInfo).port}`,
    received,
    /** The underlying TCP server, for tests that cut connections. */
    net,
    close,
    [Symbol.asyncDispose]: close,
  };
}
