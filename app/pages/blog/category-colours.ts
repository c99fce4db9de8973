import { campus } from "virtual:campus";
import fringe from "../../ui/fringe.module.css";

const colours = [fringe.sky, fringe.marigold, fringe.rani, fringe.leaf, fringe.brick];

/** The class that gives a post the ground and fringe of its category, in the order of the campus's categories. */
export function categoryColours(category: string): string {
  const index = campus.settings.categories.indexOf(category);
  return colours[Math.max(0, index) % colours.length] ?? "";
}
