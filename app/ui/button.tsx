import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from "react";
import styles from "./button.module.css";

type Look = "plain" | "primary" | "marigold" | "danger";

function className(look: Look): string {
  return look === "plain" ? (styles.button ?? "") : `${styles.button} ${styles[look]}`;
}

/** A link that looks like a button. */
export function ButtonLink({
  look = "plain",
  ...props
}: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string; look?: Look }) {
  return <a {...props} className={className(look)} />;
}

/** A button that acts on this page. */
export function Button({
  look = "plain",
  type = "button",
  ...props
}: ButtonHTMLAttributes<HTMLButtonElement> & { look?: Look }) {
  return <button {...props} type={type} className={className(look)} />;
}
