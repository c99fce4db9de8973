/** The look of what is not there yet: the same drawing in dusty colours with grey ink. */
import { paint } from "./pen.tsx";

/** The colours of a drawing, by what becomes of them. */
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

/** A drawing's markup with its colours exchanged, so that the file needs no stylesheet of its own. */
export function comingSoon(svg: string): string {
  return svg.replace(
    /\b(fill|stroke)="([^"]*)"/g,
    (_, place: string, colour: string) => `${place}="${colours.get(colour) ?? colour}"`,
  );
}
