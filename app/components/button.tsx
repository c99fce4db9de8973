import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from "react";
import styles from "./button.module.css";

type ButtonVariant = "plain" | "primary" | "marigold" | "danger";

function className(look: ButtonVariant): string {
  return look === "plain" ? (styles.button ?? "") : `${styles.button} ${styles[look]}`;
}

export function ButtonLink({
  look = "plain",
  ...props
}: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string; look?: ButtonVariant }) {
  return <a {...props} className={className(look)} />;
}

export function Button({
  look = "plain",
  type = "button",
  ...props
}: ButtonHTMLAttributes<HTMLButtonElement> & { look?: ButtonVariant }) {
  return <button {...props} type={type} className={className(look)} />;
}
