/**
 * Painted ornaments and small symbols. Lotus, flower, scalloped sun and fringe belong to the
 * rickshaw; other places have a compass rose, a rivet, a calm sun and waves instead.
 */
import type { SVGProps } from "react";
import { currencyMark } from "./currency-signs.ts";
import {
  type At,
  alongLine,
  Fill,
  Flat,
  Glint,
  type Paint,
  Place,
  type Placed,
  type Point,
  paint,
  path,
  petalPath,
  polar,
  ringPath,
  round,
  Shade,
  scallopRing,
  scallopsThrough,
} from "./pen.tsx";
import { useMotifs } from "./picture.tsx";

/** Returns a thinner pen for an enlarged symbol, so that its outline matches its neighbours'. */
function steadyPen(scale: number): number | undefined {
  return scale > 1 ? round(4 / scale) : undefined;
}

/**
 * A five-petal painted flower, otherwise a rivet of two rings, centred on x, y. It has no outline,
 * because it is inside a field.
 */
export function Flower({
  x,
  y,
  r,
  colour = paint.cream,
  heart = paint.marigold,
}: At & { r: number; colour?: Paint; heart?: Paint }) {
  const petalled = useMotifs() === "delta";
  const petals = scallopRing([x, y], r * 0.72, r * 0.72, 5, { bulge: 0.56, turn: -90 });
  return (
    <Flat>
      {petalled ? (
        <path d={petals} fill={colour} />
      ) : (
        <circle cx={round(x)} cy={round(y)} r={round(r * 0.78)} fill={colour} />
      )}
      <circle cx={round(x)} cy={round(y)} r={round(r * (petalled ? 0.36 : 0.34))} fill={heart} />
    </Flat>
  );
}

/** A leaf or petal without outline, growing from x, y at an angle. */
export function Leaf({
  x,
  y,
  turn,
  length,
  colour,
}: At & { turn: number; length: number; colour: Paint }) {
  return (
    <path
      d={petalPath(length)}
      transform={`translate(${round(x)} ${round(y)})rotate(${round(turn)})`}
      fill={colour}
      stroke="none"
    />
  );
}

/**
 * The scalloped sun centred on x, y; `r` is its outer radius. A ground drawn after it cuts it off
 * at the horizon.
 */
export function Sun({
  x,
  y,
  r,
  scallops = 30,
  rays = 16,
}: At & { r: number; scallops?: number; rays?: number }) {
  const motifs = useMotifs();
  if (motifs !== "delta") return <CalmSun x={x} y={y} r={r} />;
  const inner = r * 0.83;
  const wedges = Array.from({ length: rays }, (_, index) => {
    const from = polar((index * 360) / rays, inner, [x, y]);
    const to = polar(((index + 0.5) * 360) / rays, inner, [x, y]);
    return path`M${x} ${y}L${from}L${to}z`;
  });
  return (
    <>
      <path d={scallopRing([x, y], r * 0.95, r * 0.95, scallops)} fill={paint.marigold} />
      <Flat>
        <circle cx={round(x)} cy={round(y)} r={round(inner)} fill={paint.marigoldLight} />
        <path d={wedges.join("")} fill={paint.marigold} fillOpacity=".55" />
      </Flat>
      <circle cx={round(x)} cy={round(y)} r={round(inner)} strokeWidth="2.5" />
    </>
  );
}

/** A sun without outline for backgrounds, calmer than `Sun`. */
export function PaleDisc({ x, y, r }: At & { r: number }) {
  return <Rosette at={[x, y]} r={r * 0.96} count={30} fill={paint.field} stroke="none" />;
}

/** A round field behind an object: with a scalloped edge in the delta, otherwise a plain ring. */
export function Rosette({
  at,
  r,
  ry = r,
  count,
  ...ink
}: {
  at: Point;
  r: number;
  ry?: number;
  /** Number of scallops. */
  count: number;
} & Pick<SVGProps<SVGPathElement>, "fill" | "fillOpacity" | "stroke" | "strokeWidth">) {
  const scalloped = useMotifs() === "delta";
  return <path d={scalloped ? scallopRing(at, r, ry, count) : ringPath(at, r, ry)} {...ink} />;
}

/** A lotus 124 wide and 78 high on its leaf; 0,0 is the middle of the leaf's lower edge. */
export function Lotus(place: Partial<Placed>) {
  const petals: [turn: number, length: number][] = [
    [-78, 62],
    [78, 62],
    [-52, 62],
    [52, 62],
    [-27, 70],
    [27, 70],
    [0, 76],
  ];
  return (
    <Place {...place}>
      <g strokeWidth="3.5">
        {petals.map(([turn, length]) => (
          <g key={turn} transform={`translate(0 -10)rotate(${turn - 90})`}>
            <path d={petalPath(length, 0.38)} fill={paint.rani} />
            <Fill d={petalPath(length * 0.5, 0.38)} colour={paint.marigold} />
            <path
              d={path`M${length * 0.55} ${-length * 0.1}q${length * 0.12} ${length * 0.02} ${length * 0.22} ${length * 0.07}`}
              stroke={paint.cream}
              strokeWidth="2.5"
            />
          </g>
        ))}
        <path d="M-46-14q46-18 92 0q-46 26-92 0z" fill={paint.leaf} />
        <Glint d="M-26-14q18-6 34-4" width={2.5} />
      </g>
    </Place>
  );
}

