import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A real mail server on loopback that keeps what it accepts. */

export type Received = { from: string; to: string[]; mail: Email };

export type MailServer = {
  url: string;
  received: Received[];
  close(): Promise<void>;
};

export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
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
  const listening = await new Promise<AddressInfo>((resolve) => {
    const net = server.listen(0, "127.0.0.1", () => resolve(net.address() as AddressInfo));
  });
  return {
    url: `smtp://127.0.0.1:${listening.port}`,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/**
 * A server that speaks exactly these lines: what comes, and what is answered; silence where nothing fits, and no
 * connection any more after "hang up".
 */
export async function startScriptedServer(
  greeting: string,
  answer: (line: string) => string | undefined,
): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    if (greeting !== "") socket.write(`${greeting}\r\n`);
    let rest = "";
    socket.on("data", (chunk) => {
      const lines = (rest + chunk.toString()).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const reply = answer(line);
        if (reply === "hang up") return socket.destroy();
        if (reply !== undefined) socket.write(`${reply}\r\n`);
        if (reply?.startsWith("421")) socket.end();
      }
    });
  });
  const { port } = await new Promise<AddressInfo>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(server.address() as AddressInfo));
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
