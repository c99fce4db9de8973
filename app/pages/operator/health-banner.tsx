import { useLocation } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import { useWords } from "../../words.ts";
import styles from "./watch.module.css";

/** On every page of operators, while something needs somebody now; on Health itself it stands in full. */
export function HealthBanner({ urgent }: { urgent: number }) {
  const { operator, say, to } = useWords();
  const { pathname } = useLocation();
  const { banner } = operator.watch;
  if (urgent === 0 || pathname === paths.operatorHealth) return null;
  return (
    <aside className={styles.banner} aria-label={operator.frame.pages.health.title}>
      {say(banner.text, { count: urgent })} <a href={to(paths.operatorHealth)}>{banner.link}</a>
    </aside>
  );
}
