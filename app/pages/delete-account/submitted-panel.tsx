import type { RefObject } from "react";
import type { Campus } from "../../../campus/load.ts";
import { ButtonLink } from "../../ui/button.tsx";
import type { Submitted } from "./page-answer.ts";
import styles from "./submitted-panel.module.css";

/** Shown once a request is stored: what to remember and what happens next. */
export function SubmittedPanel({
  words,
  notice,
  submitted,
  focus,
  onAgain,
}: {
  words: Campus["deletion"]["success"];
  /** Said instead of what happens next, where nothing will. */
  notice: string | undefined;
  submitted: Submitted;
  focus: RefObject<HTMLDivElement | null>;
  onAgain: (event: { preventDefault(): void }) => void;
}) {
  const { reference, maskedEmail } = submitted;
  return (
    <div ref={focus} className={styles.panel} role="status" tabIndex={-1}>
      <h2>{words.title}</h2>
      <p>{notice ?? words.text}</p>
      {reference && maskedEmail ? (
        <dl className={styles.facts}>
          <div>
            <dt>{words.referenceLabel}</dt>
            <dd className={styles.reference}>{reference}</dd>
          </div>
          <div>
            <dt>{words.addressLabel}</dt>
            <dd>
              <span aria-hidden="true">{maskedEmail.text}</span>
              <span className="visually-hidden">
                {maskedEmail.firstLetter}… @ {maskedEmail.domain}
              </span>
            </dd>
          </div>
        </dl>
      ) : null}
      {notice ? null : (
        <>
          <h3>{words.nextTitle}</h3>
          <ol className={styles.next}>
            {words.next.map((step) => (
              <li key={step} dangerouslySetInnerHTML={{ __html: step }} />
            ))}
          </ol>
        </>
      )}
      <div className={styles.buttons}>
        <ButtonLink href="/" look="primary">
          {words.home}
        </ButtonLink>
        <ButtonLink href="/delete-my-account" onClick={onAgain}>
          {words.again}
        </ButtonLink>
      </div>
    </div>
  );
}
