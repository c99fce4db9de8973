import type { ReactNode } from "react";
import { paths } from "../../../../server/http/paths.ts";
import { Button } from "../../../ui/button.tsx";
import { useWords } from "../../../words.ts";
import type { ActView } from "./act-view.ts";
import styles from "./desk.module.css";
import { Fields, type Filled } from "./fields.tsx";
import { Walk } from "./walk.tsx";

/** A mail as an act would send it, in its reader's language. */
export type DraftView = { subject: string; text: string; language: string };

/** The form of one act. What was typed into it comes back where it was not done. */
export function ActForm({
  view,
  of,
  filled,
  draft,
  seen,
  look,
  children,
}: {
  view: ActView;
  /** The requests that it is about. */
  of: readonly string[];
  filled: Filled;
  draft?: DraftView | undefined;
  /** What the page has told of a single request. */
  seen?: number;
  look: "primary" | "plain" | "danger";
  children?: ReactNode;
}) {
  const { operator, to } = useWords();
  const { act, about, fields, walk, hasDraft, formKey } = view;
  // Of several the page tells no more than that they are chosen.
  const only = seen === undefined ? undefined : of[0];
  const rest = (
    <>
      {/* What the walk asks for stands once on a page, under its own name. */}
      <Fields fields={fields} filled={filled} prefix={walk ? "" : `${act}-`} />
      {children}
      {hasDraft ? <Draft draft={draft} id={`draft-${act}`} /> : null}
      <div className={styles.buttons}>
        {hasDraft ? <Preview isReceipt={walk !== undefined} /> : null}
        <Button type="submit" look={look}>
          {operator.desk.acts[act]}
        </Button>
      </div>
    </>
  );
  return (
    <form
      method="post"
      action={to(only ? paths.operatorRequest(only) : paths.operatorBatch)}
      className={styles.form}
      data-kept=""
      data-draft={hasDraft ? "" : undefined}
    >
      <input type="hidden" name="act" value={act} />
      {seen === undefined ? null : <input type="hidden" name="seen" value={seen} />}
      <input type="hidden" name="formKey" value={formKey} />
      {only
        ? null
        : of.map((reference) => <input key={reference} type="hidden" name="r" value={reference} />)}
      <p className={styles.hint}>{about}</p>
      {walk ? (
        <Walk walk={walk} filled={filled}>
          {rest}
        </Walk>
      ) : (
        rest
      )}
    </form>
  );
}

/** Shows the mail before it is sent, where no script does. */
function Preview({ isReceipt }: { isReceipt: boolean }) {
  const { form } = useWords().operator.desk;
  return (
    <Button type="submit" name="preview" value="1" formNoValidate>
      {isReceipt ? form.showReceipt : form.preview}
    </Button>
  );
}

/** The mail that an act would send. */
function Draft({ draft, id }: { draft: DraftView | undefined; id: string }) {
  const { form } = useWords().operator.desk;
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no group of fields.
    <div
      className={styles.draft}
      role="group"
      aria-labelledby={id}
      aria-live="polite"
      data-draft-of={id}
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
