import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Secret } from "../../platform/crypto/keys.ts";
import { isSame } from "../../platform/crypto/same-secret.ts";

/**
 * Signatures as specified by Standard Webhooks (standardwebhooks.com): three headers with an HMAC
 * of id, time and body, keyed with a `whsec_` secret. A call has one signature per secret, and one
 * valid signature is enough. Secrets can therefore be rotated without downtime.
 */

/** Maximum difference between a call's time and our clock, in seconds. */
export const toleranceSeconds = 5 * 60;

/** @param at time of this attempt; a retry has the same id but a later time */
export function sign(secrets: readonly Secret[], id: string, at: Temporal.Instant, body: string) {
  const date = new Date(at.epochMilliseconds);
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.epochMilliseconds / 1000)),
    "webhook-signature": secrets
      .map((secret) => new Webhook(secret.reveal()).sign(id, date, body))
      .join(" "),
  };
}

export type Signed = { id: string; at: Temporal.Instant; signatures: readonly string[] };

/** A call's parsed headers, or why the call is refused before its body is read. */
type SignatureRead =
  | { kind: "signed"; signed: Signed }
  /** `detail` describes the missing or malformed header. */
  | { kind: "unsigned"; detail: string }
  | { kind: "stale" };

const unsigned = (detail: string): SignatureRead => ({ kind: "unsigned", detail });

/** Parses the headers so that the caller can refuse an invalid call before reading its body. */
export function readSignature(headers: Pick<Headers, "get">, now: Temporal.Instant): SignatureRead {
  const id = headers.get("webhook-id") ?? "";
  const time = headers.get("webhook-timestamp") ?? "";
  const signature = headers.get("webhook-signature") ?? "";
  if (!/^[\x21-\x7e]{1,256}$/.test(id)) {
    return unsigned("webhook-id must be 1 to 256 visible ASCII characters.");
  }
  if (!/^\d{1,12}$/.test(time)) {
    return unsigned("webhook-timestamp must be whole seconds since 1970, such as 1764316800.");
  }
  if (signature === "") return unsigned("webhook-signature is missing.");
  const seconds = Number(time);
  if (Math.abs(Math.floor(now.epochMilliseconds / 1000) - seconds) > toleranceSeconds) {
    return { kind: "stale" };
  }
  const at = Temporal.Instant.fromEpochMilliseconds(seconds * 1000);
  // Limits the number of signatures. A rotation needs no more than eight, and each comparison
  // hashes the entire body.
  return { kind: "signed", signed: { id, at, signatures: signature.split(" ").slice(0, 8) } };
}

/**
 * Detects a secret that was used as text, with or without `whsec_`, instead of as the bytes that it
 * encodes. Called only for refused calls, to explain the mistake.
 */
export function isSignedByLetters(
  secrets: readonly Secret[],
  { id, at, signatures }: Signed,
  body: string,
): boolean {
  const content = `${id}.${Math.floor(at.epochMilliseconds / 1000)}.${body}`;
  return secrets.some((secret) =>
    [secret.reveal(), secret.reveal().slice("whsec_".length)].some((letters) => {
      const made = createHmac("sha256", letters).update(content).digest("base64");
      return signatures.some((given) => isSame(given, `v1,${made}`));
    }),
  );
}

/**
 * Checks whether any of the signatures was made with any of the secrets. Uses only the library's
 * `sign`, because its `verify` reads the machine's clock instead of ours.
 */
export function isSigned(secrets: readonly Secret[], signed: Signed, body: string): boolean {
  const { id, at, signatures } = signed;
  return secrets.some((secret) => {
    const expected = sign([secret], id, at, body)["webhook-signature"];
    return signatures.some((given) => isSame(given, expected));
  });
}
