import { createPublicKey, type KeyObject, verify } from "node:crypto";

/** Whether the server said something: by the public halves of its keys, which others can hold against it as well. */

export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    const bytes = Buffer.from(signature, "base64");
    return verify(null, Buffer.from(text, "utf8"), toKey(publicKey), bytes);
  } catch {
    return false;
  }
}

/** The PEM form that every tool reads. */
export function toPem(publicKey: string): string {
  return toKey(publicKey).export({ format: "pem", type: "spki" }).toString();
}

/** @throws where it is none */
function toKey(publicKey: string): KeyObject {
  const key = Buffer.from(publicKey, "base64url");
  return createPublicKey({ key, format: "raw-public", asymmetricKeyType: "ed25519" });
}
