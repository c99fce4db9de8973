import { useEffect, useState } from "react";
import { useWords } from "../../../words.ts";

/** How long something is still possible. Counted in the browser only: the page itself says until when. */
export function Countdown({ leftMs: atFirst }: { leftMs: number }) {
  const { operator, digits } = useWords();
  const [leftMs, setLeftMs] = useState<number>();
  useEffect(() => {
    // By the browser's own running time: its clock may stand anywhere.
    const end = performance.now() + atFirst;
    const count = () => setLeftMs(Math.max(0, end - performance.now()));
    count();
    const timer = setInterval(count, 1000);
    return () => clearInterval(timer);
  }, [atFirst]);
  // The width stays the same from before the first count, so that nothing moves.
  const seconds = leftMs === undefined ? undefined : Math.ceil(leftMs / 1000);
  return (
    <span role="timer" aria-live="off">
      {seconds === undefined
        ? "\u00a0"
        : operator.desk.request.left.replace("{minutes}", digits(Math.floor(seconds / 60))).replace(
            "{seconds}",
            String(seconds % 60)
              .padStart(2, "0")
              .replace(/\d/g, (one) => digits(Number(one))),
          )}
    </span>
  );
}
