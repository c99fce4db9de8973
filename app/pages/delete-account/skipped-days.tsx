import styles from "./skipped-days.module.css";

/** The days that a promised date leaps over, each with its reason, to be unfolded. */
export function SkippedDays({ title, days }: { title: string; days: string[] }) {
  if (days.length === 0) return null;
  return (
    <details className={styles.skipped}>
      <summary>{title}</summary>
      <ul className="bullets">
        {days.map((day) => (
          <li key={day}>{day}</li>
        ))}
      </ul>
    </details>
  );
}
