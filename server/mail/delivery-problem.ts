/**
 * What keeps a message from leaving, or the account system from doing what it was asked: as the store, the command line
 * and docs/operations.md name it. Each has words of its own in a campus's mail.yaml.
 */
export const deliveryProblems = [
  "recipient refused",
  "recipient put off",
  "sender refused",
  "sender put off",
  "content refused",
  "content put off",
  "login refused",
  "login put off",
  "login not possible",
  "mail without login or TLS refused",
  "TLS refused",
  "TLS put off",
  "certificate not trusted",
  "connection refused",
  "connection put off",
  "mail server's name not found",
  "mail server does not answer",
  "mail server too slow",
  "mail server down",
  "mail server closed the connection",
  "mail server not reached",
  "mail server did not say whether it took the mail",
  "file not written",
  "address not usable",
  "envelope changed on the way",
  "key is missing",
  "could not be written",
  "may have left before the restore",
  // Of the account system, when it is told something.
  "nobody listens at ACCOUNT_SYSTEM_URL",
  "the name in ACCOUNT_SYSTEM_URL is not found",
  "the name in ACCOUNT_SYSTEM_URL cannot be looked up now",
  "does not answer",
  "too slow",
  "closed the connection",
  "cannot be reached",
  "could not be reached",
  "answers no HTTP",
  "answered with an error",
  "redirects, which is not followed",
  "did not believe the signature",
  "says that it is gone",
  "stopped: the account system said that it is gone",
  "certificate has ended",
  "certificate is self-signed",
  "certificate is vouched for by somebody unknown here",
  "certificate came without those between it and its authority",
  "certificate is for another name",
  // Of a request that it was told of.
  "no answer",
  "begun and not finished",
  "blocked",
  "failed",
  "cancelled before the restore",
] as const;

export type DeliveryProblem = (typeof deliveryProblems)[number];

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
