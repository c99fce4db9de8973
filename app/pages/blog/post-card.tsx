import type { PostListing } from "../../../campus-reader/posts.ts";
import { ButtonLink } from "../../components/button.tsx";
import fringe from "../../components/fringe.module.css";
import { Picture } from "../../components/picture.tsx";
import { Text } from "../../components/text.tsx";
import { useWords } from "../../words.ts";
import styles from "./post-card.module.css";
import { categoryColours, PostMeta } from "./post-meta.tsx";
import { cardId, postPath } from "./posts.ts";

/**
 * Card size: "first" is large and tops a list, "small" is for older posts, and "wide" fills a row
 * if there is room.
 */
type CardSize = "first" | "wide" | "small";

/** Renders a post's card in a list. A wide card has its text next to its picture. */
export function PostCard({
  post,
  list,
  size,
  className,
  aloneOnTablet = false,
}: {
  post: PostListing;
  /** Name of the list that the post's page links back to. */
  list: string;
  size?: CardSize | undefined;
  className?: string | undefined;
  /** Whether the card fills a row of its own on tablets. */
  aloneOnTablet?: boolean;
}) {
  const { interface: labels, inLanguage, to } = useWords();
  const first = size === "first";
  return (
    <li
      id={cardId(post)}
      className={[
        styles.place,
        size && styles[size],
        aloneOnTablet && styles.aloneOnTablet,
        className,
      ]
        .filter(Boolean)
        .join(" ")}
    >
      <article className={`frame ${styles.card} ${categoryColours(post.category)}`}>
        <div className={`${styles.frame} ${fringe.fringe}`}>
          <Picture
            name={`post-${post.picture}`}
            alt={size === "small" ? "" : post.imageAlt}
            eager={first}
          />
        </div>
        <div className={`stack ${styles.words}`}>
          <PostMeta post={post} />
          <h2 {...inLanguage(post.language)}>
            <Text>{post.title}</Text>
          </h2>
          <p className={styles.excerpt} {...inLanguage(post.language)}>
            <Text>{post.excerpt}</Text>
          </p>
          <p className={styles.more}>
            <ButtonLink href={to(postPath(post, list))} variant={first ? "primary" : "plain"}>
              {labels.blog.readMore}
              <span className="visually-hidden">
                : <Text>{post.title}</Text>
              </span>
            </ButtonLink>
          </p>
        </div>
      </article>
    </li>
  );
}
