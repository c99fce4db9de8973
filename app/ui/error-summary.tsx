import type { RefObject } from "react";
import styles from "./notice.module.css";

/** What was refused, at the top of a form: it takes the focus and links to the fields. */
export function ErrorSummary({
  title,
  problems,
  focus,
}: {
  title: string;
  /** `field` is the id of a control. */
  problems: { field?: string; words: string }[];
  focus?: RefObject<HTMLDivElement | null>;
}) {
  return (
    // biome-ignore lint/a11y/noAutofocus: without script, what was refused must be read first
    <div ref={focus} className={styles.summary} role="alert" tabIndex={-1} autoFocus>
      <h3>{title}</h3>
      <ul>
        {problems.map((problem) => (
          <li key={problem.words}>
            {problem.field ? <a href={`#${problem.field}`}>{problem.words}</a> : problem.words}
          </li>
        ))}
      </ul>
    </div>
  );
}
