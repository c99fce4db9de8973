/**
 * Words that texts for people should not use, by language, each with a better one. The product's
 * own texts must have none (`wording.test.ts`); in a campus's texts each is a note. Add a language
 * by adding its table.
 */

type Rule = {
  /** Matches the word or phrase. The flag `g` is required. */
  found: RegExp;
  /** What to write instead, as the end of the sentence "say …". */
  better: string;
  /** Set if campuses may use the word, because it has another meaning in their texts. */
  isProductOnly?: boolean;
};

const english: readonly Rule[] = [
  { found: /\bsomebody\b/gi, better: "someone" },
  { found: /\banybody\b/gi, better: "anyone" },
  { found: /\beverybody\b/gi, better: "everyone" },
  { found: /\bnobody\b/gi, better: "no one" },
  { found: /\bwho(?:m|so)?ever\b/gi, better: "anyone who, or just who" },
  { found: /\ba mail\b|\bmails\b/gi, better: "an email, or emails" },
  { found: /\bmail(?:ed| address(?:es)?)\b/gi, better: "emailed, or email address" },
  { found: /(?<!\ball )\bat once\b/gi, better: "right away, or now" },
  { found: /\bgood once\b/gi, better: "works once" },
  { found: /\b(?:our|your|a) slip\b(?! of)/gi, better: "mistake" },
  {
    found: /\bwe (?:tell|write to) you (?:as soon|when|why|then|at)\b/gi,
    better: "we'll tell you",
  },
  { found: /\b(?:we|it) go(?:es)? on\b(?! (?:the|a|an|your|our|to)\b)/gi, better: "carry on" },
  { found: /\blook(?:s|ed|ing)? into\b/gi, better: "check" },
  {
    found: /\b(?:how|as) (?:it|things) stands?\b/gi,
    better: "what it says, or how far it is",
    isProductOnly: true,
  },
  { found: /\bmend(?:s|ed|ing)?\b/gi, better: "fix" },
  { found: /\ba person (?:answers|reads|looks|checks|will)\b/gi, better: "one of us" },
  { found: /\bshould we (?:need|have|be|not)\b/gi, better: "if we" },
  { found: /\btrails?\b/gi, better: "history", isProductOnly: true },
  { found: /\bkeepers?\b/gi, better: "admin", isProductOnly: true },
  { found: /\b(?:request|deletion) waits\b/gi, better: "is on hold", isProductOnly: true },
];

const tables: { readonly [Language in string]?: readonly Rule[] } = { en: english };

/** Lists the languages that have a table. */
export const wordingLanguages = Object.keys(tables);

export type Wording = { sentence: string; index: number };

/** Finds unwanted words in a text, each with the better word. */
export function findWording(
  language: string,
  text: string,
  { isProduct = false } = {},
): readonly Wording[] {
  const rules = tables[language] ?? [];
  return rules
    .filter((rule) => isProduct || !rule.isProductOnly)
    .flatMap(({ found, better }) =>
      [...text.matchAll(found)].map(({ 0: word, index }) => ({
        sentence: `says "${word}"; people say: ${better}`,
        index,
      })),
    );
}
