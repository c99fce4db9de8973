import fold from "./fold.module.css";
import styles from "./table-of-contents.module.css";

/**
 * The contents of a long page as the stops of a route: folded on a phone, beside the text on wide screens, where the
 * stop being read is marked. `table-of-contents.js` does the folding and marking; without it the contents can be
 * unfolded by hand.
 */
export function TableOfContents({
  title,
  className = "",
  sections,
}: {
  title: string;
  className?: string;
  /** `id` is the id of the section's element. */
  sections: { id: string; title: string }[];
}) {
  return (
    <nav className={`${styles.contents} ${className}`} aria-label={title}>
      <details className={`frame ${fold.fold}`} data-contents="">
        <summary>{title}</summary>
        <ol className={styles.stops}>
          {sections.map((section) => (
            <li key={section.id}>
              <a href={`#${section.id}`}>
                <span>{section.title}</span>
              </a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}
