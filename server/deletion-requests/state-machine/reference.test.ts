import { expect, test } from "vitest";
import fc from "../../../tests/harness/fixed-seed.ts";
import { createReference, parseReference } from "./request.ts";

const references = fc.nat().map(() => createReference());

test("creates references of two groups of four characters, without look-alikes or vowels", () => {
  fc.assert(
    fc.property(references, (reference) => {
      expect(reference).toMatch(/^[2-9CDFHJKMNPQRTVWXY]{4}-[2-9CDFHJKMNPQRTVWXY]{4}$/);
    }),
  );
});

test("parses a reference with lowercase letters, Bangla digits and any separator", () => {
  const typing = fc.record({
    small: fc.boolean(),
    bangla: fc.boolean(),
    between: fc.constantFrom("", " ", "-", "–", " - ", "\u2011", "\uff0d", "\u00a0"),
    around: fc.constantFrom("", " ", "\n", "\u200b"),
  });
  const inBangla = (text: string) =>
    text.replace(/\d/g, (digit) => "০১২৩৪৫৬৭৮৯"[Number(digit)] ?? "");
  fc.assert(
    fc.property(references, typing, (reference, { small, bangla, between, around }) => {
      const plain = around + reference.replace("-", between) + around;
      const typed = bangla ? inBangla(plain) : plain;
      expect(parseReference(small ? typed.toLowerCase() : typed)).toBe(reference);
    }),
  );
});

test.each(["", "K7RM", "K7RM-4XQPP", "K0RM-4XQP", "KIRM-4XQP", "'; drop table requests"])(
  "rejects %j as a reference",
  (typed) => {
    expect(parseReference(typed)).toBeUndefined();
  },
);

// 24^8 references are possible, so the chance of a duplicate among 200 is one in five million.
test("creates unique references", () => {
  expect(new Set(Array.from({ length: 200 }, () => createReference())).size).toBe(200);
});
