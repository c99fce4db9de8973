import { maxExplanation } from "../../../../server/deletion-requests/life/life.ts";
import { paths } from "../../../../server/http/paths.ts";
import { type DeskAct, maxNote } from "../../../../server/operator-desk/act-names.ts";
import { Button } from "../../../ui/button.tsx";
import { describedBy } from "../../../ui/field.tsx";
import { useWords } from "../../../words.ts";
import { Choices } from "./choices.tsx";
import { Countdown } from "./countdown.tsx";
import { DatePicker } from "./date-picker.tsx";
import styles from "./desk.module.css";
import type { Unfinished } from "./desk-answer.ts";
import { Draft, type DraftView } from "./draft.tsx";
import { idOf } from "./read-act.ts";
import type { ActView, RequestView } from "./request-view.ts";
import { AccountKinds, Walk } from "./walk.tsx";
import { problemOf, Wrong } from "./wrong.tsx";

/** Everything that can be done with one request, in one place: what comes next in full, the rest folded. */

export type ShownDraft = { act: string; draft: DraftView };

type Shown = {
  view: RequestView;
  unfinished: Unfinished | undefined;
  /** A mail that was asked for without script. */
  drafted: (ShownDraft & { typed: Unfinished["typed"] }) | undefined;
};

export function Acts(shown: Shown) {
  const { desk } = useWords().operator;
  const { view, unfinished, drafted } = shown;
  const acts = view.acts.filter(({ act }) => act !== "note");
  const isOpen = (act: DeskAct) => unfinished?.act === act || drafted?.act === act;
  return (
    <section className={styles.acts} aria-labelledby="acts-title">
      <h2 id="acts-title">{desk.request.acts}</h2>
      {acts
        .filter(({ isNext }) => isNext)
        .map((one, index) => (
          <div key={one.act} id={one.act} className={styles.next}>
            {one.act === "complete" ? <h3>{desk.acts.complete}</h3> : null}
            <ActForm {...shown} one={one} look={index === 0 ? "primary" : "plain"} />
          </div>
        ))}
      {view.why ? <p className={styles.hint}>{view.why}</p> : null}
      {acts
        .filter(({ isNext }) => !isNext)
        .map((one) => (
          <details
            key={one.act}
            id={one.act}
            className={styles.act}
            open={isOpen(one.act) || undefined}
          >
            <summary>{desk.acts[one.act]}</summary>
            <ActForm {...shown} one={one} look={one.act === "refuse" ? "danger" : "plain"} />
          </details>
        ))}
    </section>
  );
}

/** The form of one act. What was typed into it comes back where it was not done. */
export function ActForm({
  one: { act, about, fields, hasDraft },
  look,
  ...shown
}: Shown & { one: ActView; look: "primary" | "plain" | "danger" }) {
  const { operator, to } = useWords();
  const { desk } = operator;
  const { view, unfinished, drafted } = shown;
  // Without what an earlier act had to say.
  const action = to(paths.operatorRequest(view.row.reference));
  const typed =
    unfinished?.act === act ? unfinished.typed : drafted?.act === act ? drafted.typed : {};
  const problems = unfinished?.act === act ? unfinished.problems : [];
  const draft = drafted?.act === act ? drafted.draft : undefined;
  return (
    <form
      method="post"
      action={action}
      className={styles.form}
      data-kept=""
      data-draft={hasDraft ? "" : undefined}
    >
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name="seen" value={view.seen} />
      <input type="hidden" name="formKey" value={view.formKey} />
      <p className={styles.hint}>{about}</p>
      {act === "approve" && view.proof ? (
        <dl>
          <dt className={styles.hint}>{desk.enter.proof}</dt>
          <dd>{view.proof}</dd>
        </dl>
      ) : null}
      {fields.map((name) => (
        <Field key={name} {...{ act, name, view, typed, problems }} />
      ))}
      {act === "undo" && view.undo ? <Countdown {...view.undo} /> : null}
      {hasDraft ? <Draft draft={draft} id={`draft-${act}`} /> : null}
      <div className={styles.buttons}>
        {hasDraft ? (
          <Button type="submit" name="preview" value="1" formNoValidate>
            {act === "complete" ? desk.form.showReceipt : desk.form.preview}
          </Button>
        ) : null}
        <Button type="submit" look={look}>
          {desk.acts[act]}
        </Button>
      </div>
    </form>
  );
}

type FieldProps = {
  act: DeskAct;
  view: RequestView;
  typed: Unfinished["typed"];
  problems: Unfinished["problems"];
};

/** A field of an act by its name: what each act asks for, its declaration says. */
function Field({ name, ...props }: FieldProps & { name: string }) {
  const { form } = useWords().operator.desk;
  const { act, view, typed, problems } = props;
  const id = idOf(act, name);
  switch (name) {
    case "from":
      return <input type="hidden" name="from" value={view.row.owner?.name ?? ""} />;
    case "reason":
      return (
        <Choices
          id={id}
          problem={problemOf(problems, id)}
          name="reason"
          legend={form.reason}
          choices={view.reasons[act] ?? []}
          chosen={typed.reason?.[0]}
        />
      );
    case "days":
      return (
        <div className={styles.fields}>
          <Wrong name={id} words={problemOf(problems, id)} />
          <DatePicker
            id={id}
            label={form.newDate}
            weekdays={view.weekdays}
            months={view.months}
            chosen={typed.days?.[0]}
          />
        </div>
      );
    case "walk":
      return (
        <Walk walk={view.walk} typed={typed} problems={problems}>
          <Account typed={typed} problems={problems} />
        </Walk>
      );
    case "explanation":
      return <Explanation {...props} id={id} />;
    case "note":
      return (
        <textarea
          id={id}
          name="note"
          rows={2}
          required
          maxLength={maxNote}
          aria-label={form.note}
          defaultValue={typed.note?.[0]}
        />
      );
    default:
      return null;
  }
}

/** Whose account it was, as the last place says it. */
function Account({ typed, problems }: Omit<FieldProps, "act" | "view">) {
  const { form } = useWords().operator.desk;
  const problem = problemOf(problems, "address");
  return (
    <div className={styles.fields}>
      <div className={styles.field}>
        <label htmlFor="address">{form.address}</label>
        <p id="address-hint" className={styles.hint}>
          {form.addressHint}
        </p>
        <Wrong name="address" words={problem} />
        <input
          id="address"
          name="address"
          type="email"
          required
          autoComplete="off"
          spellCheck={false}
          aria-describedby={describedBy("address", { problem, hint: form.addressHint })}
          aria-invalid={problem !== "" || undefined}
          defaultValue={typed.address?.[0]}
        />
      </div>
      <AccountKinds typed={typed} problems={problems} />
    </div>
  );
}

function Explanation({ id, act, view, typed, problems }: FieldProps & { id: string }) {
  const { operator, say } = useWords();
  const { form } = operator.desk;
  const problem = problemOf(problems, id);
  const required = act === "undo";
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        {form.explanation} {required ? null : <span>{form.optional}</span>}
      </label>
      <p id={`${id}-hint`} className={styles.hint}>
        {form.explanationHint} {say(form.languageHint, { language: view.language.name })}
      </p>
      <Wrong name={id} words={problem} />
      <textarea
        id={id}
        name="explanation"
        rows={3}
        maxLength={maxExplanation}
        required={required}
        lang={view.language.tag}
        aria-describedby={describedBy(id, { problem, hint: form.explanationHint })}
        aria-invalid={problem !== "" || undefined}
        defaultValue={typed.explanation?.[0]}
      />
    </div>
  );
}
