import styles from "./chart.module.css";

/**
 * One bar of a table's cell: how much of the largest it is. It holds no words: its number stands beside it.
 * `limit` is a line across that should not be passed.
 */
export function Bar({
  value,
  of,
  fill = 0,
  limit,
}: {
  value: number;
  of: number;
  fill?: number;
  limit?: number | undefined;
}) {
  const x = (count: number) => Math.round((count / Math.max(1, of)) * 1000) / 10;
  return (
    <svg
      className={styles.bar}
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {value > 0 ? (
        <rect className={styles[`fill${fill}`]} x="0" y="0" width={x(value)} height="10" />
      ) : null}
      {value > 0 || limit ? <path className={styles.ground} d="M0 0V10" /> : null}
      {limit ? <path className={styles.limit} d={`M${x(limit)} -6V16`} /> : null}
    </svg>
  );
}

/** What the line across the bars means. */
export function Limit({ label }: { label: string }) {
  return (
    <p className={styles.legend}>
      <svg viewBox="0 0 12 12" aria-hidden="true" focusable="false">
        <path className={styles.limit} d="M6 0V12" />
      </svg>
      {label}
    </p>
  );
}
