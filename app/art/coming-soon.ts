/** Style of announced things: the same drawing in dusty colours with grey outlines. */
import { paint } from "./pen.tsx";

/** Replacement colours for a drawing, each with the colours that it replaces. */
const dusty: Record<string, readonly (keyof typeof paint)[]> = {
  line: ["line", "tyre", "hair", "inside"],
  wire: ["wire"],
  0: ["cream", "pane", "metal"],
  1: ["sky", "field"],
  2: ["skin1", "skin2", "skin3", "clay", "wood", "road", "marigoldLight"],
  3: ["rani", "jeans", "tyreFar", "brick", "blossom"],
  4: ["peacock", "leaf", "leafLight", "far", "lawn"],
  5: ["marigold"],
};

const colours = new Map(
  Object.entries(dusty).flatMap(([name, from]) =>
    from.map((one): [string, string] => [paint[one], `var(--art-dusty-${name})`]),
  ),
);

/** Replaces the colours in a drawing's markup, so that the file needs no stylesheet of its own. */
export function comingSoon(svg: string): string {
  return svg.replace(
    /\b(fill|stroke)="([^"]*)"/g,
    (_, place: string, colour: string) => `${place}="${colours.get(colour) ?? colour}"`,
  );
}
