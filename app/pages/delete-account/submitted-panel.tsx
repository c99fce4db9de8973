import type { RefObject } from "react";
import type { Campus } from "../../../campus/load.ts";
import { paths } from "../../../server/http/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { MaskedAddress } from "./masked-address.tsx";
import type { Submitted } from "./page-answer.ts";
import { SkippedDays } from "./skipped-days.tsx";
import styles from "./submitted-panel.module.css";

export type SubmittedWords = Omit<Campus["deletion"]["success"], "next"> & {
  skippedTitle: string;
};

/** Shown once a request is stored: what to remember and what happens next. */
export function SubmittedPanel({
  words,
  notice,
  submitted,
  focus,
  onAgain,
}: {
  words: SubmittedWords;
  /** Said instead of what happens next, where nothing will. */
  notice: string | undefined;
  submitted: Submitted;
  focus: RefObject<HTMLDivElement | null>;
  onAgain: (event: { preventDefault(): void }) => void;
}) {
  return (
    <div ref={focus} className={styles.panel} role="status" tabIndex={-1}>
      <h2>{words.title}</h2>
      <p>{notice ?? words.text}</p>
      {submitted ? (
        <>
          <dl className={styles.facts}>
            <div>
              <dt>{words.referenceLabel}</dt>
              <dd className={styles.reference}>{submitted.reference}</dd>
            </div>
            <div>
              <dt>{words.addressLabel}</dt>
              <dd>
                <MaskedAddress address={submitted.maskedEmail} />
              </dd>
            </div>
          </dl>
          <h3>{words.nextTitle}</h3>
          <ol className={styles.next}>
            {submitted.next.map((step) => (
              <li key={step} dangerouslySetInnerHTML={{ __html: step }} />
            ))}
          </ol>
          <SkippedDays title={words.skippedTitle} days={submitted.skipped} />
        </>
      ) : null}
      <div className={styles.buttons}>
        <ButtonLink href={paths.landing} look="primary">
          {words.home}
        </ButtonLink>
        <ButtonLink href={paths.deletion} onClick={onAgain}>
          {words.again}
        </ButtonLink>
      </div>
    </div>
  );
}
