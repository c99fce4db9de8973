/** The look of what is not there yet: the same drawing in dusty colours with grey ink. */
import { cloneElement, isValidElement, type ReactElement, type ReactNode } from "react";
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

/**
 * A drawing with its colours exchanged. Works on the elements themselves, so the file needs no stylesheet of its own:
 * every component of a drawing must be a plain function without hooks.
 */
export function comingSoon(drawing: ReactElement): ReactElement {
  return recolour(drawing) as ReactElement;
}

type Props = Record<string, unknown> & { children?: ReactNode };

function recolour(node: ReactNode): ReactNode {
  if (Array.isArray(node)) return node.map((child: ReactNode) => recolour(child));
  if (!isValidElement<Props>(node)) return node;
  if (typeof node.type === "function") {
    const draw = node.type as (props: Props) => ReactNode;
    const drawn = recolour(draw(node.props));
    return node.key !== null && isValidElement(drawn)
      ? cloneElement(drawn, { key: node.key })
      : drawn;
  }
  const { fill, stroke, children } = node.props;
  const exchanged: Props = {};
  if (typeof fill === "string") exchanged.fill = colours[fill] ?? fill;
  if (typeof stroke === "string") exchanged.stroke = colours[stroke] ?? stroke;
  if (children === undefined) return cloneElement(node, exchanged);
  const inside = Array.isArray(children) ? children : [children];
  return cloneElement(node, exchanged, ...inside.map((child: ReactNode) => recolour(child)));
}
