/** The look of what is not there yet: the same drawing in dusty colours with grey ink. */
import { paint } from "./pen.tsx";

const dusty = (name: string) => `var(--art-dusty-${name})`;

const colours: Record<string, string> = {
  [paint.line]: dusty("line"),
  [paint.wire]: dusty("wire"),
  [paint.tyre]: dusty("line"),
  [paint.hair]: dusty("line"),
  [paint.inside]: dusty("line"),
  [paint.cream]: dusty("0"),
  [paint.pane]: dusty("0"),
  [paint.metal]: dusty("0"),
  [paint.sky]: dusty("1"),
  [paint.field]: dusty("1"),
  [paint.skin1]: dusty("2"),
  [paint.skin2]: dusty("2"),
  [paint.skin3]: dusty("2"),
  [paint.clay]: dusty("2"),
  [paint.wood]: dusty("2"),
  [paint.road]: dusty("2"),
  [paint.rani]: dusty("3"),
  [paint.jeans]: dusty("3"),
  [paint.tyreFar]: dusty("3"),
  [paint.brick]: dusty("3"),
  [paint.blossom]: dusty("3"),
  [paint.peacock]: dusty("4"),
  [paint.leaf]: dusty("4"),
  [paint.leafLight]: dusty("4"),
  [paint.far]: dusty("4"),
  [paint.lawn]: dusty("4"),
  [paint.marigold]: dusty("5"),
  [paint.marigoldLight]: dusty("2"),
};

/** A drawing's markup with its colours exchanged, so that the file needs no stylesheet of its own. */
export function comingSoon(svg: string): string {
  return svg.replace(
    /\b(fill|stroke)="([^"]*)"/g,
    (_, place: string, colour: string) => `${place}="${colours[colour] ?? colour}"`,
  );
}
