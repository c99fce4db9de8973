import { z } from "zod";
import { readMessageNames } from "../server/language/message.ts";

/**
 * A text of the campus. What stands in braces is filled in: `{product}` and the like when the file is read, the
 * placeholders that a text declares here when a page or a mail is made. Any other one is a mistake, told before a
 * visitor meets it.
 */
export const words = z.string().trim().min(1, "must not be empty").superRefine(refuseBut([]));

/** A text that must hold each of these placeholders, written with their braces, and may hold no other. */
export function wordsWith(...placeholders: string[]) {
  return z
    .string()
    .trim()
    .min(1, "must not be empty")
    .superRefine((text, context) => {
      for (const placeholder of placeholders) {
        if (!findPlaceholders(text).includes(placeholder)) {
          context.addIssue(`must hold ${placeholder}`);
        }
      }
    })
    .superRefine(refuseBut(placeholders));
}

/** A text that may hold these placeholders, written with their braces, and no other. */
export function wordsAllowing(...placeholders: string[]) {
  return z.string().trim().min(1, "must not be empty").superRefine(refuseBut(placeholders));
}

/**
 * A message in the syntax of ICU (`message.ts`) that must ask for each of these names, written without braces, and for
 * no other.
 */
export function messageWith(...names: string[]) {
  return z
    .string()
    .trim()
    .min(1, "must not be empty")
    .superRefine((text, context) => {
      let asked: string[];
      try {
        asked = readMessageNames(text);
      } catch (error) {
        context.addIssue(`is no message in the syntax of ICU (${(error as Error).message})`);
        return;
      }
      for (const name of names) if (!asked.includes(name)) context.addIssue(`must hold {${name}}`);
      for (const name of asked) {
        if (names.includes(name)) continue;
        const known = names.map((one) => `{${one}}`).join(", ");
        context.addIssue(`{${name}} is no known placeholder here (known are ${known})`);
      }
    });
}

const signs = new Intl.Segmenter();

/** The signs that a reader counts: a letter with all its marks is one. */
export function signsIn(text: string): string[] {
  return [...signs.segment(text)].map(({ segment }) => segment);
}

export function countSigns(text: string): number {
  return signsIn(text).length;
}

/** A text of so many signs at most. */
export function wordsUpTo(max: number) {
  return words.refine((text) => countSigns(text) <= max, `must be ${max} characters or fewer`);
}

export function findPlaceholders(text: string): string[] {
  return text.match(/\{+[^{}\n]{0,40}\}+/g) ?? [];
}

/** What is wrong with a brace that has no partner; undefined where all have one. */
export function findLoneBrace(text: string): string | undefined {
  const rest = text.replace(/\{+[^{}\n]{0,40}\}+/g, "");
  const [around] = /(?:\S+\s)?\S*[{}]\S*(?:\s\S+)?/.exec(rest) ?? [];
  return around && `"${around}" has a brace without its partner; placeholders look like {product}`;
}

function refuseBut(allowed: readonly string[]) {
  const known = allowed.length === 0 ? "" : ` (known are ${allowed.join(", ")})`;
  return (text: string, context: z.RefinementCtx) => {
    for (const placeholder of findPlaceholders(text)) {
      if (!allowed.includes(placeholder)) {
        context.addIssue(`${placeholder} is no known placeholder here${known}`);
      }
    }
    const alone = findLoneBrace(text);
    if (alone) context.addIssue(alone);
  };
}
