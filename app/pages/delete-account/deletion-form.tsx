import type { Campus } from "../../../campus-reader/campus.ts";
import { reasonCodes } from "../../../server/deletion-requests/state-machine/request.ts";
import { type FormValues, firstValue } from "../../../server/platform/forms/form-values.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Field, fieldState, TickField } from "../../components/field.tsx";
import { WaitingSign } from "../../components/icons.tsx";
import { Notice } from "../../components/notice.tsx";
import { Text } from "../../components/text.tsx";
import styles from "./deletion-form.module.css";
import { ErrorSummary, type FormProblem } from "./form-problems.tsx";

/** Id of the help section for visitors whose mailbox is closed. */
export const closedMailboxId = "closed-mailbox";

/** Id of the section about what to settle before the deletion. */
export const settleId = "settle";

type FormProps = {
  words: Campus["deletion"]["form"];
  /** Text about how long the account can still be used. */
  stays: string;
  addresses: { home: string; form: string };
  summaryTitle: string;
  /** Empty on the cached page, where the browser creates the key. */
  formKey: string;
  typed: FormValues;
  problems: readonly FormProblem[];
  simulated: boolean;
};

/**
 * Renders the specification's deletion form, with validation messages in a summary and next to
 * their fields. Only the server renders it, because in the browser, visitors and extensions change
 * the fields.
 */
export function DeletionForm({
  words,
  stays,
  addresses,
  summaryTitle,
  formKey,
  typed,
  problems,
  simulated,
}: FormProps) {
  // The form asks about each email address only once.
  const hasSuggestion = problems.some(({ suggestion }) => suggestion);
  return (
    <form
      id="deletion-form"
      className={`stack panel ${styles.form}`}
      method="post"
      action={addresses.form}
      tabIndex={-1}
      aria-labelledby="form-title"
    >
      <div>
        <h2 id="form-title">
          <Text>{words.title}</Text>
        </h2>
        <p className="soft">
          <Text>{words.first}</Text>{" "}
          <a className={styles.near} href={`#${settleId}`}>
            <Text>{words.settle}</Text>
          </a>
        </p>
      </div>
      {simulated ? (
        <Notice tone="know">
          <Text>{words.simulatedNotice}</Text>
        </Notice>
      ) : null}
      {problems.length > 0 ? (
        <ErrorSummary title={summaryTitle} problems={problems} words={words} />
      ) : null}
      <input type="hidden" name="formKey" value={formKey} />
      <input
        type="hidden"
        name="asked"
        value={hasSuggestion ? firstValue(typed, "email") : firstValue(typed, "asked")}
      />

      <Fields words={words} typed={typed} problems={problems} />
      {/* Honeypot: only bots and some browsers fill it in. Every response clears it. */}
      <div className="visually-hidden" aria-hidden="true">
        <label htmlFor="website">
          <Text>{words.honeypotLabel}</Text>
        </label>
        <input id="website" name="website" type="text" tabIndex={-1} autoComplete="off" />
      </div>
      <Buttons words={words} addresses={addresses} />
      <p>
        <Text>{stays}</Text>
      </p>
      <p className="visually-hidden" role="status" />
    </form>
  );
}

function Fields({ words, typed, problems }: Pick<FormProps, "words" | "typed" | "problems">) {
  const email = fieldState(problems, "email", words.emailHint);
  const reason = fieldState(problems, "reason");
  const feedback = fieldState(problems, "feedback");
  const confirmation = fieldState(problems, "confirmation");
  return (
    <>
      <Field {...email.place} label={words.emailLabel} hint={words.emailHint}>
        <input
          {...email.control}
          type="email"
          dir="ltr"
          required
          autoComplete="email"
          spellCheck={false}
          defaultValue={typed.email?.[0]}
        />
        <p className="soft">
          <a className={styles.near} href={`#${closedMailboxId}`}>
            <Text>{words.mailboxClosed}</Text>
          </a>
        </p>
      </Field>
      <Field {...reason.place} label={words.reasonLabel}>
        <select {...reason.control} required defaultValue={typed.reason?.[0] ?? ""}>
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
        <textarea {...feedback.control} dir="auto" rows={4} defaultValue={typed.feedback?.[0]} />
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

/**
 * Renders the form's buttons. The submit button contains both of its labels, and CSS shows one,
 * because a script can't reliably change a label on a page that the browser has translated.
 */
function Buttons({ words, addresses }: Pick<FormProps, "words" | "addresses">) {
  return (
    <div className={`columns ${styles.buttons}`}>
      <ButtonLink href={addresses.home} data-back="">
        {words.cancel}
      </ButtonLink>
      <Button type="submit" variant="danger" data-send="">
        <span className={styles.idle}>
          <Text>{words.submit}</Text>
        </span>
        <span className={styles.busy}>
          <WaitingSign className={styles.spinner} />{" "}
          <span data-busy="">
            <Text>{words.processing}</Text>
          </span>
        </span>
      </Button>
    </div>
  );
}
