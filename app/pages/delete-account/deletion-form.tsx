import { type SubmitEventHandler, useLayoutEffect, useRef, useState } from "react";
import type { Campus } from "../../../campus-reader/campus.ts";
import { reasonCodes } from "../../../server/deletion-requests/life/request.ts";
import type { FormField } from "../../../server/deletion-requests/life/submission.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { describedBy, Field, TickField } from "../../ui/field.tsx";
import { WaitingSign } from "../../ui/icons.tsx";
import { WithAddresses } from "../../ui/line-breaks.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "./deletion-form.module.css";

/**
 * What came of the last act stands in the element with this id. Forms post to its address, and browsers keep a fragment
 * through a redirect (RFC 9110, 10.2.2): so the answer is the first thing seen and has the focus, without script too.
 */
export const answerId = "answer";

/** Where the page answers those whose mailbox is closed. */
export const closedMailboxId = "closed-mailbox";

/** Whether the three things the button waits for are there: address, reason, tick. */
function isFilled(form: HTMLFormElement): boolean {
  const fields = new FormData(form);
  return Boolean(fields.get("email") && fields.get("reason") && fields.get("confirmation"));
}

/** What was typed, by field. */
export type TypedValues = Partial<Record<FormField, string>>;

/** `field` is absent where the trouble is not with one field. */
export type FormProblem = { field?: Exclude<FormField, "formKey">; words: string };

type FormProps = {
  words: Campus["deletion"]["form"];
  addresses: { home: string; form: string };
  summaryTitle: string;
  formKey: string;
  values: TypedValues;
  problems: FormProblem[];
  simulated: boolean;
  submitting: boolean;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
};

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
}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  // Undefined until the browser has looked: without script the button stays enabled, and what was typed before the
  // script arrived counts.
  const [filled, setFilled] = useState<boolean>();
  useLayoutEffect(() => {
    if (!form.current) return;
    form.current.dataset.hydrated = "";
    setFilled(isFilled(form.current));
  }, []);
  return (
    <form
      ref={form}
      id="deletion-form"
      className={`stack panel ${styles.form}`}
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
      {problems.length > 0 ? <ErrorSummary title={summaryTitle} problems={problems} /> : null}
      <input type="hidden" name="formKey" value={formKey} />

      <Fields words={words} values={values} problems={problems} />
      {/* Only programs fill this in. */}
      <div className="visually-hidden" aria-hidden="true">
        <label htmlFor="website">{words.honeypotLabel}</label>
        <input id="website" name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <Buttons words={words} addresses={addresses} submitting={submitting} filled={filled} />
      <p className="visually-hidden" role="status">
        {submitting ? words.processing : ""}
      </p>
    </form>
  );
}

/** What was refused, at the top of the form: it can take the focus and links to the fields. */
function ErrorSummary({ title, problems }: { title: string; problems: FormProblem[] }) {
  return (
    <Notice tone="danger" id={answerId} role="alert" tabIndex={-1}>
      <h3>{title}</h3>
      <ul>
        {problems.map(({ field, words }) => (
          <li key={words}>
            {field ? (
              <a href={`#${field}`}>
                <WithAddresses text={words} />
              </a>
            ) : (
              words
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** What is wrong with a field, and what its control says of that and of its hint. */
function tellField(problems: FormProblem[], name: FormField, hint?: string) {
  const problem = problems.find(({ field }) => field === name)?.words;
  const control = {
    id: name,
    name,
    "aria-describedby": describedBy(name, { problem, hint }),
    // Said in so many words: an empty required field would be called invalid before anything was typed.
    "aria-invalid": problem !== undefined,
  };
  return { field: { name, problem }, control };
}

/** What is asked. */
function Fields({ words, values, problems }: Pick<FormProps, "words" | "values" | "problems">) {
  const email = tellField(problems, "email", words.emailHint);
  const reason = tellField(problems, "reason");
  const feedback = tellField(problems, "feedback");
  const confirmation = tellField(problems, "confirmation");
  const emailHint = (
    <>
      {words.emailHint} <a href={`#${closedMailboxId}`}>{words.mailboxClosed}</a>
    </>
  );
  return (
    <>
      <Field {...email.field} label={words.emailLabel} hint={emailHint}>
        <input
          {...email.control}
          type="email"
          required
          autoComplete="email"
          spellCheck={false}
          defaultValue={values.email}
        />
      </Field>
      <Field {...reason.field} label={words.reasonLabel}>
        <select {...reason.control} required autoComplete="off" defaultValue={values.reason ?? ""}>
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
      <Field {...feedback.field} label={words.feedbackLabel}>
        <textarea
          {...feedback.control}
          rows={4}
          autoComplete="off"
          defaultValue={values.feedback}
        />
      </Field>
      <TickField {...confirmation.field} label={words.confirmLabel}>
        <input
          {...confirmation.control}
          type="checkbox"
          value="yes"
          required
          defaultChecked={Boolean(values.confirmation)}
        />
      </TickField>
    </>
  );
}

/** The way back, and the way on once everything is filled in. */
function Buttons({
  words,
  addresses,
  submitting,
  filled,
}: Pick<FormProps, "words" | "addresses" | "submitting"> & { filled: boolean | undefined }) {
  return (
    <div className={`columns ${styles.buttons}`}>
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
  );
}
