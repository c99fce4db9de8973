import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

/** Ed25519 (RFC 8032): what the server says and others must be able to hold against it. */

const signingKeyFrom = (seed: Buffer) =>
  createPrivateKey({ key: seed, format: "raw-private", asymmetricKeyType: "ed25519" });

/** The public half of the key that a seed makes, as 43 characters. */
export function publicHalfOf(seed: Buffer): string {
  const key = createPublicKey(signingKeyFrom(seed));
  return key.export({ format: "raw-public" }).toString("base64url");
}

/** Signed with the key that a seed makes; as base64, 88 characters. */
export function signText(seed: Buffer, text: string): string {
  return sign(null, Buffer.from(text, "utf8"), signingKeyFrom(seed)).toString("base64");
}

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
