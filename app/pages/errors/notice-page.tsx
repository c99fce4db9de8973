import type { ReactNode } from "react";
import fringe from "../../ui/fringe.module.css";
import { Picture } from "../../ui/picture.tsx";
import styles from "./notice-page.module.css";

/** A page that says what went wrong: a drawing as tall as the page, what happened, and the ways on as `children`. */
export function NoticePage({
  picture,
  title,
  text,
  children,
}: {
  picture: string;
  title: string;
  text: string;
  children: ReactNode;
}) {
  return (
    <section className={`stack ${styles.page}`}>
      <div className={`${styles.picture} ${fringe.rani} ${fringe.fringe} ${fringe.side}`}>
        <Picture name={picture} alt="" eager />
      </div>
      <div className={`stack ${styles.words}`}>
        <h1>{title}</h1>
        <p className={styles.text}>{text}</p>
        {children}
      </div>
    </section>
  );
}
