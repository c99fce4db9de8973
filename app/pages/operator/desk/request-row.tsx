import { paths } from "../../../../server/http/paths.ts";
import { Button } from "../../../ui/button.tsx";
import { WithAddresses } from "../../../ui/line-breaks.tsx";
import { useWords, type Words } from "../../../words.ts";
import styles from "./desk.module.css";
import type { DueView, RowView } from "./row-view.ts";

/**
 * A request in two lines: by when, whose account, and what is special about it. All of it is pressed to open it.
 * @param act what can be done from here
 */
export function RequestRow({
  row,
  act,
  canChoose = false,
}: {
  row: RowView;
  act?: "take" | "undo" | undefined;
  canChoose?: boolean;
}) {
  const words = useWords();
  const { operator, to, say } = words;
  const { acts, card, list } = operator.desk;
  const { reference, due } = row;
  return (
    <li className={styles.row}>
      {canChoose ? (
        <input
          type="checkbox"
          className={styles.choose}
          name="r"
          value={reference}
          form="together"
          aria-label={say(card.choose, { reference })}
        />
      ) : null}
      <div className={styles.what}>
        <div className={styles.line}>
          <a href={to(paths.operatorRequest(reference))}>{reference}</a>
          <span className={styles.address}>
            <WithAddresses text={row.address ?? list.erased} />
          </span>
        </div>
        <div className={styles.line}>
          {due ? <Due due={due} /> : null}
          {notesOf(words, row).map((note) => (
            <span key={note} className={styles.mark}>
              {note}
            </span>
          ))}
        </div>
      </div>
      {act ? (
        <form method="post" action={to(paths.operator)} data-kept="">
          <input type="hidden" name="r" value={reference} />
          <Button type="submit" name="act" value={act}>
            {acts[act]}
          </Button>
        </form>
      ) : null}
    </li>
  );
}

/** What is special about it, and what is not said by when it is due. */
function notesOf({ operator, say }: Words, row: RowView): string[] {
  const { card, request: labels, whyNot } = operator.desk;
  const { due, owner, waits, enteredBy } = row;
  return [
    due ? undefined : (row.leaves ?? row.state),
    owner?.standing,
    waits && `${labels.held}, ${waits}`,
    enteredBy &&
      (enteredBy.isOwn
        ? whyNot["needs-second-person"]
        : say(card.enteredBy, { name: enteredBy.name })),
    ...row.marks,
  ].filter((note) => note !== undefined);
}

const signs = { late: "!", soon: "◔", calm: "○" } as const;

/** When something is due, in words and in colour; the sign says it to whoever sees no colours. */
export function Due({ due }: { due: DueView }) {
  return (
    <p className={styles.due} data-tone={due.tone}>
      <span className={styles.sign} aria-hidden="true">
        {signs[due.tone]}
      </span>
      <span>
        <b>{due.left}</b> <span>{due.day}</span>
      </span>
    </p>
  );
}
