import styles from "./desk.module.css";

/** One of several, each in words. A problem with it is led to by its id. */
export function Choices({
  id,
  name,
  legend,
  choices,
  chosen,
  onChange,
}: {
  id: string;
  name: string;
  legend: string;
  choices: readonly { value: string; words: string; lang?: string }[];
  chosen: string | undefined;
  onChange?: () => void;
}) {
  return (
    <fieldset className={styles.choices} id={id} tabIndex={-1}>
      <legend>{legend}</legend>
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
