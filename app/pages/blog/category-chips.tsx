import { paths } from "../../../server/http/paths.ts";
import { Chips } from "../../ui/chips.tsx";
import { useWords } from "../../words.ts";
import { categoryColours } from "./category-colours.ts";
import { allCategories } from "./posts.ts";

/** The blog's categories, the chosen one marked. */
export function CategoryChips({ chosen }: { chosen: string }) {
  const { interface: labels, settings, to } = useWords();
  const { blog } = labels;
  return (
    <Chips
      label={blog.categoriesLabel}
      chips={[allCategories, ...settings.categories].map((category) => ({
        name: category === allCategories ? blog.all : (blog.categories[category] ?? category),
        href: to(`${paths.blog}?category=${encodeURIComponent(category)}`),
        current: category === chosen,
        className: category === allCategories ? undefined : categoryColours(category),
      }))}
    />
  );
}
