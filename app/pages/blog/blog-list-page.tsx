import { campus } from "virtual:campus";
import { data, type MetaDescriptor } from "react-router";
import { allCategories } from "../../../campus-reader/choices.ts";
import { paths } from "../../../server/platform/http/paths.ts";
import { ButtonLink } from "../../components/button.tsx";
import chips from "../../components/chips.module.css";
import fringe from "../../components/fringe.module.css";
import { Picture } from "../../components/picture.tsx";
import { Text } from "../../components/text.tsx";
import type { PageHandle } from "../../document/page-handle.ts";
import { pageMeta } from "../../document/page-meta.ts";
import { useWords, wordsAt } from "../../words.ts";
import type { Route } from "./+types/blog-list-page";
import styles from "./blog-list-page.module.css";
import chosenChip from "./chosen-chip.js?script";
import pager from "./list-pager.module.css";
import { PostCard } from "./post-card.tsx";
import { readPageNumber } from "./post-lists.ts";
import { categoryColours } from "./post-meta.tsx";
import { listPath, listsOf, postLists } from "./posts.ts";

const { defaultCategory } = campus.settings;

export const handle: PageHandle = {
  inlineScripts: [chosenChip],
  query: ["category", "page"],
  keptAs(url) {
    const { category, page } = readAddress(url);
    if (!postLists.names.includes(category)) return undefined;
    // All out-of-range pages of a list share one cache entry.
    return page ? listPath(category, page) : listPath(category, 0);
  },
};

/**
 * Reads the category and the page number (from 1) from the query string, and counts the category's
 * pages. `page` is undefined if it is out of range.
 */
function readAddress({ searchParams }: URL) {
  const category = searchParams.get("category") || defaultCategory;
  const pages = postLists.pagesOf(category);
  const requested = readPageNumber(searchParams.get("page"));
  return { category, page: requested && requested <= pages ? requested : undefined, pages };
}

type ListQuery = ReturnType<typeof readAddress>;

export function meta({ matches, location, loaderData: { category, page, pages } }: Route.MetaArgs) {
  const words = wordsAt(location);
  const { blog } = words.interface;
  const { publicUrl } = matches[0].loaderData;
  const known = postLists.names.includes(category);
  const title =
    known && category !== defaultCategory
      ? words.say(blog.metaTitleIn, { category: blog.categories[category] ?? blog.all })
      : blog.title;
  const number = page && page > 1 ? `, ${words.say(blog.metaTitlePage, { page })}` : "";
  const neighbour = (rel: "prev" | "next", other: number): MetaDescriptor[] =>
    page && other >= 1 && other <= pages
      ? [{ tagName: "link", rel, href: publicUrl + words.to(listPath(category, other)) }]
      : [];
  return [
    ...pageMeta(words, {
      title: title + number,
      description: blog.metaDescription,
      path: known ? listPath(category, page) : paths.blog,
      publicUrl,
      noIndex: !known || !page,
      trail: [{ name: blog.title, path: paths.blog }],
    }),
    ...(page ? [...neighbour("prev", page - 1), ...neighbour("next", page + 1)] : []),
  ];
}

export function loader({ request }: Route.LoaderArgs) {
  const address = readAddress(new URL(request.url));
  return data(address, { status: address.page ? 200 : 404 });
}

export default function BlogListPage({
  loaderData: { category, page, pages },
}: Route.ComponentProps) {
  const words = useWords();
  const { interface: labels, say } = words;
  const { blog } = labels;
  const posts = page ? listsOf(words).postsOn(category, page) : [];
  return (
    <>
      <header className={`masthead ${styles.masthead} ${fringe.sky}`}>
        <div className={`page-width stack ${styles.opening}`}>
          <h1 className="headline">
            <Text>{blog.title}</Text>
          </h1>
          <p>
            <Text>{blog.lead}</Text>
          </p>
          <div className={styles.road}>
            {/* The upper half of the sun; its bottom edge is the horizon. */}
            <Picture name="horizon-sun" alt="" eager className={styles.sun} />
            <Picture name="route-bike" alt="" eager className={styles.bike} />
          </div>
        </div>
      </header>
      <CategoryChips chosen={category} />
      {page && posts.length > 0 ? (
        <>
          {page > 1 ? (
            <p className={`page-width ${styles.where}`}>
              <Text>{say(blog.page, { page, pages })}</Text>
            </p>
          ) : null}
          <ul className={`page-width ${styles.posts}`}>
            {posts.map((post, index) => (
              <PostCard
                key={post.id}
                post={post}
                list={category}
                size={cardSizeAt(index)}
                className={placeInRow(index, posts.length)}
                aloneOnTablet={isAloneOnTablet(index, posts.length)}
              />
            ))}
          </ul>
          <ListPager category={category} page={page} pages={pages} />
        </>
      ) : (
        <Empty category={category} page={page} pages={pages} />
      )}
    </>
  );
}

