import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

/** Ed25519 (RFC 8032): what the server says and others must be able to hold against it. */

// What stands before the 32 bytes of an Ed25519 key in its DER form (RFC 8410).
const privatePrefix = Buffer.from("302e020100300506032b657004220420", "hex");
const publicPrefix = Buffer.from("302a300506032b6570032100", "hex");
const keyBytes = 32;

export function signingKeyFrom(seed: Buffer): KeyObject {
  const key = Buffer.concat([privatePrefix, seed]);
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}

/** The public half, as 43 characters. */
export function publicHalfOf(signing: KeyObject): string {
  const der = createPublicKey(signing).export({ format: "der", type: "spki" });
  return der.subarray(-keyBytes).toString("base64url");
}

/** As base64, 88 characters. */
export function signText(signing: KeyObject, text: string): string {
  return sign(null, Buffer.from(text, "utf8"), signing).toString("base64");
}

export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const key = toKey(publicKey);
  const bytes = Buffer.from(signature, "base64");
  return key !== undefined && verify(null, Buffer.from(text, "utf8"), key, bytes);
}

/** The PEM form that every tool reads. */
export function toPem(publicKey: string): string {
  const der = Buffer.concat([publicPrefix, Buffer.from(publicKey, "base64url")]);
  return `-----BEGIN PUBLIC KEY-----\n${der.toString("base64")}\n-----END PUBLIC KEY-----\n`;
}

function toKey(publicKey: string): KeyObject | undefined {
  try {
    return createPublicKey(toPem(publicKey));
  } catch {
    return undefined;
  }
}
