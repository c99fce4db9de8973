import { campus } from "virtual:campus";
import type { Post } from "../../../campus/load.ts";
import { paths } from "../../../server/http/paths.ts";
import { ButtonLink } from "../../ui/button.tsx";
import fringe from "../../ui/fringe.module.css";
import { categoryColours } from "./category-colours.ts";
import styles from "./post-card.module.css";
import { PostMeta } from "./post-meta.tsx";
import { PostPicture } from "./post-picture.tsx";

/**
 * A post in the list. It lies beside its picture where its place is wide. `first` makes it the large one on top.
 */
export function PostCard({ post, first = false }: { post: Post; first?: boolean }) {
  return (
    <article
      className={`${styles.card} ${categoryColours(post.category)} ${first ? styles.first : ""}`}
    >
      <div className={`${styles.frame} ${fringe.fringe}`}>
        <PostPicture post={post} eager={first} />
      </div>
      <div className={styles.words}>
        <PostMeta post={post} />
        <h2>{post.title}</h2>
        <p className={styles.excerpt}>{post.excerpt}</p>
        <p className={styles.more}>
          <ButtonLink href={paths.post(post.id)} look={first ? "primary" : "plain"}>
            {campus.interface.blog.readMore}
            <span className="visually-hidden">: {post.title}</span>
          </ButtonLink>
        </p>
      </div>
    </article>
  );
}
