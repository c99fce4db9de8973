import { createFormKey } from "../../../../server/deletion-requests/life/request.ts";
import { paths } from "../../../../server/http/paths.ts";
import { Button } from "../../../ui/button.tsx";
import { useWords } from "../../../words.ts";
import { ToldBox } from "../operator-frame.tsx";
import { type Answer, type DoneView, typedByHand } from "./answer.ts";
import { Hidden } from "./fields.tsx";

/**
 * What came of the last act: it stands first and has the focus.
 * @param kept whether the form that was sent is still there with what was typed
 */
export function Told({
  done,
  answer,
  kept = true,
}: {
  done?: DoneView | undefined;
  answer?: Answer | undefined;
  kept?: boolean;
}) {
  const { problems, together } = useWords().operator.desk;
  if (answer && answer.problems.length > 0) {
    const lost = kept ? [] : typedByHand(answer.typed);
    return (
      <ToldBox tone="danger">
        <h2>{answer.done.length > 0 ? together.partly : problems.title}</h2>
        <ul>
          {answer.problems.map(({ field, words }) => (
            <li key={words}>{field ? <a href={`#${field}`}>{words}</a> : words}</li>
          ))}
        </ul>
        {lost.length > 0 ? <h3>{problems.typed}</h3> : null}
        {lost.map((one) => (
          <blockquote key={one}>{one}</blockquote>
        ))}
      </ToldBox>
    );
  }
  return done && !answer ? <Done {...done} /> : null;
}

/** What was done, each request by its name, and Undo: of several all together; one by one they stand on Today. */
function Done({ text, of }: DoneView) {
  const { operator, to } = useWords();
  const [only] = of.length === 1 ? of : [];
  const [before, after] = only ? text.split(only.reference) : [text];
  const r = of.flatMap(({ reference, canUndo }) => (canUndo ? reference : []));
  const names = of.map(({ reference }) => (
    <a key={reference} href={to(paths.operatorRequest(reference))}>
      {reference}
    </a>
  ));
  return (
    <ToldBox tone="success">
      <p>
        {before} {only && after === undefined ? null : names} {after}
      </p>
      {r.length > 0 ? (
        <form method="post" action={to(paths.operator)} data-kept="">
          <Hidden fields={{ act: "undo", formKey: createFormKey(), r }} />
          <Button type="submit">{operator.desk.acts.undo}</Button>
        </form>
      ) : null}
    </ToldBox>
  );
}
