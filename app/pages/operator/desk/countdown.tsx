import { useEffect, useState } from "react";
import { useWords } from "../../../words.ts";
import styles from "./desk.module.css";

/**
 * Until when a step can be taken back, and how long that is. Counted in the browser only: the page itself says until when.
 * What has run out can be taken back until its mail leaves, which is as soon as the server comes to it.
 */
export function Countdown({ until, leftMs: atFirst }: { until: string; leftMs: number }) {
  const { operator, digits } = useWords();
  const { request: labels } = operator.desk;
  const [leftMs, setLeftMs] = useState<number>();
  useEffect(() => {
    // By the browser's own running time: its clock may stand anywhere.
    const end = performance.now() + atFirst;
    const count = () => setLeftMs(Math.max(0, end - performance.now()));
    count();
    const timer = setInterval(count, 1000);
    return () => clearInterval(timer);
  }, [atFirst]);
  if ((leftMs ?? atFirst) <= 0) return <p className={styles.undo}>{labels.leavesNow}</p>;
  // The width stays the same from before the first count, so that nothing moves.
  const seconds = leftMs === undefined ? undefined : Math.ceil(leftMs / 1000);
  return (
    <p className={styles.undo}>
      {labels.undoUntil.replace("{time}", until)}{" "}
      <span role="timer" aria-live="off">
        {seconds === undefined
          ? "\u00a0"
          : labels.left.replace("{minutes}", digits(Math.floor(seconds / 60))).replace(
              "{seconds}",
              String(seconds % 60)
                .padStart(2, "0")
                .replace(/\d/g, (one) => digits(Number(one))),
            )}
      </span>
    </p>
  );
}
