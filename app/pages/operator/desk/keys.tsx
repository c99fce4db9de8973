import { Button } from "../../../ui/button.tsx";
import { useWords } from "../../../words.ts";
import styles from "./desk.module.css";

/** The keys that the operators' script listens to, shown by `?`. */
export function Keys() {
  const { keys } = useWords().operator.desk;
  return (
    <dialog id="keys" className={`${styles.next} ${styles.keys}`} aria-labelledby="keys-title">
      <h2 id="keys-title">{keys.title}</h2>
      <dl>
        {Object.entries(keys.list).map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <Button type="submit">{keys.close}</Button>
      </form>
    </dialog>
  );
}
