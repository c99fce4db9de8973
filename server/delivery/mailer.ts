import nodemailer from "nodemailer";
import { checkEmailAddress } from "../platform/addresses/email-address.ts";
import type { Secret } from "../platform/crypto/keys.ts";
import { type MailProblem, toMailProblem } from "./delivery-problem.ts";
import type { MailFiles } from "./mail-files.ts";

/** A rendered email without a recipient. */
export type WrittenMail = {
  subject: string;
  text: string;
  html: string;
  attachment?: { name: string; text: string } | undefined;
};

/** An email to send by SMTP or, if there is no mail server, to write to a file. */
export type OutgoingEmail = WrittenMail & {
  to: string;
  messageKey: string;
  /** The Date header. Like the Message-ID, it is the same for every attempt. */
  date: Temporal.Instant;
  /** First part of the name of the file, if the email is written to a file. */
  label: string;
};

export type SendResult =
  | { kind: "delivered" }
  | { kind: "written" }
  | ({ kind: "failed" } & MailProblem);

export type Mailer = ReturnType<typeof createMailer>;

export type Sender = { name: string; address: string; replyTo: string };

export type MailTimeouts = { connectMs: number; silenceMs: number; wholeMs: number };

/** The sum is shorter than the outbox's lease, so that no attempt outlives its lease. */
const defaultTimeouts: MailTimeouts = { connectMs: 10_000, silenceMs: 20_000, wholeMs: 60_000 };

type MailerOptions = {
  smtpUrl: Secret | undefined;
  /**
   * Whether TLS is required. "optional" allows unencrypted connections, although the links in
   * emails give access to a request.
   */
  tls: "required" | "optional";
  files: MailFiles;
  from: Sender;
  timeouts?: MailTimeouts;
};

export function createMailer(options: MailerOptions) {
  const { from } = options;
  const smtpUrl = options.smtpUrl?.reveal();
  return {
    async send(letter: OutgoingEmail): Promise<SendResult> {
      // Checks the address here, because Nodemailer parses email addresses again by looser rules,
      // even in an explicit envelope.
      const address = checkEmailAddress(letter.to);
      if (!address.ok || address.email !== letter.to) {
        return { kind: "failed", problem: "address not usable", permanent: true };
      }
      return smtpUrl
        ? sendBySmtp(smtpUrl, letter, options)
        : writeMailFile(letter, from, options.files);
    },
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

async function sendBySmtp(
  url: string,
  letter: OutgoingEmail,
  { tls, from, timeouts = defaultTimeouts }: MailerOptions,
): Promise<SendResult> {
  const { connectMs, silenceMs, wholeMs } = timeouts;
  const transport = nodemailer.createTransport({
    url,
    requireTLS: tls === "required",
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: silenceMs,
  });
  let isHandedOver = false;
  transport.use("stream", (mail, done) => {
    mail.message.processFunc((whole) =>
      whole.once("end", () => {
        isHandedOver = true;
      }),
    );
    done();
  });
  try {
    const signal = AbortSignal.timeout(wholeMs);
    await transport.sendMail({ ...compose(letter, from), signal });
    return { kind: "delivered" };
  } catch (error) {
    return { kind: "failed", ...toMailProblem(error, { isHandedOver }) };
  } finally {
    transport.close();
  }
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
    return { kind: "failed", problem, permanent: false, wide: true };
  }
}