/**
 * Decoration on painted objects, `size` wide, 0,0 at its foot: a flat lotus in the delta, otherwise
 * a compass rose.
 */
export function Decal({
  x,
  y,
  size,
  outer = paint.marigold,
  inner = paint.cream,
}: At & { size: number; outer?: Paint; inner?: Paint }) {
  if (useMotifs() !== "delta")
    return <CompassRose x={x} y={y - size * 0.36} r={size * 0.42} outer={outer} inner={inner} />;
  return (
    <Flat>
      <Leaf x={x} y={y} turn={-150} length={size * 0.56} colour={outer} />
      <Leaf x={x} y={y} turn={-30} length={size * 0.56} colour={outer} />
      <Leaf x={x} y={y} turn={-118} length={size * 0.66} colour={outer} />
      <Leaf x={x} y={y} turn={-62} length={size * 0.66} colour={outer} />
      <Leaf x={x} y={y} turn={-90} length={size * 0.76} colour={inner} />
    </Flat>
  );
}

/**
 * A hood's fringe hanging from a straight line: a painted band with dots and hearts in the
 * scallops, otherwise waves.
 */
export function Fringe({
  x,
  y,
  width,
  scallop,
  band = paint.marigold,
  cloth = paint.rani,
}: At & { width: number; scallop: number; band?: Paint; cloth?: Paint }) {
  if (useMotifs() !== "delta")
    return <WaveBorder x={x} y={y} width={width} length={scallop * 1.4} band={band} />;
  const count = Math.round(width / scallop);
  const step = width / count;
  const points = alongLine([x + width, y], [x, y], count);
  const bites = Array.from(
    { length: count },
    (_, index) =>
      path`M${x + step * (index + 0.22)} ${y}a${step * 0.28} ${step * 0.28} 0 0 0 ${step * 0.56} 0z`,
  );
  return (
    <g strokeWidth={round(Math.max(2.5, step / 12))}>
      <path d={`${path`M${x} ${y}h${width}`}${scallopsThrough(points, 0.52)}z`} fill={cloth} />
      <Fill d={bites.join("")} colour={paint.marigold} />
      <path d={path`M${x} ${y - step * 0.32}h${width}v${step * 0.32}h${-width}z`} fill={band} />
      <path
        d={path`M${x + step / 2} ${y - step * 0.16}h${width - step}`}
        stroke={cloth}
        strokeWidth={round(step * 0.13)}
        strokeDasharray={`0 ${round(step / 2)}`}
      />
    </g>
  );
}

/** Paper flags on a string across a picture 480 wide. It sags to `sag` below y. */
export function Bunting({ y, sag, flags, size }: Record<"y" | "sag" | "flags" | "size", number>) {
  const colours = [paint.rani, paint.marigold, paint.peacock, paint.leaf];
  return (
    <g strokeWidth="2.5">
      {Array.from({ length: flags }, (_, index) => {
        const t = (index + 0.5) / flags;
        const left = 500 * t - 10 - size / 2;
        const top = y + sag * 4 * t * (1 - t);
        return (
          <path
            key={left}
            d={path`M${left} ${top}h${size}l${-size / 2} ${size * 1.15}z`}
            fill={colours[index % 4]}
          />
        );
      })}
      <path d={path`M-10 ${y}q250 ${sag * 2} 500 0`} />
    </g>
  );
}

/** The map pin; 0,0 is its point, `size` its height. Green marks a pick-up, pink a drop-off. */
export function Pin({
  size,
  colour = paint.rani,
  ...place
}: At & { size: number; colour?: Paint }) {
  return (
    <Place {...place} scale={size / 60}>
      <path
        d="M0 0C-6-14-22-24-22-38a22 22 0 0 1 44 0C22-24 6-14 0 0z"
        fill={colour}
        strokeWidth={steadyPen(size / 60)}
      />
      <Shade d="M0 0C-6-14-22-24-22-38a22 22 0 0 1 12-19.6C-20-38-10-20 0 0z" />
      <circle cy="-38" r="8.5" fill={paint.cream} strokeWidth="3" />
      <Glint d="M9-53q6 4 7 12" width={3} />
    </Place>
  );
}

/** A coin with the sign of the campus's currency, centred on x, y. */
export function Coin({ r, ...place }: At & { r: number }) {
  return (
    <Place {...place} scale={r / 27}>
      <circle r="27" fill={paint.marigold} strokeWidth={steadyPen(r / 27)} />
      <circle r="20" fill={paint.marigoldLight} strokeWidth="2.5" />
      <CurrencySign />
      <Glint d="M12-19q6 4 8 10" width={3} />
    </Place>
  );
}

/**
 * The sign of the campus's currency, 22 wide and 28 high, centred on 0,0, drawn as a single brush
 * stroke.
 */
