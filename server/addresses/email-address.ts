import { domainToASCII, domainToUnicode } from "node:url";
import { cleanAddress } from "./clean-address.ts";

/**
 * An address that mail can be sent to and nothing else: one mailbox, no display name, no comment, no list, no control
 * character. The domain is in its ASCII form and in lower case; the local part is as typed.
 */
export type EmailAddress = string & { readonly emailAddress: unique symbol };

export type EmailProblem =
  | "emailMissing"
  | "emailNoAt"
  | "emailTwoAts"
  | "emailSpace"
  | "emailMalformed"
  | "emailTooLong";

export type EmailResult = { ok: true; email: EmailAddress } | { ok: false; code: EmailProblem };

/** RFC 5321 section 4.5.3.1, less the two brackets that its path counts. */
const maxLength = 254;

// RFC 5322 dot-atom. Quoted local parts exist on paper only, and parse differently from one mail program to the next.
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

// What may be handed to domainToASCII, which otherwise decodes %2e, cuts at a slash and turns 0x7f.1 into an address.
const typedDomain = /^[\p{L}\p{M}\p{N}\-.\u3002\uff0e\uff61\u200c\u200d]+$/u;

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const asciiDomain = new RegExp(`^(?:${label}\\.)+${label}$`);

/** Cleans what a person typed and checks it. Never throws. */
export function parseEmailAddress(typed: string): EmailResult {
  // Long enough for a name and an address; cleaning more would cost more than it helps.
  if (typed.length > maxLength * 8) return { ok: false, code: "emailTooLong" };
  return checkEmailAddress(cleanAddress(typed));
}

/** Checks an address as it is: the one check that everything must pass that mail is sent to. */
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

/** The fault that a person can find by its name. */
function nameFault(text: string): EmailProblem {
  const parts = text.split("@").length;
  if (parts === 1) return "emailNoAt";
  if (parts > 2) return "emailTwoAts";
  return /\s/u.test(text) ? "emailSpace" : "emailMalformed";
}

/** Two spellings of one mailbox are equal in this form. Providers that tell capitals apart do not exist in practice. */
export function matchEmail(email: string): string {
  return email.toLowerCase();
}

/**
 * Where mail to an address arrives: what stands behind a plus is a note of its owner's own. Google has two names and reads
 * no dots.
 */
export function mailboxOf(email: string): string {
  const mailbox = matchEmail(email).replace(/(?<=^[^+@]+)\+[^@]*(?=@)/, "");
  const [, google] = /^([^@]+)@(?:gmail|googlemail)\.com$/.exec(mailbox) ?? [];
  return google === undefined ? mailbox : `${google.replaceAll(".", "")}@gmail.com`;
}

/** What a person may see of an address on a shared screen: enough to notice a mistyped one. */
export type MaskedEmail = { text: string; firstLetter: string; domain: string };

/** The number of dots is always the same, so that it says nothing about the length. */
export function maskEmail(email: string): MaskedEmail {
  const at = email.lastIndexOf("@");
  const firstLetter = email.slice(0, 1);
  const domain = domainToUnicode(email.slice(at + 1)) || email.slice(at + 1);
  return { text: `${firstLetter}•••••@${domain}`, firstLetter, domain };
}
