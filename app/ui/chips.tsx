import styles from "./chips.module.css";

export type Chip = {
  name: string;
  href: string;
  current: boolean;
  /** Gives the chip its ground, as `--ground`. */
  className?: string;
};

/** Choices as flags on a line, the chosen one hanging lower. On a phone the line scrolls sideways. */
export function Chips({ label, chips }: { label: string; chips: Chip[] }) {
  return (
    <nav className={styles.line} aria-label={label} data-chips="">
      <ul className={styles.chips}>
        {chips.map((chip) => (
          <li key={chip.name}>
            <a
              href={chip.href}
              className={chip.className}
              aria-current={chip.current ? "true" : undefined}
            >
              {chip.name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
