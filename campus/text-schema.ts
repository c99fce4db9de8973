import { z } from "zod";

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

function findPlaceholders(text: string): string[] {
  return text.match(/\{+[^{}\n]{0,40}\}+/g) ?? [];
}

function refuseBut(allowed: readonly string[]) {
  const known = allowed.length === 0 ? "" : ` (known are ${allowed.join(", ")})`;
  return (text: string, context: z.RefinementCtx) => {
    for (const placeholder of findPlaceholders(text)) {
      if (!allowed.includes(placeholder)) {
        context.addIssue(`${placeholder} is no known placeholder here${known}`);
      }
    }
  };
}
