import type { ReactNode } from "react";
import styles from "./field.module.css";
import { WithAddresses } from "./line-breaks.tsx";
import { Text } from "./text.tsx";

/**
 * A validation message for the field named `field`, or for the entire form if `field` is undefined.
 */
export type Problem = { field?: string | undefined; words: string };

/**
 * Returns a field's validation message and its control's ARIA attributes.
 * @param id the control's id, which differs from `name` if several forms on the page share field
 * names
 * @returns the message, the attributes (`aria`), the props of `Field` or `TickField` (`place`), and
 * the props of the control inside (`control`)
 */
export function fieldState(problems: readonly Problem[], name: string, hint?: string, id = name) {
  const found = problems.flatMap((candidate) =>
    candidate.field === name ? [candidate.words] : [],
  );
  const problem = found.length > 0 ? found.join(" ") : undefined;
  const ids = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean);
  const aria = {
    "aria-describedby": ids.join(" ") || undefined,
    // Set explicitly, because browsers treat an untouched required field as invalid.
    "aria-invalid": problem !== undefined,
  };
  return { id, problem, aria, place: { name: id, problem }, control: { id, name, ...aria } };
}

type FieldProps = {
  name: string;
  label: string;
  problem?: string | undefined;
  children: ReactNode;
};

/**
 * Renders a label, a hint, a validation message and the control (`children`). The control's id must
 * be `name`.
 */
export function Field({ name, label, hint, problem, children }: FieldProps & { hint?: ReactNode }) {
  return (
    <div className={`stack ${styles.field}`}>
      <label htmlFor={name}>
        <Text>{label}</Text>
      </label>
      {hint ? (
        <p id={`${name}-hint`} className="soft">
          <Text>{hint}</Text>
        </p>
      ) : null}
      <FieldProblem name={name} words={problem} />
      {children}
    </div>
  );
}

export function TickField({ name, label, problem, children }: FieldProps) {
  return (
    <div className={styles.tick}>
      {children}
      <label htmlFor={name}>
        <Text>{label}</Text>
      </label>
      <FieldProblem name={name} words={problem} />
    </div>
  );
}

export function FieldProblem({ name, words }: { name: string; words: string | undefined }) {
  if (!words) return null;
  return (
    <p id={`${name}-problem`} className={styles.problem}>
      <WithAddresses text={words} />
    </p>
  );
}
