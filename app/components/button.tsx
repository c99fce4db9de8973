import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from "react";
import styles from "./button.module.css";
import { Text } from "./text.tsx";

type ButtonVariant = "plain" | "primary" | "marigold" | "danger";

function className(variant: ButtonVariant): string {
  return variant === "plain" ? (styles.button ?? "") : `${styles.button} ${styles[variant]}`;
}

export function ButtonLink({
  variant = "plain",
  children,
  ...props
}: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string; variant?: ButtonVariant }) {
  return (
    <a {...props} className={className(variant)}>
      <Text>{children}</Text>
    </a>
  );
}

export function Button({
  variant = "plain",
  type = "button",
  children,
  ...props
}: ButtonHTMLAttributes<HTMLButtonElement> & { variant?: ButtonVariant }) {
  return (
    <button {...props} type={type} className={className(variant)}>
      <Text>{children}</Text>
    </button>
  );
}
