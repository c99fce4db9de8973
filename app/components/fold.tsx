import type { ReactNode } from "react";
import styles from "./fold.module.css";
import { Text } from "./text.tsx";

/**
 * Renders a section that is collapsible on phones. On wide screens and on paper, styles replace the
 * clickable summary with a plain heading.
 * @param id the section's id, for links that open the section
 */
export function Fold({ id, title, children }: { id?: string; title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className={styles.title}>
        <Text>{title}</Text>
      </h2>
      <details id={id} className={`frame ${styles.fold}`} aria-label={title} data-fold="">
        <summary>
          <h2>
            <Text>{title}</Text>
          </h2>
        </summary>
        <div className={styles.content}>{children}</div>
      </details>
    </section>
  );
}
