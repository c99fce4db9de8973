import type { ReactNode } from "react";
import { isCode } from "../../../server/platform/addresses/codes.ts";
import type { MaskedEmail } from "../../../server/platform/addresses/email-address.ts";
import { WithDates } from "../../components/line-breaks.tsx";
import styles from "./facts.module.css";

/** Renders a request's facts as a list of terms and values. */
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
            ) : isCode(String(value)) ? (
              <span dir="ltr">{value}</span>
            ) : (
              <WithDates text={String(value)} className={styles.date} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * Renders a masked email address: with dots for sighted readers, and only the visible parts for
 * screen readers.
 */
export function MaskedAddress({ address }: { address: MaskedEmail }) {
  return (
    <>
      <span aria-hidden="true" translate="no" dir="ltr">
        {address.text}
      </span>
      <span className="visually-hidden" translate="no" dir="ltr">
        {address.firstLetter}… @ {address.domain}
      </span>
    </>
  );
}

/** Renders the days that a promised date skips, each with its reason, in a collapsible section. */
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
