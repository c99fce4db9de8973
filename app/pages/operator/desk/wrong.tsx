import styles from "./desk.module.css";

/** What is wrong with a field, beside it in the words that stand at the top; the field is described by it. */
export function Wrong({ name, words }: { name: string; words: string | undefined }) {
  if (!words) return null;
  return (
    <p id={`${name}-problem`} className={styles.wrong}>
      {words}
    </p>
  );
}

/** What is wrong with a field, of everything that is wrong. */
export function problemOf(
  problems: readonly { field?: string; words: string }[],
  field: string,
): string {
  return problems
    .filter((one) => one.field === field)
    .map(({ words }) => words)
    .join(" ");
}
