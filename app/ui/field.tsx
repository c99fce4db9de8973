import type { ReactNode } from "react";
import styles from "./field.module.css";
import { WithAddresses } from "./line-breaks.tsx";

/** What is wrong with a form, in words: with one field by its name, or with the whole. */
export type Problem = { field?: string | undefined; words: string };

/**
 * What is wrong with a field, and what its control says of that and of its hint.
 * @param id the control's, where several forms of a page have a field of this name
 * @returns `place` is for `Field` or `TickField`, and `control` for what stands in it
 */
export function tellField(problems: readonly Problem[], name: string, hint?: string, id = name) {
  const found = problems.flatMap((one) => (one.field === name ? [one.words] : []));
  const problem = found.length > 0 ? found.join(" ") : undefined;
  const ids = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean);
  const said = {
    "aria-describedby": ids.join(" ") || undefined,
    // Said in so many words: an empty required field would be called invalid before anything was typed.
    "aria-invalid": problem !== undefined,
  };
  return { id, problem, said, place: { name: id, problem }, control: { id, name, ...said } };
}

type FieldProps = {
  name: string;
  label: string;
  problem?: string | undefined;
  children: ReactNode;
};

/** A label, a hint, what is wrong, and the control itself, whose id is `name`. */
export function Field({ name, label, hint, problem, children }: FieldProps & { hint?: ReactNode }) {
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

export function TickField({ name, label, problem, children }: FieldProps) {
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
