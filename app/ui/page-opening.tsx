import type { ReactNode } from "react";
import styles from "./page-opening.module.css";
import { ScallopEdge } from "./scallop-edge.tsx";

/**
 * The top of an inner page: a full-width field of colour with a scalloped edge, under the header.
 * `children` stand below the title: a lead, a date, a row of chips.
 */
export function PageOpening({
  title,
  field,
  aside,
  children,
}: {
  title: string;
  field:
    | "sky"
    | "marigold"
    | "rani"
    | "leaf"
    | "bright-marigold"
    | "bright-rani"
    | "peacock"
    | "night";
  /** A picture or ornament beside the words on wide screens. */
  aside?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <header className={styles.opening} data-field={field}>
      <div className={`page-width ${styles.inside}`}>
        <div className={styles.words}>
          <h1>{title}</h1>
          {children}
        </div>
        {aside ? <div className={styles.aside}>{aside}</div> : null}
      </div>
      <ScallopEdge />
    </header>
  );
}
