import type { ReactNode } from "react";
import styles from "./field.module.css";
import { WithAddresses } from "./line-breaks.tsx";

/** Ids that describe a field, for its `aria-describedby`: its problem first, then its hint. */
export function describedBy(name: string, has: { problem?: string; hint?: string | undefined }) {
  const ids = [has.problem && `${name}-problem`, has.hint && `${name}-hint`].filter(Boolean);
  return ids.join(" ") || undefined;
}

/** A label, a hint, what is wrong, and the control itself, whose id is `name`. */
export function Field({
  name,
  label,
  hint,
  problem,
  children,
}: {
  name: string;
  label: string;
  hint?: ReactNode;
  problem?: string;
  children: ReactNode;
}) {
  return (
    <div className={`stack ${styles.field}`}>
      <label htmlFor={name}>{label}</label>
      {hint ? (
        <p id={`${name}-hint`} className="soft">
          {hint}
        </p>
      ) : null}
      <FieldProblem name={name} words={problem} />
      {children}
    </div>
  );
}

/** A box to tick, with its label beside it. */
export function TickField({
  name,
  label,
  problem,
  children,
}: {
  name: string;
  label: string;
  problem?: string;
  children: ReactNode;
}) {
  return (
    <div className={styles.tick}>
      {children}
      <label htmlFor={name}>{label}</label>
      <FieldProblem name={name} words={problem} />
    </div>
  );
}

/** What is wrong with a field, beside it. */
export function FieldProblem({ name, words }: { name: string; words: string | undefined }) {
  if (!words) return null;
  return (
    <p id={`${name}-problem`} className={styles.problem}>
      <WithAddresses text={words} />
    </p>
  );
}
