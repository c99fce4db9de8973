import { type ReactNode, useRef, useState } from "react";
import { Form, useFetcher, useNavigation } from "react-router";
import { paths } from "../../../../server/http/paths.ts";
import type { DeskAct } from "../../../../server/operator-desk/acts.ts";
import { Button } from "../../../ui/button.tsx";
import { useWords } from "../../../words.ts";
import { Checklist } from "./checklist.tsx";
import { Choices } from "./choices.tsx";
import { Countdown } from "./countdown.tsx";
import { DatePicker } from "./date-picker.tsx";
import styles from "./desk.module.css";
import type { Unfinished } from "./desk-answer.ts";
import { Draft, type DraftView } from "./draft.tsx";
import type { RequestView } from "./request-view.ts";
import { problemOf } from "./wrong.tsx";

/** Everything that can be done with one request, in one place: what comes next in full, the rest folded. */

export type ShownDraft = { act: string; draft: DraftView };

type Shown = {
  view: RequestView;
  unfinished: Unfinished | undefined;
  /** A mail that was asked for without script. */
  drafted: (ShownDraft & { typed: Unfinished["typed"] }) | undefined;
};

/** What comes next in the ordinary way: shown in full. */
const ordinary: readonly DeskAct[] = ["undo", "take", "complete", "release", "approve", "retry"];
/** What whoever is away has to be relieved of comes before all else. */
const relief: DeskAct = "hand-back";
/** What the page has at another place, and what is missed by nobody where it is not possible. */
const elsewhere: readonly DeskAct[] = ["note", "retry"];

export function Acts(shown: Shown) {
  const { desk } = useWords().operator;
  const { view } = shown;
  // What the account system deletes now, nobody is led to delete by hand.
  const isNext = (act: DeskAct) =>
    act === relief
      ? view.row.owner?.isAway === true
      : ordinary.includes(act) &&
        !(view.system?.isAtWork && (act === "take" || act === "complete"));
  const next = [relief, ...ordinary].filter((act) => view.can.includes(act) && isNext(act));
  const others = view.can.filter((act) => !isNext(act) && !elsewhere.includes(act));
  const cannot = view.cannot.filter(({ act }) => !elsewhere.includes(act));
  return (
    <section className={styles.acts} aria-labelledby="acts-title">
      <h2 id="acts-title">{desk.request.acts}</h2>
      {next.map((act, index) => (
        <div key={act} id={act} className={styles.next}>
          {act === "complete" ? <h3>{desk.acts[act]}</h3> : null}
          <ActForm {...shown} act={act} look={index === 0 ? "primary" : "plain"} />
        </div>
      ))}
      {others.map((act) => (
        <details key={act} id={act} className={styles.act} open={isOpen(shown, act) || undefined}>
          <summary>{desk.acts[act]}</summary>
          <ActForm
            {...shown}
            act={act}
            look={act === "refuse" || act === "remove" ? "danger" : "plain"}
          />
        </details>
      ))}
      {cannot.length > 0 ? (
        <details className={styles.cannot}>
          <summary>{desk.whyNot.title}</summary>
          <dl>
            {cannot.map(({ act, why }) => (
              <div key={act}>
                <dt>{desk.acts[act]}</dt>
                <dd>{why}</dd>
              </div>
            ))}
          </dl>
        </details>
      ) : null}
    </section>
  );
}

function isOpen({ unfinished, drafted }: Shown, act: DeskAct): boolean {
  return unfinished?.act === act || drafted?.act === act;
}

