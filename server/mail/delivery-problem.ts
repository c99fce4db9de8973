import type { ProductWords } from "../../words/keys.d.ts";
import { doubtful, unanswered } from "../terms.ts";

/**
 * What keeps a message from leaving, or the account system from doing what it was asked: as the store, the command line
 * and docs/operations.md name it. Each has words of its own in mail.yaml, where they are listed.
 */
export type DeliveryProblem = keyof ProductWords["mail"]["deliveryProblems"];

/** As it is stored: a server's or the system's own code follows in brackets. */
export type StoredProblem = DeliveryProblem | `${DeliveryProblem} (${string})`;

/** A stored problem in a campus's words; a code in brackets stays as it is. */
export function tellDeliveryProblem(
  words: Readonly<Partial<Record<string, string>>>,
  problem: string,
): string {
  const [, cause = "", code = ""] = /^(.*?)( \(.*\))?$/.exec(problem) ?? [];
  return (words[cause] ?? cause) + code;
}

// Of mail

/**
 * What kept a mail from leaving, in words for the operators that name what is to be repaired. A server's own words are
 * left out, because they usually repeat the address; its code is kept.
 */
export type MailProblem = {
  problem: StoredProblem;
  /** A permanent problem is not worth another attempt. */
  permanent: boolean;
  /** Whether no mail at all could have left: the server, the login or the sender, not one mailbox. */
  wide?: boolean;
};

/** What Nodemailer's errors carry. */
type Facts = {
  name?: string;
  code?: string;
  /** The system's or the TLS layer's own code. */
  originalCode?: string;
  /** Which wait ended. */
  timeoutType?: string;
  command?: string;
  responseCode?: number;
};

/**
 * Only a refusal of the recipient or of the mail itself is permanent. A refused connection, login or sender is the
 * operators' to repair, and the mail is still good then.
 * @param isHandedOver whether the server had all of the mail
 */
export function toMailProblem(error: unknown, isHandedOver = false): MailProblem {
  const facts = (typeof error === "object" && error !== null ? error : {}) as Facts;
  const { responseCode } = facts;
  if (!responseCode) {
    const problem = isHandedOver ? unanswered : nameSilence(facts);
    return { problem, permanent: false, wide: !isHandedOver };
  }
  // RFC 4954 section 6 and RFC 3207 section 4: the server wants to know us first.
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

/** Whether a mail that is not known to have left may have arrived all the same. */
export function mayHaveArrived(problem: string): boolean {
  return problem === unanswered || problem === doubtful;
}

/** Whether it is the mailbox that does not take mail: nothing that an operator could repair. */
export function isRecipientRefused(problem: string): boolean {
  return problem.startsWith("recipient refused");
}

/** What the answer was about, and whether it is a judgement of this mail alone. */
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
}: Facts): StoredProblem {
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
