import { createHash, timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Secret } from "../keys/keys.ts";

/**
 * Signatures of the Standard Webhooks specification (standardwebhooks.com): three headers, an HMAC of id, time and body
 * with a `whsec_` secret. Several secrets make several signatures, and any of several is believed, so that a secret can
 * be replaced while both sides go on.
 */

/** How far the two clocks may be apart, or a call on its way. */
export const toleranceSeconds = 5 * 60;

/** @param at when this attempt is made; another attempt has the same id and a later time */
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

/** What a call says of itself, before anything of it is believed. */
export type Signed = { id: string; at: Temporal.Instant; signatures: readonly string[] };

/** Reads the headers. Costs nothing, so that whoever is not even close is refused before the body is read. */
export function readSignature(
  headers: Pick<Headers, "get">,
  now: Temporal.Instant,
): Signed | "unsigned" | "stale" {
  const id = headers.get("webhook-id") ?? "";
  const time = headers.get("webhook-timestamp") ?? "";
  const signature = headers.get("webhook-signature") ?? "";
  if (!/^[\x21-\x7e]{1,256}$/.test(id) || !/^\d{1,12}$/.test(time) || signature === "") {
    return "unsigned";
  }
  const seconds = Number(time);
  if (Math.abs(Math.floor(now.epochMilliseconds / 1000) - seconds) > toleranceSeconds) {
    return "stale";
  }
  const at = Temporal.Instant.fromEpochMilliseconds(seconds * 1000);
  // More than a rotation needs are not compared: each costs a hash of the body.
  return { id, at, signatures: signature.split(" ").slice(0, 8) };
}

/**
 * Whether one of the secrets made one of the signatures. The library's own `verify` asks the machine for the time; ours
 * is told, so only its `sign` is used here.
 */
export function isSigned(secrets: readonly Secret[], signed: Signed, body: string): boolean {
  const { id, at, signatures } = signed;
  return secrets.some((secret) => {
    const expected = sign([secret], id, at, body)["webhook-signature"];
    return signatures.some((given) => isEqual(given, expected));
  });
}

/** Compares hashes, which are equally long and tell nothing by the time it takes. */
export function isEqual(one: string, other: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
