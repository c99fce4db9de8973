import { useWords } from "../../../words.ts";
import styles from "./desk.module.css";

export type DraftView = { subject: string; text: string; language: string };

/** The mail that an act would send, in its reader's language. */
export function Draft({ draft, id }: { draft: DraftView | undefined; id: string }) {
  const { form } = useWords().operator.desk;
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no group of fields.
    <div
      className={styles.draft}
      role="group"
      aria-labelledby={id}
      data-draft-of={id}
      aria-live="polite"
      tabIndex={draft ? 0 : undefined}
    >
      <h3 id={id}>{form.previewTitle}</h3>
      {draft ? (
        <div lang={draft.language}>
          <p>
            <b>{draft.subject}</b>
          </p>
          <pre>{draft.text}</pre>
        </div>
      ) : (
        <p>{form.noPreview}</p>
      )}
    </div>
  );
}