/** The form of one act. What was typed into it comes back where it was not done. */
export function ActForm({
  act,
  look,
  children,
  ...shown
}: Shown & {
  act: DeskAct;
  look: "primary" | "plain" | "danger";
  /** Fields of an act that this file does not know. */
  children?: ReactNode;
}) {
  const { operator, to } = useWords();
  const { desk } = operator;
  const { view, unfinished, drafted } = shown;
  // Without what an earlier act had to say.
  const action = to(paths.operatorRequest(view.row.reference));
  const navigation = useNavigation();
  const isBusy = navigation.formMethod === "POST" && navigation.formData?.get("act") === act;
  const typed =
    unfinished?.act === act ? unfinished.typed : drafted?.act === act ? drafted.typed : {};
  const problems = unfinished?.act === act ? unfinished.problems : [];
  const form = useRef<HTMLFormElement>(null);
  // The same until it was done, however often the page is read again meanwhile.
  const [formKey] = useState(view.formKey);
  const drafts = useFetcher<{ drafted?: ShownDraft }>({ key: `draft-${act}` });
  const hasDraft = act === "refuse" || act === "extend" || act === "hold" || act === "cancel";
  const draft = [drafts.data?.drafted, drafted].find((one) => one?.act === act)?.draft;
  /** The mail follows what is chosen and typed. */
  function showDraft(): void {
    if (!form.current || !hasDraft) return;
    const fields = new FormData(form.current);
    fields.set("preview", "1");
    drafts.submit(fields, { method: "post", action });
  }
  return (
    <Form ref={form} method="post" action={action} className={styles.form} preventScrollReset>
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name="seen" value={view.seen} />
      {act === "note" || act === "resend" ? (
        <input type="hidden" name="formKey" value={formKey} />
      ) : null}
      <p className={styles.hint}>
        {desk.about[act === "take" && view.row.isBegun ? "takeBegun" : act]}
      </p>
      {act === "approve" && view.proof ? (
        <dl>
          <dt className={styles.hint}>{desk.enter.proof}</dt>
          <dd>{view.proof}</dd>
        </dl>
      ) : null}
      {children ?? (
        <ActFields act={act} view={view} typed={typed} problems={problems} onChange={showDraft} />
      )}
      {act === "undo" && view.undo ? <Countdown {...view.undo} /> : null}
      {hasDraft ? <Draft draft={draft} id={`draft-${act}`} /> : null}
      <div className={styles.buttons}>
        {hasDraft ? (
          <Button
            type="submit"
            name="preview"
            value="1"
            formNoValidate
            onClick={(event) => {
              event.preventDefault();
              showDraft();
            }}
          >
            {desk.form.preview}
          </Button>
        ) : null}
        <Button type="submit" look={look} aria-disabled={isBusy || undefined}>
          {act === "remove"
            ? desk.form.sure.replace("{reference}", view.row.reference)
            : desk.acts[act]}
        </Button>
      </div>
    </Form>
  );
}

function ActFields({
  act,
  view,
  typed,
  problems,
  onChange,
}: {
  act: DeskAct;
  view: RequestView;
  typed: Unfinished["typed"];
  problems: Unfinished["problems"];
  onChange: () => void;
}): ReactNode {
  const { form } = useWords().operator.desk;
  const value = (name: string) => typed[name]?.[0];
  const explanation = (required: boolean) => (
    <div className={styles.field}>
      <label htmlFor={`${act}-explanation`}>
        {form.explanation} {required ? null : <span>{form.optional}</span>}
      </label>
      <p id={`${act}-explanation-hint`} className={styles.hint}>
        {form.explanationHint} {form.languageHint.replace("{language}", view.language.name)}
      </p>
      <textarea
        id={`${act}-explanation`}
        name="explanation"
        rows={3}
        maxLength={1000}
        required={required}
        lang={view.language.tag}
        aria-describedby={`${act}-explanation-hint`}
        defaultValue={value("explanation")}
        onBlur={onChange}
      />
    </div>
  );
  const reasons = (codes: RequestView["refusals"]) => (
    <Choices
      id={`${act}-reason`}
      problem={problemOf(problems, `${act}-reason`)}
      name="reason"
      legend={form.reason}
      choices={codes.map(({ code, words }) => ({ value: code, words }))}
      chosen={value("reason")}
      onChange={onChange}
    />
  );
  switch (act) {
    case "complete":
      return <Checklist checklist={view.checklist} typed={typed} problems={problems} />;
    case "refuse":
      return (
        <>
          {reasons(view.refusals)}
          {explanation(false)}
        </>
      );
    case "hold":
      return (
        <>
          {reasons(view.holds)}
          <div className={styles.field}>
            <label htmlFor="hold-until">{form.holdUntil}</label>
            <p id="hold-until-hint" className={styles.hint}>
              {view.holdDays?.hint}
            </p>
            <input
              id="hold-until"
              name="until"
              type="date"
              required
              min={view.holdDays?.first}
              max={view.holdDays?.last}
              defaultValue={value("until") ?? view.holdDays?.likely}
              aria-describedby="hold-until-hint"
              onChange={onChange}
            />
          </div>
          {explanation(false)}
        </>
      );
    case "extend":
      return (
        <div className={styles.fields} onChange={onChange}>
          <DatePicker
            label={form.newDate}
            weekdays={view.weekdays}
            months={view.months}
            chosen={value("days")}
          />
          {explanation(true)}
        </div>
      );
    case "cancel":
      return explanation(false);
    case "reopen":
      return explanation(true);
    default:
      return null;
  }
}
