import styles from "./desk.module.css";

/** One of several, each in words. A problem with it is led to by its id. */
export function Choices({
  id,
  name,
  legend,
  choices,
  chosen,
  problem,
  onChange,
}: {
  id: string;
  name: string;
  legend: string;
  choices: readonly { value: string; words: string; lang?: string }[];
  chosen: string | undefined;
  /** What is wrong with it, said beside it. */
  problem?: string | undefined;
  onChange?: () => void;
}) {
  return (
    <fieldset
      className={styles.choices}
      id={id}
      tabIndex={-1}
      aria-describedby={problem ? `${id}-problem` : undefined}
    >
      <legend>{legend}</legend>
      {problem ? (
        <p id={`${id}-problem`} className={styles.wrong}>
          {problem}
        </p>
      ) : null}
      {choices.map(({ value, words, lang }) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            required
            defaultChecked={chosen === value}
            onChange={onChange}
          />
          <span lang={lang}>{words}</span>
        </label>
      ))}
    </fieldset>
  );
}
