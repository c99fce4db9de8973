import { useLocation } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { useWords } from "../../words.ts";
import type { Promised } from "./health-signs.ts";
import styles from "./watch.module.css";

export type Urgent = {
  promised: Promised;
  /** How many things beside late requests need somebody now. */
  others: number;
};

/** On every page of operators, while something needs somebody now; of a broken promise alone, while there is one. */
export function HealthBanner({ promised, others }: Urgent) {
  const { operator, say, to } = useWords();
  const { pathname } = useLocation();
  const { banner } = operator.watch;
  // Where the line stands by itself, it is not said twice.
  const late = promised.isBroken && pathname !== paths.operator;
  if ((!late && others === 0) || pathname === paths.operatorHealth) return null;
  return (
    <aside className={styles.banner} aria-label={operator.frame.pages.health.title}>
      {late ? `${promised.line}. ` : `${say(banner.text, { count: others })} `}
      <a href={to(late ? paths.operator : paths.operatorHealth)}>{banner.link}</a>
    </aside>
  );
}
