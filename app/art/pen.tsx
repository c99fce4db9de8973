/**
 * The pen: colours, numbers and the few strokes that every drawing is made of.
 *
 * Units are those of the picture's viewBox; y grows downwards; angles are degrees clockwise from
 * "to the right", so -90 is straight up. Everything faces right, and the light comes from the upper
 * right.
 */
import type { ReactNode } from "react";

export type Point = readonly [x: number, y: number];

/** Position of an object's 0,0. */
export type At = { x: number; y: number };

/** Position and transform. Default: original size, upright, facing right. */
export type Placed = At & { scale?: number; turn?: number; mirror?: boolean };

const token = <Name extends string>(name: Name) => `var(--art-${name})` as const;

/** The colours of `campus/theme.css`. Drawings use no other colours. */
export const paint = {
  line: token("line"),
  wire: token("wire"),
  tyre: token("tyre"),
  tyreFar: token("tyre-far"),
  hair: token("hair"),
  jeans: token("jeans"),
  sky: token("sky"),
  field: token("field"),
  far: token("far"),
  lawn: token("lawn"),
  water: token("water"),
  road: token("road"),
  leaf: token("leaf"),
  leafLight: token("leaf-light"),
  brick: token("brick"),
  blossom: token("blossom"),
  mapLine: token("mapline"),
  mapGround: token("mapbg"),
  paper: token("paper"),
  pane: token("pane"),
  rani: token("rani"),
  marigold: token("marigold"),
  marigoldLight: token("marigold-light"),
  peacock: token("peacock"),
  cream: token("cream"),
  clay: token("clay"),
  wood: token("wood"),
  metal: token("metal"),
  skin1: token("skin-1"),
  skin2: token("skin-2"),
  skin3: token("skin-3"),
  nightSky: token("night-sky"),
  nightGround: token("night-ground"),
  nightHedge: token("night-hedge"),
  light: token("light"),
  /** Dark openings: doors, windows, the inside of a hood. */
  inside: token("inside"),
  cloud: token("cloud"),
} as const;

export type Paint = string;

/** Rounds to one decimal, which looks the same and keeps the files small. */
export function round(value: number): number {
  return Math.round(value * 10) / 10 || 0;
}

/** Builds a path with every number rounded; a Point stands for its two numbers. */
export function path(parts: TemplateStringsArray, ...values: (number | string | Point)[]): string {
  return parts.reduce((text, part, index) => {
    const value = values[index - 1];
    if (value === undefined) return text + part;
    if (typeof value === "number") return text + round(value) + part;
    if (typeof value === "string") return text + value + part;
    return `${text}${round(value[0])} ${round(value[1])}${part}`;
  });
}

/**
 * Returns the point at an angle (degrees clockwise from the right) and distance from another point.
 */
export function polar(degrees: number, distance: number, [x, y]: Point = [0, 0]): Point {
  const angle = (degrees * Math.PI) / 180;
  return [x + Math.cos(angle) * distance, y + Math.sin(angle) * distance];
}

/** Returns the point at a fraction `t` (0..1) of the way from one point to another. */
export function between([x1, y1]: Point, [x2, y2]: Point, t: number): Point {
  return [x1 + (x2 - x1) * t, y1 + (y2 - y1) * t];
}

/**
 * Returns the knee or elbow between two ends. `side` 1 bends to the left of the direction from
 * `from` to `to`, -1 to the right. A limb that is too short for the distance is straight.
 */
export function joint(from: Point, to: Point, upper: number, lower: number, side: 1 | -1): Point {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const distance = Math.hypot(dx, dy);
  const along = Math.min(upper, (upper ** 2 - lower ** 2 + distance ** 2) / (2 * distance));
  const out = Math.sqrt(Math.max(0, upper ** 2 - along ** 2)) * side;
  return [
    from[0] + (dx * along + dy * out) / distance,
    from[1] + (dy * along - dx * out) / distance,
  ];
}

/**
 * Returns a path of scallops through the given points, without the first `M`. With `sweep` 1 they
 * bulge to the left of the direction.
 */
export function scallopsThrough(points: readonly Point[], bulge = 0.55, sweep: 0 | 1 = 1): string {
  return points
    .slice(1)
    .map((point, index) => {
      const [x, y] = points[index] as Point;
      const dx = point[0] - x;
      const dy = point[1] - y;
      const exact = Math.hypot(dx, dy) * bulge;
      const radius = exact > 6 ? Math.round(exact) : exact;
      return path`a${radius} ${radius} 0 0 ${sweep} ${dx} ${dy}`;
    })
    .join("");
}

/**
 * Returns a closed ring of scallops: sun, rosette, and with `jitter` (0..0.4) the crown of a tree
 * or a bush.
 */
