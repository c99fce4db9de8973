import { useLocation } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { useWords } from "../../words.ts";
import styles from "./watch.module.css";

/** On every page of operators, while something needs somebody now; on Health itself it stands in full. */
export function HealthBanner({ late, others }: { late: number; others: number }) {
  const { operator, say, to } = useWords();
  const { pathname } = useLocation();
  const { banner } = operator.watch;
  if (late + others === 0 || pathname === paths.operatorHealth) return null;
  return (
    <aside className={styles.banner} aria-label={operator.frame.pages.health.title}>
      {late > 0 ? `${say(banner.late, { count: late })} ` : null}
      {others > 0 ? `${say(banner.text, { count: others })} ` : null}
      <a href={to(paths.operatorHealth)}>{banner.link}</a>
    </aside>
  );
}
