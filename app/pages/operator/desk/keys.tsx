import { useEffect, useRef } from "react";
import { Button } from "../../../ui/button.tsx";
import { useWords } from "../../../words.ts";
import styles from "./desk.module.css";

/** Keys for whoever likes them: `/` to the search, `j` and `k` along the requests, `?` for this list. Nothing needs them. */
export function Keys() {
  const dialog = useRef<HTMLDialogElement>(null);
  const { keys } = useWords().operator.desk;
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      switch (event.key) {
        case "/": {
          const search = document.getElementById("search");
          if (!search) return;
          event.preventDefault();
          search.focus();
          return;
        }
        case "j":
        case "k":
          step(event.key === "j" ? 1 : -1);
          return;
        case "?":
          if (dialog.current?.open) dialog.current.close();
          else dialog.current?.showModal();
      }
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  return (
    <dialog ref={dialog} className={styles.keys} aria-labelledby="keys-title">
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
      <Button onClick={() => dialog.current?.close()}>{keys.close}</Button>
    </dialog>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches("input:not([type=checkbox],[type=radio]),select,textarea")
  );
}

/** To the next request of the page, or the one before. */
function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-request]")];
  const here = rows.indexOf(document.activeElement as HTMLElement);
  const at = here === -1 ? (by === 1 ? 0 : rows.length - 1) : here + by;
  rows[at]?.focus();
}
