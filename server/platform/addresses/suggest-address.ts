/**
 * Suggests corrections for mistyped email addresses. Imports no Node module, because the form's
 * browser script uses this module, too.
 */

/**
 * Common mailbox providers among students. If two providers differ by one letter, both must be
 * listed. Otherwise, a correct address at one provider would look like a typo of the other.
 */
const providers = [
  ...["gmail.com", "googlemail.com", "yahoo.com", "ymail.com", "rocketmail.com", "outlook.com"],
  ...["hotmail.com", "live.com", "msn.com", "icloud.com", "me.com", "mac.com", "aol.com"],
  ...["proton.me", "protonmail.com", "zoho.com", "mail.com", "email.com", "gmx.com", "gmx.net"],
  ...["gmx.de", "web.de", "t-online.de", "mail.ru", "yandex.com", "qq.com", "163.com", "126.com"],
  ...["yahoo.co.uk", "yahoo.co.in", "yahoo.de", "yahoo.fr", "yahoo.in", "yahoo.ca", "yahoo.es"],
  ...["hotmail.co.uk", "hotmail.de", "hotmail.fr", "hotmail.es", "hotmail.it", "outlook.de"],
  ...["outlook.fr", "outlook.in", "outlook.es", "live.co.uk", "live.de", "live.fr", "live.in"],
];

/**
 * Providers to suggest for a mistyped domain. A domain close to any other provider's domain is
 * probably real.
 */
const usual = ["gmail.com", "yahoo.com", "outlook.com", "hotmail.com", "icloud.com"];

/**
 * Suggests a correction for a mistyped domain. A domain counts as mistyped if it is a campus domain
 * or a usual provider's domain without its ending, or if it is one typo away from such a domain.
 * For a long campus domain, two typos are allowed.
 * @param ownDomains the campus's domains in lowercase
 * @returns the corrected email address, or undefined if the domain is correct or unknown
 */
export function suggestAddress(address: string, ownDomains: readonly string[]): string | undefined {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1).toLowerCase();
  if (at < 1 || domain === "") return undefined;
  const isKnown = (known: string) => domain === known || domain.endsWith(`.${known}`);
  if (ownDomains.some(isKnown) || providers.includes(domain)) return undefined;
  const suggested =
    ownDomains.find(
      (known) => isCut(domain, known) || countTypos(domain, known) <= (known.length > 9 ? 2 : 1),
    ) ?? usual.find((known) => isCut(domain, known) || countTypos(domain, known) === 1);
  return suggested && `${address.slice(0, at + 1)}${suggested}`;
}

const isCut = (domain: string, known: string) => known.startsWith(`${domain}.`);

/**
 * Computes the Damerau-Levenshtein distance: the number of letters that are added, missing, wrong
 * or swapped with a neighbor.
 */
function countTypos(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = next;
  }
  return last[b.length] ?? 0;
}
