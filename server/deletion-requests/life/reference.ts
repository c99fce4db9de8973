import { randomInt } from "node:crypto";

/**
 * The name of a submission that people read out on the phone: eight characters in two groups, such as K7RM-4XQP.
 * Nothing that looks like something else (0 O D, 1 I L, 2 Z, 5 S, 8 B, U V, G 6) stands twice in the alphabet, and
 * no vowels, so that no words appear. It is a name, not a secret.
 */
const alphabet = "23456789CDFHJKMNPQRTVWXY";

export function createReference(random: (max: number) => number = randomInt): string {
  const characters = Array.from({ length: 8 }, () => alphabet[random(alphabet.length)]);
  return `${characters.slice(0, 4).join("")}-${characters.slice(4).join("")}`;
}

/** Reads a reference however it was typed: small letters, spaces, with or without the hyphen. */
export function parseReference(typed: string): string | undefined {
  const characters = typed.toUpperCase().replace(/[\s\-‐-―]/g, "");
  if (characters.length !== 8 || ![...characters].every((one) => alphabet.includes(one))) {
    return undefined;
  }
  return `${characters.slice(0, 4)}-${characters.slice(4)}`;
}

/** Reads the first two to seven characters of one. */
export function parseReferenceBeginning(typed: string): string | undefined {
  const characters = typed.toUpperCase().replace(/[\s\-‐-―]/g, "");
  const isBeginning = /^[2-9A-Z]{2,7}$/.test(characters);
  if (!isBeginning || ![...characters].every((one) => alphabet.includes(one))) return undefined;
  return characters.length > 4 ? `${characters.slice(0, 4)}-${characters.slice(4)}` : characters;
}
