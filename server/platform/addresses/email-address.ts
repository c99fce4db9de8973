import { domainToASCII, domainToUnicode } from "node:url";
import { cleanAddress } from "./clean-address.ts";

/**
 * A deliverable email address: a single mailbox, without a display name, comments or control
 * characters. The domain is in lowercase ASCII. The local part is as typed.
 */
export type EmailAddress = string & { readonly emailAddress: unique symbol };

export type EmailProblem =
  | "emailMissing"
  | "emailNoAt"
  | "emailTwoAts"
  | "emailSpace"
  | "emailMalformed"
  | "emailTooLong";

type EmailResult = { ok: true; email: EmailAddress } | { ok: false; code: EmailProblem };

/** Limit for a path in RFC 5321 (section 4.5.3.1), minus the path's two angle brackets. */
const maxLength = 254;

// RFC 5322 dot-atom. Excludes quoted local parts, because they are unused in practice and mail
// programs parse them inconsistently.
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

// Matches domains that are safe to pass to domainToASCII. In other domains, domainToASCII would
// decode %2e, cut the domain at a slash, or turn 0x7f.1 into an IP address.
const typedDomain = /^[\p{L}\p{M}\p{N}\-.\u3002\uff0e\uff61\u200c\u200d]+$/u;

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const asciiDomain = new RegExp(`^(?:${label}\\.)+${label}$`);

/** Cleans and checks a typed email address. Never throws. */
export function parseEmailAddress(typed: string): EmailResult {
  // Allows for a display name next to the address. Longer text isn't worth cleaning.
  if (typed.length > maxLength * 8) return { ok: false, code: "emailTooLong" };
  return checkEmailAddress(cleanAddress(typed));
}

/**
 * Checks an email address without cleaning it. Every address must pass this check before we send
 * email to it.
 */
export function checkEmailAddress(text: string): EmailResult {
  if (text === "") return { ok: false, code: "emailMissing" };
  if (text.length > maxLength * 4) return { ok: false, code: "emailTooLong" };
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  if (!localPart.test(local) || !typedDomain.test(domain)) {
    return { ok: false, code: nameFault(text) };
  }
  const ascii = domainToASCII(domain).toLowerCase();
  const topLevel = ascii.slice(ascii.lastIndexOf(".") + 1);
  if (!asciiDomain.test(ascii) || !/^(?:[a-z]{2,}|xn--[a-z0-9-]+)$/.test(topLevel)) {
    return { ok: false, code: "emailMalformed" };
  }
  const email = `${local}@${ascii}`;
  if (email.length > maxLength || local.length > 64) return { ok: false, code: "emailTooLong" };
  return { ok: true, email: email as EmailAddress };
}

/** Returns the problem that best helps the visitor find the mistake in the email address. */
function nameFault(text: string): EmailProblem {
  const parts = text.split("@").length;
  if (parts === 1) return "emailNoAt";
  if (parts > 2) return "emailTwoAts";
  return /\s/u.test(text) ? "emailSpace" : "emailMalformed";
}

/** Normalizes an email address for comparison. In practice, no provider distinguishes case. */
export function matchEmail(email: string): string {
  return email.toLowerCase();
}

/**
 * Returns the mailbox of an email address. Removes a tag after a plus, which the owner can choose
 * freely. For Gmail, also removes dots and replaces the googlemail.com domain.
 */
export function mailboxOf(email: string): string {
  const mailbox = matchEmail(email).replace(/(?<=^[^+@]+)\+[^@]*(?=@)/, "");
  const [, google] = /^([^@]+)@(?:gmail|googlemail)\.com$/.exec(mailbox) ?? [];
  return google === undefined ? mailbox : `${google.replaceAll(".", "")}@gmail.com`;
}

/**
 * An email address masked for screens that others may see. The visible parts are just enough to
 * notice a typo.
 */
export type MaskedEmail = { text: string; firstLetter: string; domain: string };

/** Masks an email address with a fixed number of dots, which hides its length. */
export function maskEmail(email: string): MaskedEmail {
  const at = email.lastIndexOf("@");
  const firstLetter = email.slice(0, 1);
  const domain = domainToUnicode(email.slice(at + 1)) || email.slice(at + 1);
  return { text: `${firstLetter}•••••@${domain}`, firstLetter, domain };
}
