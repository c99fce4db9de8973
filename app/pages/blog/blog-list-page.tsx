import { campus } from "virtual:campus";
import { paths } from "../../../server/http/paths.ts";
import type { PageHandle } from "../../document/page-handle.ts";
import { breadcrumbs, pageMeta } from "../../document/page-meta.ts";
import { ButtonLink } from "../../ui/button.tsx";
import fringe from "../../ui/fringe.module.css";
import { Picture } from "../../ui/picture.tsx";
import type { Route } from "./+types/blog-list-page";
import styles from "./blog-list-page.module.css";
import { allCategories, CategoryChips, categoryPath } from "./category-chips.tsx";
import chosenChip from "./chosen-chip.js?script";
import { PostCard } from "./post-card.tsx";
import { listedPosts } from "./posts.ts";
import { RisingSun } from "./rising-sun.tsx";

const { categories, defaultCategory } = campus.settings;

export const handle: PageHandle = {
  inlineScripts: [chosenChip],
  keptAs(url) {
    const category = url.searchParams.get("category");
    if (!category) return paths.blog;
    return category === allCategories || categories.includes(category)
      ? categoryPath(category)
      : undefined;
  },
};

export function meta({ matches, loaderData: { category } }: Route.MetaArgs) {
  const { publicUrl } = matches[0].loaderData;
  const { metaTitle, metaTitleIn, metaDescription } = campus.interface.blog;
  const known = category === allCategories || categories.includes(category);
  const own = known && category !== defaultCategory;
  return pageMeta({
    title: own ? metaTitleIn.replace("{category}", category) : metaTitle,
    description: metaDescription,
    path: own ? categoryPath(category) : paths.blog,
    publicUrl,
    noIndex: !known,
    jsonLd: [breadcrumbs(publicUrl, [{ name: metaTitle, path: paths.blog }])],
  });
}

export function loader({ request }: Route.LoaderArgs) {
  return { category: new URL(request.url).searchParams.get("category") || defaultCategory };
}

export default function BlogListPage({ loaderData: { category } }: Route.ComponentProps) {
  const { blog } = campus.interface;
  const posts = listedPosts.filter(
    (post) => category === allCategories || post.category === category,
  );
  return (
    <>
      <header className={`${styles.masthead} ${fringe.sky}`}>
        <div className={`page-width ${styles.opening}`}>
          <h1>{blog.title}</h1>
          <p>{blog.lead}</p>
          <div className={styles.road}>
            <RisingSun className={styles.sun} />
            <Picture name="route-bike" alt="" eager className={styles.bike} />
          </div>
        </div>
      </header>
      <CategoryChips chosen={category} />
      {posts.length > 0 ? (
        <ul className={`page-width ${styles.posts}`}>
          {posts.map((post, index) => (
            <li key={post.id}>
              <PostCard post={post} first={index === 0} />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyCategory category={category} />
      )}
    </>
  );
}

/** A category without posts. Its name comes from the address, so it is shown as text and cut to 40 characters. */
function EmptyCategory({ category }: { category: string }) {
  const { blog } = campus.interface;
  const name = [...category].slice(0, 40).join("");
  return (
    <section className={`page-width ${styles.empty}`}>
      <div className={`${styles.emptyPicture} ${fringe.rani} ${fringe.fringe}`}>
        <Picture name="empty-shelf" alt="" eager />
      </div>
      <div className={styles.emptyWords}>
        <h2>{blog.emptyTitle}</h2>
        <p>{blog.emptyText.replace("{category}", () => name)}</p>
        <p>{blog.emptyHelp}</p>
        <ButtonLink href={paths.blog} look="primary">
          {blog.notFoundButton}
        </ButtonLink>
      </div>
    </section>
  );
}
