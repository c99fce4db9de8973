import type { ReactNode } from "react";
import fringe from "../../components/fringe.module.css";
import { Text } from "../../components/text.tsx";
import styles from "./section.late.module.css";

/**
 * Renders a section of the landing page, with its content at page width. Unless `plain`, a fringe
 * overhangs the next section.
 */
export function Section({
  id,
  field,
  className = "",
  plain = false,
  children,
}: {
  id?: string;
  field: string;
  className?: string;
  plain?: boolean;
  children: ReactNode;
}) {
  return (
    <section
      className={plain ? styles.section : `${styles.section} ${fringe.fringe}`}
      id={id}
      data-field={field}
      data-plain={plain ? "" : undefined}
    >
      <div className={`page-width ${styles.inside} ${className}`}>{children}</div>
    </section>
  );
}

/**
 * Renders cards side by side. On phones, the row scrolls sideways (by keyboard, too) and the next
 * card is partly visible.
 */
export function Shelf({
  name,
  className = "",
  children,
}: {
  name: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: no further section of the page
    <div className={`${styles.shelf} ${className}`} role="region" aria-label={name} tabIndex={0}>
      {children}
    </div>
  );
}

/**
 * Renders a section's title and lead. `isHeadline` selects the largest title size.
 */
export function Opening({
  title,
  lead,
  isHeadline,
}: {
  title: string;
  lead: string;
  isHeadline?: boolean;
}) {
  return (
    <div className={styles.opening}>
      <h2 className={isHeadline ? "headline" : undefined}>
        <Text>{title}</Text>
      </h2>
      <p>
        <Text>{lead}</Text>
      </p>
    </div>
  );
}
