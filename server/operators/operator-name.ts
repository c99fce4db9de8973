const longestName = 40;

/** A name as it is kept: one line, letters first. Undefined for what cannot be one. */
export function parseOperatorName(typed: string): string | undefined {
  const name = typed.normalize("NFC").replace(/\s+/g, " ").trim();
  return name.length <= longestName && /^\p{L}[\p{L}\p{M}\p{N} .'’-]*$/u.test(name)
    ? name
    : undefined;
}
