/**
 * Cleans typed email addresses. Imports no Node module, because the form's browser script uses this
 * module, too.
 */

/**
 * Invisible characters that copying may introduce: zero-width spaces, direction marks, variation
 * selectors.
 */
const invisible =
  /[\u180b-\u180d\ufe00-\ufe0f]|[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;

/**
 * Matches zero-width joiners outside the scripts that need them. In the scripts from Arabic to
 * Sinhala, joiners shape letters, so a domain may contain them. Elsewhere, they have no meaning.
 */
const strayJoiners = /(^|[^\u0600-\u0dff])[\u200c\u200d]+/gu;

/** Matches trailing punctuation, including the Bangla danda (U+0964). */
const trailing = /[\s.,;:\u0964\u0965\u3001\u3002]+$/u;

/**
 * Removes everything that can't be part of a typed or pasted email address: invisible characters,
 * spaces around the address and next to its @ and dots, `mailto:`, a name with angle brackets, and
 * punctuation that ends a sentence. Keeps a space between two letters. Idempotent.
 */
export function cleanAddress(typed: string): string {
  const text = typed
    .replace(/[\t\n\r]+/g, " ")
    .replace(invisible, "")
    .replace(strayJoiners, "$1")
    .replace(/[\uff20\ufe6b]/g, "@")
    .replace(/[\uff0e\uff61\u3002](?=.)/g, ".")
    .trim();
  const [, bracketed = text] = /^[^<>@]*<([^<>]*)>[\s.,;:]*$/.exec(text) ?? [];
  return bracketed
    .trim()
    .replace(/^(?:mailto:)+([^?]*).*$/i, "$1")
    .replace(/\s*([@.])\s*/gu, "$1")
    .replace(trailing, "")
    .trim();
}
