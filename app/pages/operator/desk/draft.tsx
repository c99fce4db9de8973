import { useWords } from "../../../words.ts";
import styles from "./desk.module.css";

export type DraftView = { subject: string; text: string; language: string };

/** The mail that an act would send, in its reader's language. */
export function Draft({ draft, id }: { draft: DraftView | undefined; id: string }) {
  const { form } = useWords().operator.desk;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach that.
    <section className={styles.draft} aria-labelledby={id} aria-live="polite" tabIndex={0}>
      <h4 id={id}>{form.previewTitle}</h4>
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
    </section>
  );
}
