import { createHash, randomBytes } from "node:crypto";

/** The secret in a mail's link: 256 random bits. Only its hash is stored. */
export function createToken(): string {
  return randomBytes(32).toString("base64url");
}

export function isToken(value: unknown): value is string {
  return typeof value === "string" && /^[\w-]{43}$/.test(value);
}

/** A plain hash is enough: nobody can try 2^256 tokens. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
