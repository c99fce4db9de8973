import { campus } from "virtual:campus";
import type { ReactNode } from "react";
import type { PostListing } from "../../../campus/load.ts";
import styles from "./post-meta.module.css";

/** When a post appeared and how long it takes to read. `children` are further facts, each in a `span`. */
export function PostMeta({ post, children }: { post: PostListing; children?: ReactNode }) {
  return (
    <p className={styles.meta}>
      <time dateTime={post.isoDate}>{post.date}</time>
      <span>{campus.interface.blog.minutes.replace("{minutes}", String(post.readMinutes))}</span>
      {children}
    </p>
  );
}
