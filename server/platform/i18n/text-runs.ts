import type { TextRun } from "./borrowed-words.ts";
import { splitCodes } from "./code-runs.ts";
import { directionOf, markLanguage } from "./direction.ts";
import { createSplitByLanguage, type LanguageAndNames } from "./foreign-words.ts";

export type SplitRuns = (text: string) => readonly TextRun[];

/**
 * Returns a function that splits text into runs to mark: words in another script and, in a
 * right-to-left language, codes.
 */
export function createSplitRuns(spoken: LanguageAndNames): SplitRuns {
  const splitByLanguage = createSplitByLanguage(spoken);
  const isRightToLeft = directionOf(spoken.language) === "rtl";
  return (text) =>
    splitByLanguage(text).flatMap(({ text: words, language }): readonly TextRun[] => {
      if (language) return [{ marks: markLanguage(language, spoken.language), runs: [words] }];
      return isRightToLeft ? splitCodes(words) : [words];
    });
}
