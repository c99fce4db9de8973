import { type SubmitEventHandler, useLayoutEffect, useRef, useState } from "react";
import type { Campus } from "../../../campus-reader/load.ts";
import { reasonCodes } from "../../../server/deletion-requests/life/reasons.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { describedBy, Field, TickField } from "../../ui/field.tsx";
import { WaitingSign } from "../../ui/icons.tsx";
import { Notice } from "../../ui/notice.tsx";
import { type Addresses, answerId } from "./answer-place.ts";
import styles from "./deletion-form.module.css";
import type { FormField, FormProblem } from "./page-answer.ts";

export type TypedValues = {
  email?: string;
  reason?: string;
  feedback?: string;
  confirmed?: boolean;
};

/** Where the page answers those whose mailbox is closed. */
export const closedMailboxId = "closed-mailbox";

/** Whether the three things the button waits for are there: address, reason, tick. */
function isFilled(form: HTMLFormElement): boolean {
  const fields = new FormData(form);
  return Boolean(fields.get("email") && fields.get("reason") && fields.get("confirmation"));
}

/** The form as the specification has it; what the server refuses stands in a summary and beside its field. */
export function DeletionForm({
  words,
  addresses,
  summaryTitle,
  formKey,
  values,
  problems,
  simulated,
  submitting,
  onSubmit,
}: {
  words: Campus["deletion"]["form"];
  addresses: Addresses;
  summaryTitle: string;
  formKey: string;
  values: TypedValues;
  problems: FormProblem[];
  simulated: boolean;
  submitting: boolean;
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
  /** What every control of a field has in common. */
  const control = (field: FormField, hint?: string) => ({
    id: field,
    name: field,
    "aria-describedby": describedBy(field, { problem: problemOf(field), hint }),
    // Said in so many words: an empty required field would be called invalid before anything was typed.
    "aria-invalid": problemOf(field) !== undefined,
  });
  return (
    <form
      ref={form}
      id="deletion-form"
      className={styles.form}
      method="post"
      action={addresses.form}
      tabIndex={-1}
      aria-labelledby="form-title"
      aria-busy={submitting || undefined}
      onInput={(event) => setFilled(isFilled(event.currentTarget))}
      onSubmit={onSubmit}
    >
      <h2 id="form-title">{words.title}</h2>
      {simulated ? <Notice tone="know">{words.simulatedNotice}</Notice> : null}
      {problems.length > 0 ? (
        <ErrorSummary id={answerId} title={summaryTitle} problems={problems} />
      ) : null}
      <input type="hidden" name="formKey" value={formKey} />

      <Field
        name="email"
        label={words.emailLabel}
        hint={
          <>
            {words.emailHint} <a href={`#${closedMailboxId}`}>{words.mailboxClosed}</a>
          </>
        }
        problem={problemOf("email")}
      >
        <input
          {...control("email", words.emailHint)}
          type="email"
          required
          autoComplete="email"
          spellCheck={false}
          defaultValue={values.email}
        />
      </Field>

      <Field name="reason" label={words.reasonLabel} problem={problemOf("reason")}>
        <select
          {...control("reason")}
          required
          autoComplete="off"
          defaultValue={values.reason ?? ""}
        >
          <option value="">{words.reasonPlaceholder}</option>
          {reasonCodes
            .filter((code) => words.reasons[code])
            .map((code) => (
              <option key={code} value={code}>
                {words.reasons[code]}
              </option>
            ))}
        </select>
      </Field>

      <Field name="feedback" label={words.feedbackLabel} problem={problemOf("feedback")}>
        <textarea
          {...control("feedback")}
          rows={4}
          autoComplete="off"
          defaultValue={values.feedback}
        />
      </Field>

      <TickField name="confirmation" label={words.confirmLabel} problem={problemOf("confirmation")}>
        <input
          {...control("confirmation")}
          type="checkbox"
          value="yes"
          required
          defaultChecked={values.confirmed}
        />
      </TickField>

      <div className={styles.honeypot} aria-hidden="true">
        <label htmlFor="website">{words.honeypotLabel}</label>
        <input id="website" name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>

      <div className={styles.buttons}>
        <ButtonLink href={addresses.home} data-back="">
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
              <WaitingSign className={styles.spinner} /> {words.processing}
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
