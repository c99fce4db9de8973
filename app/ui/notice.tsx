import type { ReactNode } from "react";
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
