import { expect, test } from "vitest";
import fc from "../../../tests/harness/fixed-seed.ts";
import { cleanAddress } from "./clean-address.ts";
import { checkEmailAddress, maskEmail, parseEmailAddress } from "./email-address.ts";

test.each([
  ["a@x.edu", "a@x.edu"],
  ["  Anika@Uni.Edu \n", "Anika@uni.edu"],
  ["o'brien@x.edu", "o'brien@x.edu"],
  ["first.last+tag@mail.sub.x.edu", "first.last+tag@mail.sub.x.edu"],
  ["a@straße.de", "a@xn--strae-oqa.de"],
  ["a@বিশ্ববিদ্যালয়.বাংলা", "a@xn--65blaaqau1a4drfd3pe.xn--54b7fta0cc"],
  ["a@x。edu", "a@x.edu"],
  ["a@123.edu", "a@123.edu"],
  ["\u200ba\u200d@x\u2060.edu\u200e", "a@x.edu"],
  ["\u202aa@x.edu\u202c\ufeff", "a@x.edu"],
  ["a\u00ad.b@x\ufe0f.edu", "a.b@x.edu"],
  ["\u00a0a@x.edu\u3000", "a@x.edu"],
  ["a @ x . edu", "a@x.edu"],
  ["a\u2007@\u202fx.\r\nedu", "a@x.edu"],
  ["mailto:a@x.edu?subject=Delete", "a@x.edu"],
  ["<a@x.edu>", "a@x.edu"],
  ["Rahman, Anika <a@x.edu>;", "a@x.edu"],
  ["Anika <mailto:a@x.edu>", "a@x.edu"],
  ["a@x.edu.", "a@x.edu"],
  ["a@x.edu, ", "a@x.edu"],
  ["a@x.edu;", "a@x.edu"],
  ["a@x.edu\u0964", "a@x.edu"],
  ["a＠x．edu", "a@x.edu"],
])("parses the email address %j as %s", (typed, email) => {
  expect(parseEmailAddress(typed)).toEqual({ ok: true, email });
});

test.each([
  ["", "emailMissing"],
  ["   ", "emailMissing"],
  ["anika", "emailNoAt"],
  ["@x.edu", "emailMalformed"],
  ["a@", "emailMalformed"],
  ["a@localhost", "emailMalformed"],
  ["a@b@x.edu", "emailTwoAts"],
  ["a b@x.edu", "emailSpace"],
  ["Anika a@x.edu", "emailSpace"],
  ["Anika\u00a0a@x.edu", "emailSpace"],
  ["a@x .e du", "emailSpace"],
  [".a@x.edu", "emailMalformed"],
  ["a..b@x.edu", "emailMalformed"],
  ["a@x..edu", "emailMalformed"],
  ["a@-x.edu", "emailMalformed"],
  ["a@x-.edu", "emailMalformed"],
  ["a@x_y.edu", "emailMalformed"],
  ["a@1.2.3.4", "emailMalformed"],
  ["a@[1.2.3.4]", "emailMalformed"],
  ["a@0x7f.1", "emailMalformed"],
  ["a@x%2eedu", "emailMalformed"],
  ["a@x.edu/path", "emailMalformed"],
  ['"a b"@x.edu', "emailSpace"],
  ["a@x.edu <evil@y.example>", "emailTwoAts"],
  ["<a@x.edu>, <evil@y.example>", "emailTwoAts"],
  ["mailto:a@x.edu,evil@y.example", "emailTwoAts"],
  ["a@x.edu,evil@y.example", "emailTwoAts"],
  ["a@x.edu;evil@y.example", "emailTwoAts"],
  ["a,evil@x.edu", "emailMalformed"],
  ["a@x.edu\r\nBcc: evil@y.example", "emailTwoAts"],
  ["a\u0000@x.edu", "emailMalformed"],
  ["a@x.edu(comment)", "emailMalformed"],
  ["অনিকা@x.edu", "emailMalformed"],
])("rejects the email address %j: %s", (typed, code) => {
  expect(parseEmailAddress(typed)).toEqual({ ok: false, code });
});

test("accepts at most 254 characters in total and 64 before the @", () => {
  const domain = `${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(57)}.edu`;
  const longest = `${"a".repeat(64)}@${domain}`;
  expect(longest).toHaveLength(254);
  expect(parseEmailAddress(longest).ok).toBe(true);
  for (const typed of [
    `${longest}u`,
    `${"a".repeat(65)}@x.edu`,
    `a@${"b.".repeat(130)}edu`,
    "a".repeat(100_000),
  ]) {
    expect(parseEmailAddress(typed)).toEqual({ ok: false, code: "emailTooLong" });
  }
});

const nearlyAddress = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.emailAddress(),
  fc
    .tuple(fc.emailAddress(), fc.string({ unit: "binary", maxLength: 6 }), fc.nat(60))
    .map(([email, extra, at]) => email.slice(0, at) + extra + email.slice(at)),
);

test("accepts only a single plain ASCII mailbox and never throws", () => {
  fc.assert(
    fc.property(nearlyAddress, (typed) => {
      const result = parseEmailAddress(typed);
      if (!result.ok) return;
      expect(result.email).toMatch(/^[^\s@,;:<>()[\]\\"]+@[a-z0-9.-]+\.[a-z][a-z0-9-]*$/);
      expect(result.email.length).toBeLessThanOrEqual(254);
      expect(parseEmailAddress(result.email)).toEqual(result);
    }),
    { numRuns: 5000 },
  );
});

test("doesn't change an address that is already clean", () => {
  fc.assert(
    fc.property(nearlyAddress, (typed) => {
      const cleaned = cleanAddress(typed);
      expect(cleanAddress(cleaned)).toBe(cleaned);
      const checked = checkEmailAddress(typed);
      if (checked.ok) expect(parseEmailAddress(typed)).toEqual(checked);
    }),
    { numRuns: 5000 },
  );
});

const stray = fc.constantFrom(
  ...["\u200b", "\u200c", "\u200d", "\u200e", "\u202c", "\u2060", "\u2066", "\ufeff", "\u00ad"],
  ...["\u180e", "\ufe0f"],
);

test("ignores invisible characters anywhere in an address", () => {
  fc.assert(
    fc.property(fc.emailAddress(), stray, fc.nat(60), (email, sign, at) => {
      const place = at % (email.length + 1);
      const pasted = email.slice(0, place) + sign + email.slice(place);
      expect(parseEmailAddress(pasted)).toEqual(parseEmailAddress(email));
    }),
  );
});

// self-service/submitting.test.ts covers the page with the masked address.
test("masks the local part with a fixed number of dots and keeps the domain", () => {
  expect(maskEmail("a@uni.edu").text).toBe("a•••••@uni.edu");
  expect(maskEmail("a@xn--strae-oqa.de").domain).toBe("straße.de");
});
