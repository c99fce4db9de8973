import styles from "./desk.module.css";
import type { DueView } from "./row-view.ts";

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
