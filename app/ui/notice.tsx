import type { ReactNode } from "react";
import { WarningSign } from "./icons.tsx";
import styles from "./notice.module.css";

/** A few words set apart: a danger, a success, or something to know. */
export function Notice({
  tone,
  role,
  children,
}: {
  tone: "danger" | "know";
  role?: "alert" | "status";
  children: ReactNode;
}) {
  return (
    <div className={`frame ${styles.notice} ${styles[tone]}`} role={role}>
      {children}
    </div>
  );
}

/** A notice with a heading of its own, for what must be read before acting. `id` is that of the heading. */
export function ImportantNotice({
  id,
  title,
  children,
}: {
  id: string;
  title: string;
  children: ReactNode;
}) {
  return (
    <section
      className={`frame ${styles.notice} ${styles.danger} ${styles.important}`}
      aria-labelledby={id}
    >
      <h2 id={id}>
        <WarningSign /> {title}
      </h2>
      {children}
    </section>
  );
}
