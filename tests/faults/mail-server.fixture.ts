import { once } from "node:events";
import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A real mail server on loopback that keeps what it accepts. */

export type Received = { from: string; to: string[]; mail: Email };

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

export async function startMailServer(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        received.push({
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : "",
          to: session.envelope.rcptTo.map((recipient) => recipient.address),
          mail: await PostalMime.parse(Buffer.concat(chunks)),
        });
        done();
      });
    },
    ...options,
  });
  // A client that is killed breaks its connection; that is what these tests do.
  server.on("error", () => {});
  const net = server.listen(0, "127.0.0.1");
  await once(net, "listening");
  const close = () => new Promise<void>((resolve) => server.close(resolve));
  return {
    url: `smtp://127.0.0.1:${(net.address() as AddressInfo).port}`,
    received,
    close,
    [Symbol.asyncDispose]: close,
  };
}
