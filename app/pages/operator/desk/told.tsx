import { paths } from "../../../../server/http/paths.ts";
import { Button } from "../../../ui/button.tsx";
import { useWords } from "../../../words.ts";
import type { DoneView, Unfinished } from "./answer.ts";
import styles from "./desk.module.css";

/**
 * What came of the last act: it stands first and has the focus.
 * @param kept whether the form that was sent is still there with what was typed
 * @param title over problems, where not nothing was done
 */
export function Told({
  done,
  unfinished,
  kept = true,
  title,
}: {
  done?: DoneView | undefined;
  unfinished?: Unfinished | undefined;
  kept?: boolean;
  title?: string | undefined;
}) {
  const { problems } = useWords().operator.desk;
  if (unfinished) {
    const lost = kept
      ? []
      : ["explanation", "note", "address"].flatMap((name) =>
          (unfinished.typed[name] ?? []).filter((text) => text.trim() !== ""),
        );
    return (
      <div id="told" data-told="" className={styles.problem} role="alert" tabIndex={-1}>
        <h2>{title ?? problems.title}</h2>
        <ul>
          {unfinished.problems.map(({ field, words }) => (
            <li key={words}>{field ? <a href={`#${field}`}>{words}</a> : words}</li>
          ))}
        </ul>
        {lost.length > 0 ? <h3>{problems.typed}</h3> : null}
        {lost.map((one) => (
          <blockquote key={one}>{one}</blockquote>
        ))}
      </div>
    );
  }
  return done ? (
    <div id="told" data-told="" className={styles.told} role="status" tabIndex={-1}>
      <DoneOf {...done} />
    </div>
  ) : null;
}

/** What was done, each request by its name, and Undo: of several all together; one by one they stand below. */
function DoneOf({ text, of }: DoneView) {
  const { operator, to } = useWords();
  const { undo: label } = operator.desk.acts;
  const [only] = of.length === 1 ? of : [];
  const [before, after] = only ? text.split(only.reference) : [text];
  const undoable = of.flatMap(({ reference, undo }) => (undo ? [{ reference, ...undo }] : []));
  const names = of.map(({ reference }) => (
    <a key={reference} href={to(paths.operatorRequest(reference))}>
      {reference}
    </a>
  ));
  return (
    <>
      <p>
        {before} {only && after === undefined ? null : names} {after}
      </p>
      {undoable.length > 0 ? (
        <form
          method="post"
          action={to(only ? paths.operatorRequest(only.reference) : paths.operator)}
          data-kept=""
        >
          <input type="hidden" name="act" value="undo" />
          {only?.undo ? (
            <>
              <input type="hidden" name="seen" value={only.undo.seen} />
              <input type="hidden" name="formKey" value={only.undo.formKey} />
            </>
          ) : (
            undoable.map(({ reference }) => (
              <input key={reference} type="hidden" name="r" value={reference} />
            ))
          )}
          <Button type="submit">{label}</Button>
        </form>
      ) : null}
    </>
  );
}
