import type { Campus } from "../../../campus-reader/campus.ts";
import { ButtonLink } from "../../components/button.tsx";
import type { AnswerInWords } from "./answer-form.ts";
import { Facts, MaskedAddress, SkippedDays } from "./facts.tsx";
import { answerId } from "./form-problems.tsx";
import { Journey } from "./journey.tsx";
import styles from "./submitted-panel.module.css";

export type SubmittedWords = Omit<Campus["deletion"]["success"], "next" | "notes"> & {
  addressLabel: string;
  skippedTitle: string;
  simulatedNotice: string;
};

type Submitted = Extract<AnswerInWords, { kind: "submitted" }>["submitted"];

/** Renders the success panel for a stored request: its reference and the next steps. */
export function SubmittedPanel({
  words,
  addresses,
  submitted,
  onAgain,
}: {
  words: SubmittedWords;
  addresses: { home: string; page: string };
  submitted: Submitted;
  /**
   * Called when the visitor chooses to send another request. Without this callback, the link loads
   * a new page.
   */
  onAgain?: (event: { preventDefault(): void }) => void;
}) {
  return (
    <div
      id={answerId}
      className={`stack panel ${styles.panel}`}
      role="status"
      tabIndex={-1}
      aria-labelledby="submitted-title"
    >
      <h2 id="submitted-title">{words.title}</h2>
      {submitted ? <Stored words={words} submitted={submitted} /> : <p>{words.simulatedNotice}</p>}
      <div className={`row ${styles.buttons}`}>
        <ButtonLink href={addresses.home} look="primary">
          {words.home}
        </ButtonLink>
        <ButtonLink href={addresses.page} onClick={onAgain}>
          {words.again}
        </ButtonLink>
      </div>
    </div>
  );
}

function Stored(given: { words: SubmittedWords; submitted: NonNullable<Submitted> }) {
  const { words, submitted } = given;
  return (
    <>
      <Facts
        facts={[
          [words.referenceLabel, submitted.reference],
          [words.addressLabel, <MaskedAddress key="address" address={submitted.maskedEmail} />],
        ]}
      />
      <h3>{words.nextTitle}</h3>
      <Journey label={words.nextTitle} stops={submitted.stops} down />
      <p>{words.text}</p>
      <ul className={"stack bullets"}>
        {submitted.notes.map((note) => (
          <li key={note} dangerouslySetInnerHTML={{ __html: note }} />
        ))}
      </ul>
      <SkippedDays title={words.skippedTitle} days={submitted.skipped} />
    </>
  );
}
