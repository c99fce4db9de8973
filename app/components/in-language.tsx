import type { ReactNode } from "react";
import { textMarksIn } from "../words.ts";
import { TextMarksContext } from "./text.tsx";

/**
 * Marks the text inside as on a page in this language. For the content of an element that has its
 * own `lang` attribute.
 */
export function InLanguage({
  language,
  children,
}: {
  language: string | undefined;
  children: ReactNode;
}) {
  if (!language) return children;
  return <TextMarksContext value={textMarksIn(language)}>{children}</TextMarksContext>;
}
