import { campus } from "virtual:campus";
import { paths } from "../../../server/http/paths.ts";
import { Chips } from "../../ui/chips.tsx";
import { categoryColours } from "./category-colours.ts";
import { allCategories } from "./posts.ts";

/** The blog's categories, the chosen one marked. */
export function CategoryChips({ chosen }: { chosen: string }) {
  return (
    <Chips
      label={campus.interface.blog.categoriesLabel}
      chips={[allCategories, ...campus.settings.categories].map((category) => ({
        name: category,
        href: `${paths.blog}?category=${encodeURIComponent(category)}`,
        current: category === chosen,
        className: category === allCategories ? undefined : categoryColours(category),
      }))}
    />
  );
}
