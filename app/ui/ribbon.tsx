import type { ReactNode } from "react";
import styles from "./ribbon.module.css";

/** A painted ribbon with a notched end, laid over the corner of a card or picture. */
export function Ribbon({ children, className = "" }: { children: ReactNode; className?: string }) {
  return (
    <p className={`${styles.ribbon} ${className}`}>
      <span>{children}</span>
    </p>
  );
}