export function CurrencySign() {
  return <path d={currencyMark} stroke={paint.line} strokeWidth="4" fill="none" />;
}

/** A five-pointed star centred on x, y. */
export function Star({
  x,
  y,
  r,
  colour = paint.marigold,
  outline = 2.5,
}: At & { r: number; colour?: Paint; outline?: number }) {
  return (
    <path
      d={starPath(5, r, r * 0.48, -90, [x, y])}
      fill={colour}
      stroke={outline === 0 ? "none" : paint.line}
      strokeWidth={outline}
    />
  );
}

/** A four-pointed twinkle for night skies, without outline. */
export function Twinkle({ x, y, r = 7 }: At & { r?: number }) {
  return (
    <Fill
      d={path`M${x} ${y - r}q${r * 0.15} ${r * 0.85} ${r} ${r}q${-r * 0.85} ${r * 0.15} ${-r} ${r}q${-r * 0.15} ${-r * 0.85} ${-r} ${-r}q${r * 0.85} ${-r * 0.15} ${r} ${-r}z`}
      colour={paint.light}
    />
  );
}

/** A check mark in a scalloped badge, centred on x, y. */
export function TickBadge({
  r,
  colour = paint.leaf,
  ...place
}: At & { r: number; colour?: Paint }) {
  return (
    <Place {...place} scale={r / 26}>
      <Rosette at={[0, 0]} r={24} count={12} fill={colour} strokeWidth={steadyPen(r / 26)} />
      <path d="M-10 1l7 8l14-16" stroke={paint.cream} strokeWidth="6" />
    </Place>
  );
}

/**
 * Returns the path of a star with this many points: `r` is the radius of its tips, `waist` between
 * them.
 */
function starPath(points: number, r: number, waist: number, turn: number, centre?: Point): string {
  const step = 180 / points;
  const corners = Array.from({ length: points * 2 }, (_, index) =>
    polar(turn + index * step, index % 2 === 0 ? r : waist, centre),
  );
  return `${corners.map((corner, index) => path`${index === 0 ? "M" : "L"}${corner}`).join("")}z`;
}

/**
 * A compass rose centred on x, y: four long points, half of each shaded, on top of four short ones.
 */
export function CompassRose({
  r,
  outer = paint.marigold,
  inner = paint.cream,
  ...place
}: Partial<At> & { r: number; outer?: Paint; inner?: Paint }) {
  const halves = [-90, 0, 90, 180].map(
    (turn) => path`M0 0L${polar(turn, r)}L${polar(turn - 45, r * 0.3)}z`,
  );
  return (
    <Place {...place}>
      <Flat>
        <path d={starPath(4, r * 0.66, r * 0.2, -45)} fill={outer} />
        <path d={starPath(4, r, r * 0.3, -90)} fill={inner} />
        <path d={halves.join("")} fill={outer} />
      </Flat>
    </Place>
  );
}

/**
 * A low sun in its haze, centred on x, y; `r` is the radius of the haze. A ground drawn after it
 * cuts it off at the horizon.
 */
function CalmSun({ x, y, r }: At & { r: number }) {
  const disc = r * 0.84;
  const bar = (dy: number, from: number, to: number) =>
    path`M${x + from * r} ${y + dy * r}H${x + to * r}`;
  return (
    <>
      <Fill d={ringPath([x, y], r, r)} colour={paint.marigoldLight} opacity={0.5} />
      <circle cx={round(x)} cy={round(y)} r={round(disc)} fill={paint.marigoldLight} />
      <path
        d={`${bar(0.3, -0.66, -0.1)}${bar(0.3, 0.1, 0.5)}${bar(0.46, -0.5, 0.24)}${bar(0.62, -0.2, 0.4)}`}
        stroke={paint.marigold}
        strokeWidth={round(Math.max(4, r * 0.045))}
      />
      <path
        d={path`M${polar(-70, disc * 0.86, [x, y])}A${disc * 0.86} ${disc * 0.86} 0 0 1 ${polar(-22, disc * 0.86, [x, y])}`}
        stroke={paint.cream}
        strokeWidth={round(Math.max(3, r * 0.03))}
      />
    </>
  );
}

/**
 * A border of waves hanging from a straight line: a band, the swell below it and a crest inside.
 */
function WaveBorder({
  x,
  y,
  width,
  length,
  band,
}: At & { width: number; length: number; band: Paint }) {
  const count = Math.round(width / length);
  const step = width / count;
  const waves = path`q${step / 4} ${step * 0.3} ${step / 2} 0t${step / 2} 0`.repeat(count);
  return (
    <g strokeWidth={round(Math.max(2.5, step / 12))}>
      <path d={`${path`M${x} ${y}v${step * 0.34}`}${waves}${path`V${y}z`}`} fill={paint.peacock} />
      <path
        d={`${path`M${x} ${y + step * 0.12}`}${waves}`}
        stroke={paint.water}
        strokeWidth={round(step * 0.09)}
      />
      <path d={path`M${x} ${y - step * 0.32}h${width}v${step * 0.32}h${-width}z`} fill={band} />
    </g>
  );
}
