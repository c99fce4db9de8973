import { type SubmitEventHandler, useLayoutEffect, useRef, useState } from "react";
import type { Campus } from "../../../campus-reader/campus.ts";
import { reasonCodes } from "../../../server/deletion-requests/life/request.ts";
import type { Typed } from "../../../server/forms/typed.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Field, type Problem, TickField, tellField } from "../../ui/field.tsx";
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

type FormProps = {
  words: Campus["deletion"]["form"];
  addresses: { home: string; form: string };
  summaryTitle: string;
  formKey: string;
  typed: Typed;
  problems: readonly Problem[];
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
  typed,
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

      <Fields words={words} typed={typed} problems={problems} />
      {/* Only programs fill this in, and some browsers: after each answer it is empty again. */}
      <div className="visually-hidden" aria-hidden="true">
        <label htmlFor="website">{words.honeypotLabel}</label>
        <input
          key={problems.length}
          id="website"
          name="website"
          type="text"
          tabIndex={-1}
          autoComplete="off"
        />
      </div>
      <Buttons words={words} addresses={addresses} submitting={submitting} filled={filled} />
      <p className="visually-hidden" role="status">
        {submitting ? words.processing : ""}
      </p>
    </form>
  );
}

/** What was refused, at the top of the form: it can take the focus and links to the fields. */
function ErrorSummary({ title, problems }: { title: string; problems: readonly Problem[] }) {
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

function Fields({ words, typed, problems }: Pick<FormProps, "words" | "typed" | "problems">) {
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
      <Field {...email.place} label={words.emailLabel} hint={emailHint}>
        <input
          {...email.control}
          type="email"
          required
          autoComplete="email"
          spellCheck={false}
          defaultValue={typed.email?.[0]}
        />
      </Field>
      <Field {...reason.place} label={words.reasonLabel}>
        <select
          {...reason.control}
          required
          autoComplete="off"
          defaultValue={typed.reason?.[0] ?? ""}
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
      <Field {...feedback.place} label={words.feedbackLabel}>
        <textarea
          {...feedback.control}
          rows={4}
          autoComplete="off"
          defaultValue={typed.feedback?.[0]}
        />
      </Field>
      <TickField {...confirmation.place} label={words.confirmLabel}>
        <input
          {...confirmation.control}
          type="checkbox"
          value="yes"
          required
          defaultChecked={Boolean(typed.confirmation?.[0])}
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