/**
 * Returns the size of the card at this index. The first card is large, and the next six are
 * regular. From index 7 on, every seventh card is wide, and the others are small.
 */
function cardSizeAt(index: number) {
  if (index === 0) return "first";
  if (index % 7 === 0) return "wide";
  return index > 6 ? "small" : undefined;
}

/**
 * Returns the class of a card that stretches to fill the last row of a desktop's three columns. It
 * depends on the number of posts instead of the next card, so that no card changes its width while
 * the page arrives.
 */
function placeInRow(index: number, length: number) {
  const after = length - 1 - index;
  const column = ((index % 7) - 1) % 3;
  if (column < 0 || column + after > 1) return undefined;
  return column + after === 0 ? styles.alone : styles.ofTwo;
}

/** Returns whether a card is alone in the last row of a tablet's two columns. */
function isAloneOnTablet(index: number, length: number) {
  return index === length - 1 && (index % 7) % 2 === 1;
}

/** Renders a notice for an empty blog or category, or for a page number out of range. */
function Empty({ category, page, pages }: ListQuery) {
  const { interface: labels, say, to } = useWords();
  const { blog } = labels;
  const isUnwritten = page === 1 && postLists.listed.length === 0;
  // The category comes from the URL and could be any text, so truncate it.
  const name = [...category].slice(0, 40).join("");
  return (
    <section className={`page-width columns ${styles.empty}`}>
      <div className={`stack ${styles.emptyWords}`}>
        {isUnwritten ? (
          <>
            <h2>
              <Text>{blog.noneYetTitle}</Text>
            </h2>
            <p>
              <Text>{blog.noneYetText}</Text>
            </p>
          </>
        ) : (
          <>
            <h2>
              <Text>{blog.emptyTitle}</Text>
            </h2>
            <p>
              <Text>
                {page ? say(blog.emptyText, { category: name }) : say(blog.noPageText, { pages })}
              </Text>
            </p>
            {page ? (
              <p>
                <Text>{blog.emptyHelp}</Text>
              </p>
            ) : null}
            <ButtonLink href={to(page ? paths.blog : listPath(category))} variant="primary">
              {page ? blog.notFoundButton : blog.noPageButton}
            </ButtonLink>
          </>
        )}
      </div>
      <div className={`frame ${styles.emptyPicture} ${fringe.rani} ${fringe.fringe}`}>
        <Picture name="empty-shelf" alt="" eager />
      </div>
    </section>
  );
}

/**
 * Renders the categories as flags on a line. The selected flag hangs lower. On phones, the line
 * scrolls sideways.
 */
function CategoryChips({ chosen }: { chosen: string }) {
  const { interface: labels, settings, to } = useWords();
  const { blog } = labels;
  const filled = settings.categories.filter(
    (category) => postLists.postsOn(category, 1).length > 0,
  );
  if (filled.length === 0) return null;
  const nameOf = (category: string) =>
    category === allCategories ? blog.all : (blog.categories[category] ?? category);
  return (
    <nav className={chips.line} aria-label={blog.categoriesLabel} data-chips="">
      <ul className={chips.chips}>
        {[allCategories, ...filled].map((category) => (
          <li key={category} className={category === filled.at(-1) ? chips.last : undefined}>
            <a
              href={to(`${paths.blog}?category=${encodeURIComponent(category)}`)}
              className={category === allCategories ? undefined : categoryColours(category)}
              aria-current={category === chosen ? "true" : undefined}
            >
              <Text>{nameOf(category)}</Text>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function ListPager({ category, page, pages }: ListQuery & { page: number }) {
  const { interface: labels, digits, say, to } = useWords();
  const { blog } = labels;
  if (pages === 1) return null;
  const numbers = [...new Set([1, page - 1, page, page + 1, pages])].filter(
    (number) => number >= 1 && number <= pages,
  );
  return (
    <nav className={`page-width ${pager.pager}`} aria-label={blog.pages}>
      {page > 1 ? (
        <p className={pager.newer}>
          <ButtonLink href={to(listPath(category, page - 1))} rel="prev">
            {blog.newer}
          </ButtonLink>
        </p>
      ) : null}
      <ol className={`row ${pager.numbers}`}>
        {numbers.map((number, index) => (
          <li key={number} className={number - (numbers[index - 1] ?? number) > 1 ? pager.gap : ""}>
            <a
              className="target display"
              href={to(listPath(category, number))}
              aria-label={say(blog.page, { page: number, pages })}
              aria-current={number === page ? "page" : undefined}
            >
              {digits(number)}
            </a>
          </li>
        ))}
      </ol>
      {page < pages ? (
        <p className={pager.older}>
          <ButtonLink href={to(listPath(category, page + 1))} rel="next">
            {blog.older}
          </ButtonLink>
        </p>
      ) : null}
    </nav>
  );
}
