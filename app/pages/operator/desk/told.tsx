import { paths } from "../../../../server/http/paths.ts";
import { Button } from "../../../ui/button.tsx";
import { useWords } from "../../../words.ts";
import styles from "./desk.module.css";
import { type DoneView, toldId, typedWords, type Unfinished } from "./desk-answer.ts";

/** What came of the last act: it stands first and has the focus. Without script the address's fragment leads there. */
export function Told({
  told,
  done,
  unfinished,
  kept = true,
  isPlain = false,
  title,
}: {
  told?: string | undefined;
  /** What was done with requests, and how each is taken back. */
  done?: DoneView | undefined;
  unfinished?: Unfinished | undefined;
  /** Whether the form that was sent is still there with what was typed. */
  kept?: boolean;
  /** What was told is only an answer: nothing was done. */
  isPlain?: boolean;
  /** Over problems, where not nothing was done. */
  title?: string | undefined;
}) {
  const { desk } = useWords().operator;
  const { problems } = desk;
  const text = done?.text ?? told;
  if (unfinished) {
    const lost = kept ? [] : typedWords(unfinished.typed);
    return (
      <div id={toldId} data-told="" className={styles.problem} role="alert" tabIndex={-1}>
        <h2>{title ?? problems.title}</h2>
        <ul>
          {unfinished.problems.map(({ field, words }) => (
            <li key={words}>{field ? <a href={`#${field}`}>{words}</a> : words}</li>
          ))}
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
      id={toldId}
      data-told=""
      className={styles.told}
      data-plain={isPlain || undefined}
      role="status"
      tabIndex={-1}
    >
      {done ? <DoneOf {...done} /> : <p>{text}</p>}
    </div>
  );
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
              <form data-kept="" method="post" action={to(paths.operatorRequest(reference))}>
                <input type="hidden" name="act" value="undo" />
                <input type="hidden" name="seen" value={undo.seen} />
                <input type="hidden" name="formKey" value={undo.formKey} />
                <Button type="submit" aria-label={`${operator.desk.acts.undo}: ${reference}`}>
                  {operator.desk.acts.undo}
                </Button>
              </form>
            ) : null}
          </li>
        ))}
      </ul>
    </>
  );
}
