import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Compares two secrets in constant time. Hashes them, because `timingSafeEqual` needs equal
 * lengths.
 */
export function isSame(one: string, other: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
