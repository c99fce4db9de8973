import type { ReactNode } from "react";
import styles from "./badge.module.css";

/** A small label: what kind of thing this is. */
export function Badge({ children }: { children: ReactNode }) {
  return <p className={styles.badge}>{children}</p>;
}
