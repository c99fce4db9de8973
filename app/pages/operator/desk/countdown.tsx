import { useWords } from "../../../words.ts";
import styles from "./desk.module.css";

/**
 * Until when a step can be taken back, and how long that is, counted in the browser. What has run out can be taken back until
 * its mail leaves, which is as soon as the server comes to it.
 */
export function Countdown({ until, leftMs }: { until: string; leftMs: number }) {
  const { operator, say } = useWords();
  const { request: labels } = operator.desk;
  if (leftMs <= 0) return <p className={styles.undo}>{labels.leavesNow}</p>;
  // The browser puts in the time that is left.
  const left = say(labels.left, { minutes: "{minutes}", seconds: "{seconds}" });
  return (
    <p className={styles.undo}>
      {say(labels.undoUntil, { time: until })}{" "}
      {/* The width stays the same from before the first count, so that nothing moves. */}
      <span role="timer" aria-live="off" data-left={Math.round(leftMs)} data-text={left}>
        {"\u00a0"}
      </span>
    </p>
  );
}
