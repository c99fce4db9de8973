import { campus } from "virtual:campus";
import styles from "./category-chips.module.css";
import { categoryColours } from "./category-colours.ts";

/** The name that stands for every category, in the list and in the address. */
export const allCategories = campus.interface.blog.all;

/** The address of the list in one category. */
export function categoryPath(category: string): string {
  return `/blog?category=${encodeURIComponent(category)}`;
}

/** The categories as flags on a line, the chosen one hanging lower. On a phone the line scrolls sideways. */
export function CategoryChips({ chosen }: { chosen: string }) {
  return (
    <nav className={styles.line} aria-label={campus.interface.blog.categoriesLabel} data-chips="">
      <ul className={styles.chips}>
        {[allCategories, ...campus.settings.categories].map((category) => (
          <li key={category}>
            <a
              href={categoryPath(category)}
              className={category === allCategories ? undefined : categoryColours(category)}
              aria-current={category === chosen ? "true" : undefined}
            >
              {category}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
