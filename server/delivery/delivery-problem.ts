import type { ProductWords } from "../../words/keys.d.ts";
import { doubtful, unanswered } from "../periods.ts";

/**
 * Reasons why a message can't leave or the account system can't act, with the names that the store,
 * the command line and docs/your-week.md use. mail.yaml has the text of each.
 */
export type DeliveryProblem = keyof ProductWords["mail"]["deliveryProblems"];

/** Stored form of a problem; the code of a server or the operating system follows in brackets. */
export type StoredProblem = DeliveryProblem | `${DeliveryProblem} (${string})`;

/** Describes a stored problem in the campus's language; keeps a code in brackets unchanged. */
export function describeDeliveryProblem(
  words: Readonly<Partial<Record<string, string>>>,
  problem: string,
): string {
  const [, cause = "", code = ""] = /^(.*?)( \(.*\))?$/.exec(problem) ?? [];
  return (words[cause] ?? cause) + code;
}

// Email

/**
 * Delivery problem, in terms of what the operators can repair. It includes the server's code but
 * not its text, which usually repeats the address.
 */
export type MailProblem = {
  problem: StoredProblem;
  /** Permanent problems are not retried. */
  permanent: boolean;
  /** True if the server, login or sender is at fault, so that no email can leave. */
  wide?: boolean;
};

/** Fields that we read from Nodemailer's errors. */
type MailErrorFields = {
  name?: string;
  code?: string;
  /** Code of the operating system or TLS. */
  originalCode?: string;
  /** The timeout that expired. */
  timeoutType?: string;
  command?: string;
  responseCode?: number;
};

/**
 * Classifies an error. Only a rejected recipient or email is permanent: operators can repair a
 * rejected connection, login or sender, and the email is still valid then.
 * @param isHandedOver whether the server had received the whole email
 */
export function toMailProblem(error: unknown, isHandedOver = false): MailProblem {
  const facts = (typeof error === "object" && error !== null ? error : {}) as MailErrorFields;
  const { responseCode } = facts;
  if (!responseCode) {
    const problem = isHandedOver ? unanswered : nameSilence(facts);
    return { problem, permanent: false, wide: !isHandedOver };
  }
  // RFC 4954 section 6 and RFC 3207 section 4: the server requires a login or TLS first.
  if (responseCode === 530) {
    return { problem: "mail without login or TLS refused (530)", permanent: false, wide: true };
  }
  const [what, aboutThisMail] = nameAnswer(facts.command ?? "");
  return {
    problem: `${what} ${responseCode < 500 ? "put off" : "refused"} (${responseCode})`,
    wide: !aboutThisMail,
    permanent: aboutThisMail && responseCode >= 500 && responseCode !== 503,
  };
}

/** Checks whether a message with this problem may have arrived anyway. */
export function mayHaveArrived(problem: string): boolean {
  return problem === unanswered || problem === doubtful;
}

/** Checks whether the mailbox itself rejected the email, which operators can't repair. */
export function isRecipientRefused(problem: string): boolean {
  return problem.startsWith("recipient refused");
}

/** Names what an SMTP response is about, and whether it concerns this email alone. */
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
