import type { ReactNode } from "react";
import styles from "./fold.module.css";

/**
 * Section that folds on a phone and is open on wide screens, where its title is a plain heading.
 * The page's script sets `open`; without JavaScript the styles do the same.
 */
export function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className={`frame ${styles.fold} ${styles.wide}`} data-fold="">
      <summary>
        <h2>{title}</h2>
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}
