import { useLocation } from "react-router";
import { paths } from "../../../server/http/paths.ts";
import type { ListName } from "../../../server/sign-in/hand-over.ts";
import { useWords } from "../../words.ts";
import styles from "./watch.module.css";

export type ToDo = { toDo: { list: ListName; left: number } | undefined };

/** On an admin's Today, while a new site is set up or the team changes. */
export function HandOverNotice({ toDo }: ToDo) {
  const { operator, say, to } = useWords();
  const { pathname } = useLocation();
  const { handOver, frame } = operator;
  if (!toDo || pathname !== paths.operator) return null;
  const list = toDo.list === "firstDay" ? handOver.firstDay : frame.pages.handOver.title;
  return (
    <aside className={`${styles.banner} ${styles.calm}`} aria-label={list}>
      {say(handOver.left, { list, count: toDo.left })}{" "}
      <a href={to(paths.operatorHandOver)}>{handOver.link}</a>
    </aside>
  );
}
