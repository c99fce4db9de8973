import type { ReactNode } from "react";
import { isCode } from "../../../server/platform/addresses/codes.ts";
import type { MaskedEmail } from "../../../server/platform/addresses/email-address.ts";
import { WithDates } from "../../components/line-breaks.tsx";
import styles from "./facts.module.css";

/** Facts of a request, as terms and values. */
export function Facts({
  facts,
}: {
  facts: readonly (readonly [term: string, value: ReactNode])[];
}) {
  return (
    <dl className={`lines ${styles.facts}`}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt className="soft">{term}</dt>
          <dd translate={isCode(String(value)) ? "no" : undefined}>
            {typeof value === "object" ? (
              value
            ) : (
              <WithDates text={String(value)} className={styles.date} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A masked address: dots for the eye, and only the visible parts for screen readers. */
export function MaskedAddress({ address }: { address: MaskedEmail }) {
  return (
    <>
      <span aria-hidden="true" translate="no">
        {address.text}
      </span>
      <span className="visually-hidden" translate="no">
        {address.firstLetter}… @ {address.domain}
      </span>
    </>
  );
}

/** Days that a promised date skips, each with its reason, in a fold. */
export function SkippedDays({ title, days }: { title: string; days: string[] }) {
  if (days.length === 0) return null;
  return (
    <details>
      <summary>{title}</summary>
      <ul className="bullets">
        {days.map((day) => (
          <li key={day}>{day}</li>
        ))}
      </ul>
    </details>
  );
}
