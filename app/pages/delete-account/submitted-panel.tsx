import { Button, ButtonLink } from "../../components/button.tsx";
import { WithAddresses } from "../../components/line-breaks.tsx";
import { Text } from "../../components/text.tsx";
import type { AnswerInWords, SentForm, SubmittedWords } from "./answer-form.ts";
import { Facts, MaskedAddress, SkippedDays } from "./facts.tsx";
import { answerId } from "./form-problems.tsx";
import { Journey } from "./journey.tsx";
import styles from "./submitted-panel.module.css";

type Submitted = Extract<AnswerInWords, { kind: "submitted" }>["submitted"];

type PanelProps = {
  words: SubmittedWords;
  addresses: { home: string; page: string };
  sent?: SentForm | undefined;
  /**
   * Called when the visitor chooses to send another request. If missing, the link loads a new page.
   */
  onAgain?: (event: { preventDefault(): void }) => void;
  /** Called when the visitor reports a wrong email address. */
  onWrongAddress?: () => void;
};

/** Renders the success panel for a stored request: what to do now, and the next steps. */
export function SubmittedPanel({ submitted, ...panel }: PanelProps & { submitted: Submitted }) {
  const { words, addresses, onAgain } = panel;
  return (
    <div
      id={answerId}
      className={`stack panel ${styles.panel}`}
      role="status"
      tabIndex={-1}
      aria-labelledby="submitted-title"
    >
      <h2 id="submitted-title">
        <Text>{words.title}</Text>
      </h2>
      {submitted ? (
        <Stored {...panel} submitted={submitted} />
      ) : (
        <p>
          <Text>{words.simulatedNotice}</Text>
        </p>
      )}
      <div className={`row ${styles.buttons}`}>
        <ButtonLink href={addresses.home} variant="primary">
          {words.home}
        </ButtonLink>
        <ButtonLink href={addresses.page} onClick={onAgain}>
          {words.again}
        </ButtonLink>
      </div>
    </div>
  );
}

function Stored({
  submitted,
  ...panel
}: PanelProps & {
  submitted: NonNullable<Submitted>;
}) {
  const { words, sent } = panel;
  return (
    <>
      <p className={`display ${styles.now}`}>
        <Text>{words.open}</Text>
      </p>
      <div className={`row ${styles.address}`}>
        <p>
          <Text>{words.sentTo}</Text>{" "}
          <b dir="ltr" translate="no">
            {sent ? (
              <WithAddresses text={sent.email} />
            ) : (
              <MaskedAddress address={submitted.maskedEmail} />
            )}
          </b>
        </p>
        <WrongAddress {...panel} />
      </div>
      <Journey label={words.nextTitle} stops={submitted.stops} down />
      <Facts facts={[[words.referenceLabel, submitted.reference]]} />
      <p>
        <Text>{words.text}</Text>
      </p>
      <ul className={"stack bullets"}>
        {submitted.notes.map((note) => (
          <li key={note} dangerouslySetInnerHTML={{ __html: note }} />
        ))}
      </ul>
      <SkippedDays title={words.skippedTitle} days={submitted.skipped} />
    </>
  );
}

/** Renders the link back to the form, prefilled if the submitted values are still available. */
function WrongAddress({ words, addresses, sent, onWrongAddress }: PanelProps) {
  if (onWrongAddress) return <Button onClick={onWrongAddress}>{words.wrongAddress}</Button>;
  if (!sent?.fields) return <ButtonLink href={addresses.page}>{words.wrongAddress}</ButtonLink>;
  return (
    <form method="post" action={`${addresses.page}#email`}>
      {Object.entries(sent.fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" name="edit" value="email">
        {words.wrongAddress}
      </Button>
    </form>
  );
}
