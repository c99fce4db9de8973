import type { ReactNode } from "react";
import type { MetaDescriptor } from "react-router";
import { documentTitle } from "../../document/page-meta.ts";
import { useWords, type Words, wordsAt } from "../../words.ts";

export type OperatorPageName = keyof Words["operator"]["frame"]["pages"];

/** The title of a page of operators, for its `meta`. */
export function operatorMeta(
  { location }: { location: { search: string } },
  name: OperatorPageName,
  title?: string,
): MetaDescriptor[] {
  const words = wordsAt(location);
  return [
    { title: documentTitle(words, title ?? words.operator.frame.pages[name].title) },
    { name: "robots", content: "noindex, nofollow" },
  ];
}

/** A page's heading, what it is for, and its content. */
export function OperatorPage({
  name,
  title,
  about,
  children,
}: {
  name: OperatorPageName;
  /** In place of the page's own name. */
  title?: ReactNode;
  /** In place of the page's own sentence; null for none. */
  about?: ReactNode;
  children?: ReactNode;
}) {
  const page: { title: string; about?: string } = useWords().operator.frame.pages[name];
  const lead = about ?? page.about;
  return (
    <>
      <header className="desk-heading">
        <h1>{title ?? page.title}</h1>
        {about === null || lead === undefined ? null : <p>{lead}</p>}
      </header>
      {children}
    </>
  );
}
