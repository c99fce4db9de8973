import { campus } from "virtual:campus";
import type { Post } from "../../../campus/load.ts";
import styles from "./post-meta.module.css";

/** When a post appeared and how long it takes to read. */
export function PostMeta({ post }: { post: Post }) {
  return (
    <p className={styles.meta}>
      <time dateTime={post.isoDate}>{post.date}</time>
      <span>{campus.interface.blog.minutes.replace("{minutes}", String(post.readMinutes))}</span>
    </p>
  );
}
