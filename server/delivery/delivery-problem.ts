import type { ProductWords } from "../../words/keys.d.ts";
import { doubtful, unanswered } from "../periods.ts";

/**
 * Reasons why a message can't be sent or the account system can't act. The database and the command
 * line use these names. mail.yaml describes each of them.
 */
export type DeliveryProblem = keyof ProductWords["mail"]["deliveryProblems"];

/** A problem as stored, optionally followed by an error code in parentheses. */
export type StoredProblem = DeliveryProblem | `${DeliveryProblem} (${string})`;

/** Describes a stored problem in the language of `words`. Keeps the error code unchanged. */
export function describeDeliveryProblem(
  words: Readonly<Partial<Record<string, string>>>,
  problem: string,
): string {
  const [, cause = "", code = ""] = /^(.*?)( \(.*\))?$/.exec(problem) ?? [];
  return (words[cause] ?? cause) + code;
}

/** Keys of the instructions for operators in mail.yaml. */
export type DeliveryCure = keyof ProductWords["mail"]["deliveryCures"];

const cures: Record<DeliveryProblem, DeliveryCure> = {
  "recipient refused": "address",
  "recipient put off": "wait",
  "sender refused": "sender",
  "sender put off": "wait",
  "content refused": "spam",
  "content put off": "wait",
  "login refused": "login",
  "login put off": "wait",
  "login not possible": "login",
  "mail without login or TLS refused": "login",
  "TLS refused": "tls",
  "TLS put off": "wait",
  "certificate not trusted": "certificate",
  "connection refused": "mailServer",
  "connection put off": "wait",
  "mail server's name not found": "host",
  "mail server does not answer": "mailServer",
  "mail server too slow": "mailServer",
  "mail server down": "mailServer",
  "mail server closed the connection": "mailServer",
  "mail server not reached": "mailServer",
  "mail server did not say whether it took the mail": "doubtful",
  "file not written": "disk",
  "address not usable": "address",
  "key is missing": "key",
  "could not be written": "program",
  "may have left before the restore": "doubtful",
  "nobody listens at ACCOUNT_SYSTEM_URL": "accountSystem",
  "the name in ACCOUNT_SYSTEM_URL is not found": "accountSystem",
  "the name in ACCOUNT_SYSTEM_URL cannot be looked up now": "accountSystem",
  "does not answer": "accountSystem",
  "too slow": "accountSystem",
  "closed the connection": "accountSystem",
  "cannot be reached": "accountSystem",
  "could not be reached": "accountSystem",
  "answers no HTTP": "accountSystem",
  "answered with an error": "accountSystem",
  "redirects, which is not followed": "accountSystem",
  "did not believe the signature": "accountSystem",
  "says that it is gone": "accountSystem",
  "stopped: the account system said that it is gone": "accountSystem",
  "certificate has ended": "accountSystem",
  "certificate is self-signed": "accountSystem",
  "certificate is vouched for by somebody unknown here": "accountSystem",
  "certificate came without those between it and its authority": "accountSystem",
  "certificate is for another name": "accountSystem",
  "no answer": "byHand",
  "begun and not finished": "byHand",
  blocked: "byHand",
  failed: "byHand",
  "cancelled before the restore": "byHand",
};

/** Returns instructions for operators about a stored problem, or "" if the problem is unknown. */
export function describeDeliveryCure(
  words: Readonly<Record<DeliveryCure, string>>,
  problem: string,
): string {
  const cause = problem.replace(/ \(.*\)$/, "");
  return Object.hasOwn(cures, cause) ? words[cures[cause as DeliveryProblem]] : "";
}

// Problems with email

/**
 * An email delivery problem, described so that operators know what to fix. Contains the mail
 * server's status code but not its message, because the message usually repeats the email address.
 */
export type MailProblem = {
  problem: StoredProblem;
  /** Whether a retry would be pointless. */
  permanent: boolean;
  /**
   * Whether the problem affects every email, because the server, the login or the sender is at
   * fault.
   */
  isChannelWide?: boolean;
};

/** Fields of Nodemailer's errors that we use. */
type MailErrorFields = {
  name?: string;
  code?: string;
  /** Error code from the operating system or TLS. */
  originalCode?: string;
  /** Name of the timeout that expired. */
  timeoutType?: string;
  command?: string;
  responseCode?: number;
};

/**
 * Classifies an error from Nodemailer. Only a rejected recipient or a rejected email is permanent.
 * Operators can fix a rejected connection, login or sender, and the same email can then be sent.
 * @param options.isHandedOver whether the server had already received the complete email
 */
export function toMailProblem(error: unknown, { isHandedOver = false } = {}): MailProblem {
  const facts = (typeof error === "object" && error !== null ? error : {}) as MailErrorFields;
  const { responseCode } = facts;
  if (!responseCode) {
    const problem = isHandedOver ? unanswered : nameSilence(facts);
    return { problem, permanent: false, isChannelWide: !isHandedOver };
  }
  // The server requires a login (RFC 4954, section 6) or TLS (RFC 3207, section 4) before it
  // accepts emails.
  if (responseCode === 530) {
    return {
      problem: "mail without login or TLS refused (530)",
      permanent: false,
      isChannelWide: true,
    };
  }
  const [what, aboutThisMail] = nameAnswer(facts.command ?? "");
  return {
    problem: `${what} ${responseCode < 500 ? "put off" : "refused"} (${responseCode})`,
    isChannelWide: !aboutThisMail,
    permanent: aboutThisMail && responseCode >= 500 && responseCode !== 503,
  };
}

/** Checks whether the mail server closed the connection without a response. */
export function isConnectionClosed(error: unknown): boolean {
  const { responseCode, code, originalCode } = error as MailErrorFields;
  return !responseCode && (code === "ECONNECTION" || originalCode === "ECONNRESET");
}

/** Checks whether a message with this problem may have arrived anyway. */
export function mayHaveArrived(problem: string): boolean {
  return problem === unanswered || problem === doubtful;
}

/** Checks whether the mailbox itself rejected the email. Operators can't fix that. */
export function isRecipientRefused(problem: string): boolean {
  return problem.startsWith("recipient refused");
}

/**
 * Classifies an SMTP error by the command that failed. The boolean is true if the error affects
 * only this email.
 */
function nameAnswer(
  command: string,
): [what: "login" | "TLS" | "sender" | "recipient" | "content" | "connection", boolean] {
  if (command.startsWith("AUTH")) return ["login", false];
  if (command === "STARTTLS") return ["TLS", false];
  if (command === "MAIL FROM") return ["sender", false];
  if (command === "RCPT TO") return ["recipient", true];
  if (command === "DATA") return ["content", true];
  return ["connection", false];
}

function nameSilence({
  name,
  code = "",
  originalCode = "",
  timeoutType = "",
}: MailErrorFields): StoredProblem {
  const detail = originalCode || code;
  if (code === "EDNS") return "mail server's name not found";
  if (code === "EAUTH") return "login not possible";
  if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(detail)) return `certificate not trusted (${detail})`;
  if (code === "ETLS" || /SSL|TLS/.test(detail)) return "TLS refused";
  if (/^(?:CONNECT|GREETING)_/.test(timeoutType)) return "mail server does not answer";
  if (name === "AbortError" || code === "ETIMEDOUT") return "mail server too slow";
  if (/^E(?:CONNREFUSED|HOSTUNREACH|NETUNREACH|HOSTDOWN)$/.test(detail)) {
    return `mail server down (${detail})`;
  }
  if (code === "ECONNECTION" || detail === "ECONNRESET") return "mail server closed the connection";
  return `mail server not reached (${detail || "unknown"})`;
}
