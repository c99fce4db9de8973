import type { ReactNode } from "react";
import styles from "./fold.module.css";

/**
 * Renders a section that folds on a phone. On wide screens and on paper it is a plain section: styles
 * show its own heading instead of the fold's summary, so that no control without an effect is left.
 * @param id the fold's id, for links that open it
 */
export function Fold({ id, title, children }: { id?: string; title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className={styles.title}>{title}</h2>
      <details id={id} className={`frame ${styles.fold}`} aria-label={title} data-fold="">
        <summary>
          <h2>{title}</h2>
        </summary>
        <div className={styles.content}>{children}</div>
      </details>
    </section>
  );
}
