import type { ReactNode } from "react";
import type { PostListing } from "../../../campus-reader/posts.ts";
import { useWords } from "../../words.ts";
import styles from "./post-meta.module.css";

/** When a post appeared and how long it takes to read. `children` are further facts, each in a `span`. */
export function PostMeta({ post, children }: { post: PostListing; children?: ReactNode }) {
  const { interface: labels, say } = useWords();
  const { minutes } = labels.blog;
  return (
    <p className={styles.meta}>
      <time dateTime={post.isoDate}>{post.date}</time>
      <span>{say(minutes, { minutes: post.readMinutes })}</span>
      {children}
    </p>
  );
}
