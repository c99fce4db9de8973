import { LoaderCircle } from "lucide-react";
import {
  type ReactNode,
  type RefObject,
  type SubmitEventHandler,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { Campus } from "../../../campus/load.ts";
import { reasonCodes } from "../../../server/deletion-requests/reasons.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import styles from "./deletion-form.module.css";
import type { FormField, FormProblem } from "./page-answer.ts";

export type TypedValues = {
  email?: string;
  reason?: string;
  feedback?: string;
  confirmed?: boolean;
};

/** Whether the three things the button waits for are there: address, reason, tick. */
function isFilled(form: HTMLFormElement): boolean {
  const fields = new FormData(form);
  return Boolean(fields.get("email") && fields.get("reason") && fields.get("confirmation"));
}

/** The form as the specification has it; what the server refuses stands in a summary and beside its field. */
export function DeletionForm({
  words,
  summaryTitle,
  formKey,
  values,
  problems,
  simulated,
  submitting,
  summary,
  onSubmit,
}: {
  words: Campus["deletion"]["form"];
  summaryTitle: string;
  formKey: string;
  values: TypedValues;
  problems: FormProblem[];
  simulated: boolean;
  submitting: boolean;
  summary: RefObject<HTMLDivElement | null>;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
}) {
  const form = useRef<HTMLFormElement>(null);
  // Undefined until the browser has looked: without script the button stays enabled, and what was typed before the
  // script arrived counts.
  const [filled, setFilled] = useState<boolean>();
  useLayoutEffect(() => {
    if (!form.current) return;
    form.current.dataset.hydrated = "";
    setFilled(isFilled(form.current));
  }, []);
  const problemOf = (field: FormField) =>
    problems.find((problem) => problem.field === field)?.words;
  const described = (field: FormField, hint?: string) =>
    [problemOf(field) ? `${field}-problem` : "", hint ?? ""].filter(Boolean).join(" ") || undefined;
  return (
    <form
      ref={form}
      id="deletion-form"
      className={styles.form}
      method="post"
      action="/delete-my-account"
      aria-busy={submitting || undefined}
      onInput={(event) => setFilled(isFilled(event.currentTarget))}
      onSubmit={onSubmit}
    >
      <h2>{words.title}</h2>
      {simulated ? <p className={styles.demonstration}>{words.simulatedNotice}</p> : null}
      {problems.length > 0 ? (
        // biome-ignore lint/a11y/noAutofocus: without script, what was refused must be read first
        <div ref={summary} className={styles.summary} role="alert" tabIndex={-1} autoFocus>
          <h3>{summaryTitle}</h3>
          <ul>
            {problems.map((problem) => (
              <li key={problem.words}>
                {problem.field ? <a href={`#${problem.field}`}>{problem.words}</a> : problem.words}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <input type="hidden" name="formKey" value={formKey} />

      <Field
        name="email"
        label={words.emailLabel}
        hint={words.emailHint}
        problem={problemOf("email")}
      >
        <input
          id="email"
          name="email"
          type="email"
          required
          autoComplete="email"
          spellCheck={false}
          defaultValue={values.email}
          aria-describedby={described("email", "email-hint")}
          aria-invalid={problemOf("email") ? true : undefined}
        />
      </Field>

      <Field name="reason" label={words.reasonLabel} problem={problemOf("reason")}>
        <select
          id="reason"
          name="reason"
          required
          autoComplete="off"
          defaultValue={values.reason ?? ""}
          aria-describedby={described("reason")}
          aria-invalid={problemOf("reason") ? true : undefined}
        >
          <option value="">{words.reasonPlaceholder}</option>
          {reasonCodes.map((code) => (
            <option key={code} value={code}>
              {words.reasons[code]}
            </option>
          ))}
        </select>
      </Field>

      <Field name="feedback" label={words.feedbackLabel} problem={problemOf("feedback")}>
        <textarea
          id="feedback"
          name="feedback"
          rows={4}
          autoComplete="off"
          defaultValue={values.feedback}
          aria-describedby={described("feedback")}
          aria-invalid={problemOf("feedback") ? true : undefined}
        />
      </Field>

      <div className={styles.confirmation}>
        <input
          id="confirmation"
          name="confirmation"
          type="checkbox"
          value="yes"
          required
          autoComplete="off"
          defaultChecked={values.confirmed}
          aria-describedby={described("confirmation")}
          aria-invalid={problemOf("confirmation") ? true : undefined}
        />
        <label htmlFor="confirmation">{words.confirmLabel}</label>
        <Problem field="confirmation" words={problemOf("confirmation")} />
      </div>

      <div className={styles.honeypot} aria-hidden="true">
        <label htmlFor="website">{words.honeypotLabel}</label>
        <input id="website" name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>

      <div className={styles.buttons}>
        <ButtonLink href="/" data-back="">
          {words.cancel}
        </ButtonLink>
        <Button
          type="submit"
          look="danger"
          disabled={submitting || filled === false}
          suppressHydrationWarning
        >
          {submitting ? (
            <>
              <LoaderCircle aria-hidden="true" className={styles.spinner} /> {words.processing}
            </>
          ) : (
            words.submit
          )}
        </Button>
      </div>
      <p className="visually-hidden" role="status">
        {submitting ? words.processing : ""}
      </p>
    </form>
  );
}

function Field({
  name,
  label,
  hint,
  problem,
  children,
}: {
  name: FormField;
  label: string;
  hint?: string;
  problem: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className={styles.field}>
      <label htmlFor={name}>{label}</label>
      {hint ? (
        <p id={`${name}-hint`} className={styles.hint}>
          {hint}
        </p>
      ) : null}
      <Problem field={name} words={problem} />
      {children}
    </div>
  );
}

function Problem({ field, words }: { field: FormField; words: string | undefined }) {
  if (!words) return null;
  return (
    <p id={`${field}-problem`} className={styles.problem}>
      {words}
    </p>
  );
}
