/**
 * The hidden 128-bit key of one form. A form sent twice on a weak network carries the same key and counts once; the
 * key also opens that form's success panel for an hour, so it is as unguessable as a token.
 */
export function createFormKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** 22 characters of base64url, or 32 hexadecimal digits. */
export function isFormKey(value: unknown): value is string {
  return typeof value === "string" && /^(?:[\w-]{21}[AQgw]|[0-9a-f]{32})$/.test(value);
}
