import { Fragment } from "react";
import { useWords } from "../words.ts";
import { WithRanges } from "./line-breaks.tsx";

/**
 * Renders text that may contain names or user input in another script. Adds a `lang` attribute to
 * those words, so that screen readers pronounce them correctly (WCAG 2.2, 3.1.2).
 */
export function MixedText({ text = "" }: { text: string | undefined }) {
  const { splitByLanguage, inLanguage } = useWords();
  return splitByLanguage(text).map(({ text: words, language }, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
    <Fragment key={place}>
      {language ? <span {...inLanguage(language)}>{words}</span> : <WithRanges text={words} />}
    </Fragment>
  ));
}
