import type { Campus } from "../../../campus-reader/campus.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { breakAddresses } from "../../ui/line-breaks.tsx";
import type { Submitted } from "./answer-form.ts";
import { type Addresses, answerId } from "./answer-place.ts";
import { Facts, MaskedAddress, SkippedDays } from "./facts.tsx";
import { Journey } from "./journey.tsx";
import styles from "./submitted-panel.module.css";

export type SubmittedWords = Omit<Campus["deletion"]["success"], "next" | "notes"> & {
  skippedTitle: string;
};

/** Shown once a request is stored: what to remember and what happens next. */
export function SubmittedPanel({
  words,
  addresses,
  notice,
  submitted,
  onAgain,
}: {
  words: SubmittedWords;
  addresses: Addresses;
  /** Said instead of what happens next, where nothing will. */
  notice: string | undefined;
  submitted: Submitted;
  /** Undefined where the link leads to a new page. */
  onAgain: ((event: { preventDefault(): void }) => void) | undefined;
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
      {submitted ? <Stored words={words} submitted={submitted} /> : <p>{notice}</p>}
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

function Stored({
  words,
  submitted,
}: {
  words: SubmittedWords;
  submitted: NonNullable<Submitted>;
}) {
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
          <li key={note} dangerouslySetInnerHTML={{ __html: breakAddresses(note) }} />
        ))}
      </ul>
      <SkippedDays title={words.skippedTitle} days={submitted.skipped} />
    </>
  );
}
