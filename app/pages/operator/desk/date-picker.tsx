import styles from "./desk.module.css";
import type { MonthView } from "./request-view.ts";

/**
 * A calendar of radio buttons, of which only lawful days are any. The keys are those of radio buttons, and without script
 * it is the same form.
 */
export function DatePicker({
  id,
  label,
  weekdays,
  months,
  chosen,
}: {
  id: string;
  label: string;
  /** From the first of a week on, long for whoever hears them. */
  weekdays: { short: string; long: string }[];
  months: MonthView[];
  chosen: string | undefined;
}) {
  const [firstDay] = months.flatMap(({ days }) => days).filter(({ count }) => count !== undefined);
  return (
    <fieldset className={styles.dates} id={id} tabIndex={-1}>
      <legend>{label}</legend>
      <div>
        {months.map((month) => (
          <div key={month.name} className={styles.month}>
            <p>{month.name}</p>
            <div className={styles.days}>
              {weekdays.map(({ short, long }) => (
                <abbr key={long} title={long}>
                  {short}
                </abbr>
              ))}
              {Array.from({ length: month.gap }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: empty cells have nothing else.
                <span key={index} />
              ))}
              {month.days.map(({ day, label: name, count }) =>
                count === undefined ? (
                  <span key={name} className={styles.off} title={name}>
                    {day}
                  </span>
                ) : (
                  <label key={name}>
                    <input
                      type="radio"
                      name="days"
                      value={count}
                      aria-label={name}
                      required
                      defaultChecked={
                        chosen === undefined ? count === firstDay?.count : chosen === String(count)
                      }
                    />
                    <span aria-hidden="true">{day}</span>
                  </label>
                ),
              )}
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
