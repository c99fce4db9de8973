import { createPublicKey, type KeyObject, verify } from "node:crypto";

/** Verifies the server's Ed25519 signatures with its public key. */

export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    const bytes = Buffer.from(signature, "base64");
    return verify(null, Buffer.from(text, "utf8"), toKey(publicKey), bytes);
  } catch {
    return false;
  }
}

/** Formats a public key as PEM, for other tools. */
export function toPem(publicKey: string): string {
  return toKey(publicKey).export({ format: "pem", type: "spki" }).toString();
}

/**
 * Parses a public key.
 * @throws if the key is invalid
 */
function toKey(publicKey: string): KeyObject {
  const key = Buffer.from(publicKey, "base64url");
  return createPublicKey({ key, format: "raw-public", asymmetricKeyType: "ed25519" });
}
