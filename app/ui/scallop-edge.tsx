import styles from "./scallop-edge.module.css";

/**
 * The scalloped lower edge of a field of colour: last inside an element with `data-field`, whose colour it takes. It hangs
 * over whatever follows, as a hood's fringe does, and takes no room.
 */
export function ScallopEdge() {
  return <div className={styles.edge} aria-hidden="true" />;
}
