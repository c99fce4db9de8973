import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from "react";
import styles from "./button.module.css";
import { Text } from "./text.tsx";

type ButtonVariant = "plain" | "primary" | "marigold" | "danger";

function className(look: ButtonVariant): string {
  return look === "plain" ? (styles.button ?? "") : `${styles.button} ${styles[look]}`;
}

export function ButtonLink({
  look = "plain",
  children,
  ...props
}: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string; look?: ButtonVariant }) {
  return (
    <a {...props} className={className(look)}>
      <Text>{children}</Text>
    </a>
  );
}

export function Button({
  look = "plain",
  type = "button",
  children,
  ...props
}: ButtonHTMLAttributes<HTMLButtonElement> & { look?: ButtonVariant }) {
  return (
    <button {...props} type={type} className={className(look)}>
      <Text>{children}</Text>
    </button>
  );
}
