import { ButtonLink } from "../../ui/button.tsx";
import { useWords } from "../../words.ts";
import styles from "./list-pager.module.css";
import { listPath } from "./posts.ts";

/** The way to the other pages of a list that has more than one: one newer, one older, and by number. */
export function ListPager({
  category,
  page,
  pages,
}: {
  category: string;
  /** From 1. */
  page: number;
  /** How many there are. */
  pages: number;
}) {
  const { interface: labels, digits, say, to } = useWords();
  const { blog } = labels;
  if (pages === 1) return null;
  const numbers = [...new Set([1, page - 1, page, page + 1, pages])].filter(
    (number) => number >= 1 && number <= pages,
  );
  return (
    <nav className={`page-width ${styles.pager}`} aria-label={blog.pages}>
      {page > 1 ? (
        <p className={styles.newer}>
          <ButtonLink href={to(listPath(category, page - 1))} rel="prev">
            {blog.newer}
          </ButtonLink>
        </p>
      ) : null}
      <ol className={`row ${styles.numbers}`}>
        {numbers.map((number, index) => (
          <li
            key={number}
            className={number - (numbers[index - 1] ?? number) > 1 ? styles.gap : ""}
          >
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
        <p className={styles.older}>
          <ButtonLink href={to(listPath(category, page + 1))} rel="next">
            {blog.older}
          </ButtonLink>
        </p>
      ) : null}
    </nav>
  );
}
