import type { ReactNode } from "react";
import styles from "./chip.module.css";

/** One choice of a row, each an address of its own. */
export function ChipLink({
  href,
  current = false,
  children,
}: {
  href: string;
  current?: boolean;
  children: ReactNode;
}) {
  return (
    <a
      href={href}
      className={`${styles.chip} ${styles.link}`}
      aria-current={current ? "true" : undefined}
    >
      {children}
    </a>
  );
}

/** A small label: what kind of thing this is. */
export function Badge({ children }: { children: ReactNode }) {
  return <p className={`${styles.chip} ${styles.badge}`}>{children}</p>;
}
