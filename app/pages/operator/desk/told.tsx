import { type MouseEvent, useEffect, useRef } from "react";
import { Form, useRevalidator } from "react-router";
import { paths } from "../../../../server/http/paths.ts";
import { Button } from "../../../ui/button.tsx";
import { useWords } from "../../../words.ts";
// Within the area React goes from page to page by itself: each of the desk's pages brings the styles of all of them.
import "../../delete-account/journey.module.css";
import styles from "./desk.module.css";
import { type DoneView, toldId, typedWords, type Unfinished } from "./desk-answer.ts";
import type { Unreached } from "./offline.ts";

/**
 * What came of the last act: it stands first, has the focus, and is said once. Without script the browser goes there by
 * the address's fragment.
 */
export function Told({
  told,
  done,
  unfinished,
  offline,
  kept = true,
  isPlain = false,
  title,
}: {
  told?: string | undefined;
  /** What was done with requests, and how each is taken back. */
  done?: DoneView | undefined;
  unfinished?: Unfinished | undefined;
  offline?: Unreached | undefined;
  /** Whether the form that was sent is still there with what was typed. */
  kept?: boolean;
  /** What was told is only an answer: nothing was done. */
  isPlain?: boolean;
  /** Over problems, where not nothing was done. */
  title?: string | undefined;
}) {
  const place = useRef<HTMLDivElement>(null);
  const { desk } = useWords().operator;
  const { problems } = desk;
  const isProblem = offline !== undefined || unfinished !== undefined;
  const text = isProblem ? undefined : (done?.text ?? told);
  // Whoever hears the page is led to the answer; whoever sees it has it in view.
  useEffect(() => {
    if (text !== undefined || isProblem) place.current?.focus();
  }, [text, isProblem]);
  useEffect(() => {
    if (unfinished) place.current?.focus();
  }, [unfinished]);
  // What came of it is looked at as soon as the server can be asked again.
  const { revalidate } = useRevalidator();
  const isUnknown = offline !== undefined;
  useEffect(() => {
    if (!isUnknown) return;
    const look = () => void revalidate();
    addEventListener("online", look);
    return () => removeEventListener("online", look);
  }, [isUnknown, revalidate]);
  if (isProblem) {
    const lost = unfinished && !kept ? typedWords(unfinished.typed) : [];
    const unsent =
      offline === "typed" ? `${problems.offline} ${problems.stillHere}` : problems.offline;
    return (
      <div ref={place} id={toldId} className={styles.problem} role="alert" tabIndex={-1}>
        <h2>{offline ? problems.unknownTitle : (title ?? problems.title)}</h2>
        <ul>
          {(offline ? [{ words: unsent }] : (unfinished?.problems ?? [])).map(
            (problem: { field?: string; words: string }) => (
              <li key={problem.words}>
                {problem.field ? (
                  <a href={`#${problem.field}`} onClick={goToField}>
                    {problem.words}
                  </a>
                ) : (
                  problem.words
                )}
              </li>
            ),
          )}
        </ul>
        {lost.length > 0 ? (
          <>
            <h3>{problems.typed}</h3>
            {lost.map((one) => (
              <blockquote key={one}>{one}</blockquote>
            ))}
          </>
        ) : null}
      </div>
    );
  }
  return text === undefined ? null : (
    <div
      ref={place}
      id={toldId}
      className={styles.told}
      data-plain={isPlain || undefined}
      role="status"
      tabIndex={-1}
    >
      {done ? <DoneOf {...done} /> : <p>{text}</p>}
    </div>
  );
}

/** Without a visit of another address: after one, React Router forgets what the form was answered. */
function goToField(event: MouseEvent<HTMLAnchorElement>): void {
  const field = document.getElementById(event.currentTarget.hash.slice(1));
  if (!field) return;
  event.preventDefault();
  field.focus();
}

/** What was done, each request by its name, and Undo beside it. */
function DoneOf({ text, of }: DoneView) {
  const { operator, to } = useWords();
  const [only] = of.length === 1 ? of : [];
  const [before, after] = only ? text.split(only.reference) : [text];
  const link = (reference: string) => (
    <a href={to(paths.operatorRequest(reference))}>{reference}</a>
  );
  return (
    <>
      <p>
        {before}
        {only && after !== undefined ? link(only.reference) : null}
        {after}
      </p>
      <ul className={styles.undoable}>
        {of.map(({ reference, undo }) => (
          <li key={reference}>
            {only ? null : link(reference)}
            {undo ? (
              <Form method="post" action={to(paths.operatorRequest(reference))}>
                <input type="hidden" name="act" value="undo" />
                <input type="hidden" name="seen" value={undo.seen} />
                <input type="hidden" name="formKey" value={undo.formKey} />
                <Button type="submit" aria-label={`${operator.desk.acts.undo}: ${reference}`}>
                  {operator.desk.acts.undo}
                </Button>
              </Form>
            ) : null}
          </li>
        ))}
      </ul>
    </>
  );
}
