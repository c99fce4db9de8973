import styles from "./chart.module.css";

/**
 * Small charts, drawn where the page is made: columns by month, or bars by kind. The drawing holds no words: what it
 * says stands in the table beneath it, which is what readers hear; labels are text of the page and never shrink.
 */
export type Series = {
  name: string;
  /** Undefined where there is nothing to tell. */
  values: readonly (number | undefined)[];
};

const height = 60;
/** Of one month, in units of the drawing. */
const slot = 10;
const gap = 2;

/** Columns side by side for each label. `limit` is a line across that should not be passed. */
export function ColumnChart({
  labels,
  series,
  limit,
  topLabel,
}: {
  labels: readonly string[];
  series: readonly Series[];
  limit?: { at: number; label: string };
  /** The height of the drawing as a number of this language. */
  topLabel: string;
}) {
  const top = topOf(series, limit?.at);
  const width = labels.length * slot;
  const y = (value: number) => height - (value / top) * height;
  const thick = (slot - gap) / series.length;
  return (
    <div className={styles.chart} aria-hidden="true">
      <Legend series={series} limit={limit?.label} />
      <p className={styles.top}>{topLabel}</p>
      <svg
        className={styles.columns}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        {series.map(({ name, values }, which) =>
          values.map((value, place) =>
            value ? (
              <rect
                key={`${name} ${labels[place]}`}
                className={styles[`fill${which}`]}
                x={place * slot + gap / 2 + which * thick}
                y={y(value)}
                width={thick}
                height={height - y(value)}
              />
            ) : null,
          ),
        )}
        {limit ? <path className={styles.limit} d={`M0 ${y(limit.at)}H${width}`} /> : null}
        <path className={styles.ground} d={`M0 ${height}H${width}`} />
      </svg>
      <ol className={styles.labels}>
        {labels.map((label) => (
          <li key={label}>{label}</li>
        ))}
      </ol>
    </div>
  );
}

/** What the highest column stands for: never nothing, so that an empty chart has a ground to stand on. */
export function topOf(series: readonly Series[], limit = 0): number {
  return Math.max(1, limit, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
}

function Legend({ series, limit }: { series: readonly Series[]; limit: string | undefined }) {
  return (
    <ul className={styles.legend}>
      {series.map(({ name }, which) => (
        <li key={name}>
          <svg viewBox="0 0 12 12" aria-hidden="true" focusable="false">
            <rect className={styles[`fill${which}`]} x="1" y="1" width="10" height="10" />
          </svg>
          {name}
        </li>
      ))}
      {limit ? (
        <li>
          <svg viewBox="0 0 12 12" aria-hidden="true" focusable="false">
            <path className={styles.limit} d="M0 6H12" />
          </svg>
          {limit}
        </li>
      ) : null}
    </ul>
  );
}

/** One bar of a table's row: how much of the largest it is. */
export function Bar({ value, of }: { value: number; of: number }) {
  return (
    <svg
      className={styles.bar}
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {value > 0 ? (
        <rect
          className={styles.fill0}
          x="0"
          y="0"
          width={Math.round((value / Math.max(1, of)) * 1000) / 10}
          height="10"
        />
      ) : null}
      <path className={styles.ground} d="M0 0V10" />
    </svg>
  );
}
