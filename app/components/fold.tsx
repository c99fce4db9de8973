import type { ReactNode } from "react";
import styles from "./fold.module.css";

/**
 * Renders a section that is collapsible on a phone. On wide screens, the section is always expanded
 * and its title is a plain heading. The page's script sets `open`; without JavaScript, the styles
 * have the same effect.
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
