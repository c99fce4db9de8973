import { describedBy } from "../../../ui/field.tsx";
import styles from "./desk.module.css";
import { Wrong } from "./wrong.tsx";

/** One of several, each in words. A problem with it is led to by its id. */
export function Choices({
  id,
  name,
  legend,
  choices,
  chosen,
  problem,
}: {
  id: string;
  name: string;
  legend: string;
  choices: readonly { value: string; words: string; lang?: string }[];
  chosen: string | undefined;
  /** What is wrong with it, said beside it. */
  problem?: string | undefined;
}) {
  return (
    <fieldset
      className={styles.choices}
      id={id}
      tabIndex={-1}
      aria-describedby={describedBy(id, { problem })}
    >
      <legend>{legend}</legend>
      <Wrong name={id} words={problem} />
      {choices.map(({ value, words, lang }) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            required
            defaultChecked={chosen === value}
          />
          <span lang={lang}>{words}</span>
        </label>
      ))}
    </fieldset>
  );
}
