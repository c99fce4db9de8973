import { Readable } from "node:stream";
import nodemailer, { type SendMailOptions } from "nodemailer";
import type SMTPPool from "nodemailer/lib/smtp-pool";
import { checkEmailAddress } from "../platform/addresses/email-address.ts";
import type { Secret } from "../platform/crypto/keys.ts";
import { isConnectionClosed, type MailProblem, toMailProblem } from "./delivery-problem.ts";
import type { MailFiles } from "./mail-files.ts";

/** A rendered email without a recipient. */
export type WrittenMail = {
  subject: string;
  text: string;
  html: string;
  attachment?: { name: string; text: string } | undefined;
};

/** An email to send by SMTP, or to write to a file if no mail server is configured. */
export type OutgoingEmail = WrittenMail & {
  to: string;
  messageKey: string;
  /** The Date header. Like the Message-ID, it is the same for every attempt. */
  date: Temporal.Instant;
  /** Prefix of the file name, if the email is written to a file. */
  label: string;
};

export type SendResult =
  | { kind: "delivered" }
  | { kind: "written" }
  | ({ kind: "failed" } & MailProblem);

export type Mailer = {
  send(letter: OutgoingEmail): Promise<SendResult>;
  /** Closes idle connections now, and busy connections once they are idle. */
  close?(): void;
};

export type Sender = { name: string; address: string; replyTo: string };

export type MailTimeouts = { connectMs: number; silenceMs: number; wholeMs: number };

/** Maximum number of parallel connections to the mail server. Providers limit them per account. */
const mostConnections = 5;
/**
 * Maximum number of emails per connection. Some servers close a connection after a certain number.
 */
const mailsPerConnection = 100;
/** Idle timeout of a connection in milliseconds, shorter than that of most servers. */
const idleMs = 10_000;

/**
 * The sum of these timeouts is shorter than the outbox's lease so that no attempt outlives its
 * lease.
 */
const defaultTimeouts: MailTimeouts = { connectMs: 10_000, silenceMs: 20_000, wholeMs: 60_000 };

type MailerOptions = {
  smtpUrl: Secret | undefined;
  /**
   * Whether TLS is required. With "optional", links that give access to a request may be sent
   * unencrypted.
   */
  tls: "required" | "optional";
  files: MailFiles;
  from: Sender;
  timeouts?: MailTimeouts;
};

export function createMailer(options: MailerOptions): Mailer {
  const { from, files } = options;
  const smtpUrl = options.smtpUrl?.reveal();
  const smtp = smtpUrl === undefined ? undefined : createSmtp(smtpUrl, options);
  return {
    async send(letter) {
      // Nodemailer parses the address again with looser rules, even in an explicit envelope.
      const address = checkEmailAddress(letter.to);
      if (!address.ok || address.email !== letter.to) {
        return { kind: "failed", problem: "address not usable", permanent: true };
      }
      return smtp ? smtp.send(letter) : writeMailFile(letter, from, files);
    },
    close: () => smtp?.close(),
  };
}

function compose(letter: OutgoingEmail, from: Sender) {
  const domain = from.address.slice(from.address.lastIndexOf("@") + 1);
  return {
    from: { name: from.name, address: from.address },
    replyTo: { name: from.name, address: from.replyTo },
    to: { name: "", address: letter.to },
    envelope: { from: from.address, to: [letter.to] },
    messageId: `<${letter.messageKey}@${domain}>`,
    date: new Date(letter.date.epochMilliseconds),
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    ...(letter.attachment && {
      attachments: [
        {
          filename: letter.attachment.name,
          content: Buffer.from(letter.attachment.text, "utf8"),
          contentType: "text/plain; charset=utf-8",
        },
      ],
    }),
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function createSmtp(url: string, { tls, from, timeouts = defaultTimeouts }: MailerOptions) {
  const { connectMs, silenceMs, wholeMs } = timeouts;
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: mostConnections,
    maxMessages: mailsPerConnection,
    idleTimeout: idleMs,
    // Otherwise, the pool would resend an email that the server may have accepted.
    maxRequeues: 0,
    requireTLS: tls === "required",
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: silenceMs,
  } as SMTPPool.Options);
  /** Callbacks keyed by Message-ID, called once the complete email is written to the connection. */
  const onHandedOver = new Map<unknown, () => void>();
  transport.use("stream", (mail, done) => {
    const { messageId } = mail.data;
    mail.message.processFunc((parts) =>
      Readable.from(joinParts(parts), { objectMode: false }).once("end", () =>
        onHandedOver.get(messageId)?.(),
      ),
    );
    done();
  });

  async function attempt(letter: OutgoingEmail, signal: AbortSignal) {
    const composed = compose(letter, from);
    let isHandedOver = false;
    onHandedOver.set(composed.messageId, () => {
      isHandedOver = true;
    });
    try {
      await transport.sendMail({ ...composed, signal } as SendMailOptions);
      return { kind: "delivered" } as const;
    } catch (error) {
      return { kind: "failed", isHandedOver, error } as const;
    } finally {
      onHandedOver.delete(composed.messageId);
    }
  }

  return {
    async send(letter: OutgoingEmail): Promise<SendResult> {
      const signal = AbortSignal.timeout(wholeMs);
      let result = await attempt(letter, signal);
      // Retries once, because the server may have closed the idle connection at that moment.
      if (result.kind === "failed" && !result.isHandedOver && isConnectionClosed(result.error)) {
        result = await attempt(letter, signal);
      }
      if (result.kind === "delivered") return result;
      return { kind: "failed", ...toMailProblem(result.error, result) };
    },
    close: () => transport.close(),
  };
}

/**
 * Joins an email's headers and parts so that they are written to the connection together, not each
 * in a packet of its own.
 */
async function* joinParts(parts: Readable): AsyncGenerator<Buffer> {
  yield Buffer.concat(await Array.fromAsync(parts));
}

async function writeMailFile(
  letter: OutgoingEmail,
  from: Sender,
  files: MailFiles,
): Promise<SendResult> {
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true });
  const info = await transport.sendMail(compose(letter, from));
  try {
    await files.write(letter.label, letter.messageKey, info.message as Buffer);
    return { kind: "written" };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem = `file not written (${code})` as const;
    return { kind: "failed", problem, permanent: false, isChannelWide: true };
  }
}
