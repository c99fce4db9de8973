import type { ComponentProps } from "react";
import styles from "./notice.module.css";

export function Notice({
  tone,
  ...div
}: { tone: "danger" | "know" } & Omit<ComponentProps<"div">, "className">) {
  return <div className={`frame ${styles.notice} ${styles[tone]}`} {...div} />;
}
