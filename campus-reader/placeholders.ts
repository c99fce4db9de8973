import { z } from "zod";
import { removeNoBreaks } from "../server/platform/i18n/no-breaks.ts";
import { readMessageArguments } from "../server/platform/i18n/texts.ts";

/**
 * A campus's text after placeholders such as `{product}` have been filled in. Any remaining
 * placeholder is a mistake.
 */
export const words = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .superRefine((text, context) => {
    for (const reason of findUnknown(text)) context.addIssue(reason);
  });

const signs = new Intl.Segmenter();

/** Counts the visible characters. A letter with its combining marks counts as one character. */
export function countSigns(text: string): number {
  return [...signs.segment(removeNoBreaks(text))].length;
}

export function wordsUpTo(max: number) {
  return words.refine((text) => countSigns(text) <= max, `must be ${max} characters or fewer`);
}

/**
 * Rejects a list with duplicates.
 * @param nameOf returns an item's unique name, for comparison and for the message
 * @param field path to the name within an item, for the message
 */
export function unique<Item>(nameOf: (item: Item) => string, ...field: string[]) {
  return (items: readonly Item[], context: z.RefinementCtx) => {
    const names = items.map(nameOf);
    for (const [index, name] of names.entries()) {
      if (names.indexOf(name) === index) continue;
      context.addIssue({
        code: "custom",
        path: [index, ...field],
        message: `${name} is listed twice`,
      });
    }
  };
}

/** End of the sentence about Markdown in a plain text. */
export const toRemoveMarks = "remove the markup, because this text is plain";
const plainMarks = /\*\*(\S.*?)\*\*|__(\S.*?)__|\[([^\]]+)\]\([^)]*\)/;

/** Removes the Markdown from a plain text and keeps its words. */
export function removePlainMarks(text: string): string {
  return text.replaceAll(new RegExp(plainMarks, "g"), (_, bold, strong, link) => {
    return bold ?? strong ?? link;
  });
}

/**
 * Finds markup in plain text. A page would show it literally.
 * @returns a sentence that explains how to fix the markup, or `undefined` if there is none
 */
export function findMarks(text: string): string | undefined {
  const [tag] = /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/i.exec(text) ?? [];
  if (tag) return `shows ${tag} literally; remove it, because this text is plain`;
  const [mark] = plainMarks.exec(text) ?? [];
  if (mark) return `shows ${mark} literally; ${toRemoveMarks}`;
  return undefined;
}

const placeholder = /\{+[^{}\n]{0,40}\}+/g;

/** Optional settings, with a pattern for the placeholders that a campus lacks without them. */
const optionalSettings = {
  ride: /^\{(?:reachKm|(?:usual|longest)Wait|\w+(?:Fare|Offer))\}$/,
  "ride.mostPerKm": /^\{mostPerKm\}$/,
  hours: /^\{rides(?:From|Until)\}$/,
  "hours.cheaperFrom": /^\{cheaperFrom\}$/,
  "hours.cheaperUntil": /^\{cheaperUntil\}$/,
};

function explainUnknown(name: string, list = ""): string {
  const [setting] = Object.entries(optionalSettings).find(([, names]) => names.test(name)) ?? [];
  return setting === undefined
    ? `${name} is not a known placeholder here${list}`
    : `${name} needs ${setting} in campus.yaml; add it there, or write this text without it`;
}

/**
 * Finds a placeholder that an apostrophe hides, as in French `l'{reference}`: in an ICU message, an
 * apostrophe before a brace begins a quotation.
 */
export function findHidden(text: string): string | undefined {
  const [, name] = /(?<!')'\{(\w+)[,}]/.exec(text) ?? [];
  return name && `shows {${name}} literally, because of the ' before it; write ’ instead`;
}

/** Finds placeholders and unbalanced braces in text that can't have placeholders. */
export function findUnknown(text: string): string[] {
  const unknown = text.match(placeholder) ?? [];
  const [alone] = /(?:\S+\s)?\S*[{}]\S*(?:\s\S+)?/.exec(text.replace(placeholder, "")) ?? [];
  return [
    ...unknown.map((name) => explainUnknown(name)),
    ...(alone
      ? [`"${alone}" has a brace without its partner; placeholders look like {product}`]
      : []),
  ];
}

/**
 * Checks the placeholders of a message. Reports invalid ICU syntax, required placeholders that are
 * missing, and unknown placeholders.
 * @param known placeholders that the message may contain
 * @param wanted placeholders that the message must contain
 */
export function findPlaceholderMistakes(
  text: string,
  known: readonly string[],
  wanted: readonly string[],
): string[] {
  let used: string[];
  try {
    used = readMessageArguments(text).map(({ name }) => name);
  } catch (error) {
    return [`is not a valid ICU message (${(error as Error).message})`];
  }
  const list = known.map((name) => `{${name}}`).join(", ");
  return [
    ...wanted
      .filter((name) => !used.includes(name))
      .map((name) => findHidden(text) ?? `must contain {${name}}`),
    ...used
      .filter((name) => !known.includes(name))
      .map((name) => explainUnknown(`{${name}}`, ` (known: ${list})`)),
  ];
}