export function scallopRing(
  [cx, cy]: Point,
  rx: number,
  ry: number,
  count: number,
  { jitter = 0, bulge = 0.55, turn = 0 } = {},
): string {
  const points = Array.from({ length: count + 1 }, (_, index): Point => {
    const step = index % count;
    const shift = jitter * Math.sin(step * 12.9898 + rx) * (360 / count);
    const [x, y] = polar(turn + (step * 360) / count + shift, 1);
    const grain = jitter > 0 && rx > 20 ? Math.round : round;
    return [grain(cx + x * rx), grain(cy + y * ry)];
  });
  return `${path`M${points[0] as Point}`}${scallopsThrough(points, bulge)}z`;
}

/** Returns the path of a ring or ellipse, centred on a point. */
export function ringPath([cx, cy]: Point, rx: number, ry: number): string {
  return path`M${cx - rx} ${cy}a${rx} ${ry} 0 0 1 ${rx * 2} 0a${rx} ${ry} 0 0 1 ${-rx * 2} 0z`;
}

/** Returns evenly spaced points along a straight line, including both ends. */
export function alongLine(from: Point, to: Point, count: number): Point[] {
  return Array.from({ length: count + 1 }, (_, index) => between(from, to, index / count));
}

/**
 * Returns the path of a leaf or petal growing from 0,0 to the right. `fullness` 0.42 is a leaf, 0.6
 * a full petal.
 */
export function petalPath(length: number, fullness = 0.42): string {
  const half = length / 2;
  const wide = length * fullness;
  return path`M0 0q${half} ${-wide} ${length} 0q${-half} ${wide} ${-length} 0z`;
}

/** Moves, scales, rotates or mirrors its children around its 0,0. */
export function Place({
  x = 0,
  y = 0,
  scale = 1,
  turn = 0,
  mirror = false,
  children,
}: Partial<Placed> & { children: ReactNode }) {
  const parts: string[] = [];
  if (x !== 0 || y !== 0) parts.push(`translate(${round(x)} ${round(y)})`);
  if (turn !== 0) parts.push(`rotate(${round(turn)})`);
  const size = Math.round(scale * 1000) / 1000;
  if (mirror) parts.push(`scale(${-size} ${size})`);
  else if (size !== 1) parts.push(`scale(${size})`);
  return <g transform={parts.length > 0 ? parts.join("") : undefined}>{children}</g>;
}

/** Turns a fixed drawing into a component that can be positioned and scaled. */
export function placed(thing: ReactNode): (place: Placed) => ReactNode {
  return (place) => <Place {...place}>{thing}</Place>;
}

/** Flat colours without outline: sky, ground, decoration inside a field. */
export function Flat({ fill, children }: { fill?: Paint; children: ReactNode }) {
  return (
    <g stroke="none" fill={fill}>
      {children}
    </g>
  );
}

/** One flat shape without outline. */
export function Fill({ d, colour, opacity }: { d: string; colour: Paint; opacity?: number }) {
  return <path d={d} fill={colour} fillOpacity={opacity} stroke="none" />;
}

/** Shade on the back (left) third of a shape, inside its outline. */
export function Shade({ d, opacity = 0.18 }: { d: string; opacity?: number }) {
  return <path d={d} fill={paint.line} fillOpacity={opacity} stroke="none" />;
}

/** A cream comma of light along the lit edge. */
export function Glint({ d, width = 4 }: { d: string; width?: number }) {
  return <path d={d} stroke={paint.cream} strokeWidth={width} />;
}

/** Part of an object, with a thinner outline. */
export function Part({ d, fill }: { d: string; fill: Paint }) {
  return <path d={d} fill={fill} strokeWidth="3" />;
}

/** A painted row of dots along a path, `every` units from center to center. */
export function Dots(row: { d: string; colour: Paint; width: number; every: number }) {
  const { d, colour, width, every } = row;
  return <path d={d} stroke={colour} strokeWidth={width} strokeDasharray={`0 ${every}`} />;
}

/**
 * An outlined rod along a path: limb, frame, handlebar, mudguard. `edge` is the ink on each side.
 */
export function Tube({
  d,
  width,
  colour,
  edge = 3,
  shade = false,
}: {
  d: string;
  width: number;
  colour: Paint;
  edge?: number;
  /** True to darken the limb on the far side. */
  shade?: boolean;
}) {
  return (
    <>
      <path d={d} strokeWidth={round(width + edge * 2)} />
      <path d={d} stroke={colour} strokeWidth={round(width)} />
      {shade && <path d={d} strokeWidth={round(width)} strokeOpacity=".2" />}
    </>
  );
}

/**
 * Scenery behind the subject, with thinner outlines and one shared transparency, so that overlaps
 * don't show through.
 */
export function Backdrop({ opacity = 0.6, children }: { opacity?: number; children: ReactNode }) {
  return (
    <g opacity={opacity} strokeWidth="2.5">
      {children}
    </g>
  );
}

/** The flat shadow on the ground below an object, centred on x, y. */
export function GroundShadow({ x, y, rx, ry = rx * 0.05 }: At & { rx: number; ry?: number }) {
  return (
    <ellipse
      cx={round(x)}
      cy={round(y)}
      rx={round(rx)}
      ry={round(ry)}
      fill={paint.line}
      fillOpacity=".22"
      stroke="none"
    />
  );
}
