import { Children, createContext, Fragment, type ReactNode, use } from "react";
import {
  type BorrowedMarks,
  splitBorrowed,
  type TextRun,
} from "../../server/platform/i18n/borrowed-words.ts";
import type { SplitRuns } from "../../server/platform/i18n/text-runs.ts";

/** How pages in one language mark text in other languages. */
type TextMarks = { borrowed: BorrowedMarks; split: SplitRuns };

/** Marks nothing. This is the default, and also applies inside text that is already marked. */
const unmarked: TextMarks = { borrowed: {}, split: (text) => [text] };

/** Set for every page, and for each answer of an island. */
export const TextMarksContext = createContext(unmarked);

/**
 * Prints text of the interface, the campus or a visitor. Words in another language get a `lang`
 * attribute so that screen readers pronounce them correctly (WCAG 2.2, 3.1.2). They also get `dir`
 * if they run the other way. Don't use this component in elements that can contain only text, such
 * as `<option>`.
 */
export function Text({ children }: { children: ReactNode }) {
  return Children.map(children, (child) =>
    typeof child === "string" ? (
      <BorrowedText text={child} print={(words) => <Words text={words} />} />
    ) : (
      child
    ),
  );
}

function Words({ text }: { text: string }) {
  const { split } = use(TextMarksContext);
  return printRuns(split(text), (words) => <WithRanges text={words} />);
}

type PrintWords = (words: string) => ReactNode;

/**
 * Marks text that a page borrows from another language. `print` prints all text, borrowed or not.
 */
export function BorrowedText({ text, print }: { text: string; print: PrintWords }) {
  const { borrowed } = use(TextMarksContext);
  return printRuns(splitBorrowed(text, borrowed), print);
}

function printRuns(runs: readonly TextRun[], print: PrintWords): ReactNode {
  return runs.map((run, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a text have no other identity
    <Fragment key={place}>
      {typeof run === "string" ? (
        print(run)
      ) : (
        <span {...run.marks}>
          <TextMarksContext value={unmarked}>{printRuns(run.runs, print)}</TextMarksContext>
        </span>
      )}
    </Fragment>
  ));
}

/** Wraps each number range, such as "7-10", in an element that styles keep on one line. */
function WithRanges({ text }: { text: string }) {
  if (!/\p{Nd}-/u.test(text)) return text;
  return text.split(/([\p{L}\p{Nd}\u2060-]+)/u).map((word, place) =>
    /^\p{Nd}+-\u2060?\p{Nd}+$/u.test(word) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the words of a text have no other identity
      <span key={place} className="range">
        {word}
      </span>
    ) : (
      word
    ),
  );
}
