import { WithAddresses } from "./line-breaks.tsx";
import styles from "./notice.module.css";

/** What was refused, at the top of a form: it can take the focus and links to the fields. */
export function ErrorSummary({
  id,
  title,
  problems,
}: {
  id: string;
  title: string;
  /** `field` is the id of a control. */
  problems: { field?: string; words: string }[];
}) {
  return (
    <div id={id} className={`frame ${styles.notice} ${styles.danger}`} role="alert" tabIndex={-1}>
      <h3>{title}</h3>
      <ul>
        {problems.map((problem) => (
          <li key={problem.words}>
            {problem.field ? (
              <a href={`#${problem.field}`}>
                <WithAddresses text={problem.words} />
              </a>
            ) : (
              problem.words
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
