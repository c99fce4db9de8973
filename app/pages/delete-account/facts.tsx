import type { ReactNode } from "react";
import { isCode } from "../../../server/platform/addresses/codes.ts";
import type { MaskedEmail } from "../../../server/platform/addresses/email-address.ts";
import { WithDates } from "../../components/line-breaks.tsx";
import { Text } from "../../components/text.tsx";
import styles from "./facts.module.css";

export function Facts({
  facts,
}: {
  facts: readonly (readonly [term: string, value: ReactNode])[];
}) {
  return (
    <dl className={`lines ${styles.facts}`}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt className="soft">
            <Text>{term}</Text>
          </dt>
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

/** Renders a masked email address. Screen readers get only the visible parts, without the dots. */
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

/** Renders a collapsible list of the non-business days before a due date, each with its reason. */
export function SkippedDays({ title, days }: { title: string; days: string[] }) {
  if (days.length === 0) return null;
  return (
    <details>
      <summary>
        <Text>{title}</Text>
      </summary>
      <ul className="bullets">
        {days.map((day) => (
          <li key={day}>
            <Text>{day}</Text>
          </li>
        ))}
      </ul>
    </details>
  );
}
