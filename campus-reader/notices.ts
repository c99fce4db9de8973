import { findMarks } from "./placeholders.ts";
import type { CampusSettings } from "./schema.ts";
import type { Texts, Untranslated } from "./texts.ts";

/** A notice at the top of every public page. */
export type Notice = {
  text: string;
  /** Last day on which the notice is shown, such as `2026-12-05`. */
  until: string;
  link?: string | undefined;
} & Untranslated;

/** Returns the notices in one language. Untranslated notices stay in the default language. */
export function readNotices(
  { language, first, fill, report }: Texts,
  { notices }: CampusSettings,
): Notice[] {
  return notices.map(({ text, until, link }, index) => {
    if (text[first] === undefined && language === first) {
      const todo = `has no words in the language ${first}; write them there as ${first}:`;
      report("campus.yaml", `notices.${index}.text`, todo);
    }
    for (const [of, words] of Object.entries(language === first ? text : {})) {
      const marks = findMarks(words);
      const place = `notices.${index}.text.${of}`;
      if (marks) report("campus.yaml", place, marks, { since: "1.14" });
    }
    const translated = text[language];
    const borrowed = translated === undefined && language !== first ? { language: first } : {};
    return { text: fill(translated ?? text[first] ?? ""), until, link, ...borrowed };
  });
}
