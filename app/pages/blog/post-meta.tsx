import { campus } from "virtual:campus";
import type { ReactNode } from "react";
import type { PostListing } from "../../../campus-reader/posts.ts";
import fringe from "../../components/fringe.module.css";
import { Text } from "../../components/text.tsx";
import { useWords } from "../../words.ts";
import styles from "./post-meta.module.css";

/** Renders a post's date and reading time, followed by `children`: more facts, each in a `span`. */
export function PostMeta({ post, children }: { post: PostListing; children?: ReactNode }) {
  const { interface: labels, say } = useWords();
  const { minutes } = labels.blog;
  return (
    <p className={styles.meta}>
      <time dateTime={post.isoDate}>
        <Text>{post.date}</Text>
      </time>
      <span>
        <Text>{say(minutes, { minutes: post.readMinutes })}</Text>
      </span>
      {children}
    </p>
  );
}

const colours = [fringe.sky, fringe.marigold, fringe.rani, fringe.leaf, styles.brick];

/**
 * Returns the class for a category's background and fringe, by the category's index in the campus's
 * list.
 */
export function categoryColours(category: string): string {
  const index = campus.settings.categories.indexOf(category);
  return colours[Math.max(0, index) % colours.length] ?? "";
}
