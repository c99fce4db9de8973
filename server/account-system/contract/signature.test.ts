import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Secret } from "../../platform/crypto/keys.ts";
import { isSigned, isSignedByLetters, readSignature, sign } from "./signature.ts";

const now = Temporal.Instant.from("2026-11-21T04:00:00Z");
const seconds = now.epochMilliseconds / 1000;
const secret = new Secret(`whsec_${Buffer.alloc(32, 7).toString("base64")}`);
const body = '{"type":"account.deletion.started"}';

function signed(change: Record<string, string> = {}) {
  const read = readSignature(
    new Headers({ ...sign([secret], "msg_1", now, body), ...change }),
    now,
  );
  if (read.kind !== "signed") throw new Error(read.kind);
  return read.signed;
}

describe("readSignature", () => {
  test.each([
    ["milliseconds", String(now.epochMilliseconds)],
    ["a fraction", `${seconds}.5`],
    ["a date", now.toString()],
    ["nothing", ""],
  ])("explains the expected format if the timestamp is %s", (_, time) => {
    const headers = new Headers({
      ...sign([secret], "msg_1", now, body),
      "webhook-timestamp": time,
    });
    expect(readSignature(headers, now)).toEqual({
      kind: "unsigned",
      detail: "webhook-timestamp must be whole seconds since 1970, such as 1764316800.",
    });
  });

  test("accepts a signature that sign() created", () => {
    expect(isSigned([secret], signed(), body)).toBe(true);
  });
});

describe("isSignedByLetters", () => {
  const byLetters = (letters: string) => {
    const made = createHmac("sha256", letters).update(`msg_1.${seconds}.${body}`).digest("base64");
    return signed({ "webhook-signature": `v1,${made}` });
  };

  test("detects a secret that was used as text, with and without its prefix", () => {
    const text = secret.reveal();
    for (const letters of [text, text.slice("whsec_".length)]) {
      expect(isSigned([secret], byLetters(letters), body)).toBe(false);
      expect(isSignedByLetters([secret], byLetters(letters), body)).toBe(true);
    }
  });

  test("rejects the text of another secret", () => {
    expect(isSignedByLetters([secret], byLetters("whsec_other"), body)).toBe(false);
  });
});
