import type { ProductWords } from "../../../words/keys.d.ts";

/** The words of the mails, as `mail.yaml` has them. */
export type MailWords = ProductWords["mail"] & {
  /** By the kind of a mail, which may be one of former times. */
  mailKinds: Readonly<Record<string, string>>;
};

/** The words of each reason, by what has reasons of its own: a fact, an act or a mail. Some share a code. */
export function reasonsOf(
  words: Pick<MailWords, "holdReasons" | "refusalReasons">,
  of: string,
): Record<string, string> | undefined {
  if (of === "hold" || of === "held") return words.holdReasons;
  return /^refus/.test(of) ? words.refusalReasons : undefined;
}
