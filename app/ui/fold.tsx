import type { ReactNode } from "react";
import styles from "./fold.module.css";

/**
 * A section that is folded on a phone and open on wide screens, where its title is a plain heading. The page's own
 * script says so to `open`; without it the browser's styles do.
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
