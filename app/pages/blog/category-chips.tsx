import { campus } from "virtual:campus";
import { paths } from "../../../server/http/paths.ts";
import { Chips } from "../../ui/chips.tsx";
import { categoryColours } from "./category-colours.ts";

/** The name that stands for every category, in the list and in the address. */
export const allCategories = campus.interface.blog.all;

/** The address of the list in one category. */
export function categoryPath(category: string): string {
  return `${paths.blog}?category=${encodeURIComponent(category)}`;
}

/** The blog's categories, the chosen one marked. */
export function CategoryChips({ chosen }: { chosen: string }) {
  return (
    <Chips
      label={campus.interface.blog.categoriesLabel}
      chips={[allCategories, ...campus.settings.categories].map((category) => ({
        name: category,
        href: categoryPath(category),
        current: category === chosen,
        className: category === allCategories ? undefined : categoryColours(category),
      }))}
    />
  );
}
