import styles from "./hood-fringe.module.css";

/** The painted fringe of a rickshaw's hood: a dotted band with scallops below. Pure ornament, as wide as its parent. */
export function HoodFringe({ className }: { className?: string }) {
  return (
    <div
      className={className ? `${styles.fringe} ${className}` : styles.fringe}
      aria-hidden="true"
    />
  );
}
