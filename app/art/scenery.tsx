/**
 * The campus around the subject: trees, halls, lamps, clouds, roads, water. Each comment says where
 * 0,0 is.
 */

import {
  type At,
  alongLine,
  Fill,
  Flat,
  type Paint,
  Part,
  Place,
  type Placed,
  type Point,
  paint,
  path,
  placed,
  round,
  Shade,
  scallopRing,
  scallopsThrough,
  Tube,
} from "./pen.tsx";
import { useMotifs } from "./picture.tsx";

/** A wide old rain tree, or firs by a lake, 250 wide and 185 high; 0,0 is the foot of its trunk. */
export function RainTree(place: Placed) {
  if (useMotifs() === "lake") return <Firs {...place} />;
  const crown = (at: Point, rx: number, ry: number, count: number) => (
    <g key={`${at}`}>
      <path d={scallopRing(at, rx, ry, count, { jitter: 0.3 })} fill={paint.leaf} />
      <Fill
        d={scallopRing(
          [at[0] + rx * 0.16, at[1] - ry * 0.24],
          rx * 0.66,
          ry * 0.52,
          Math.round(count * 0.6),
          {
            jitter: 0.3,
          },
        )}
        colour={paint.leafLight}
      />
    </g>
  );
  return (
    <Place {...place}>
      {crown([-84, -96], 44, 28, 13)}
      {crown([86, -100], 42, 27, 13)}
      <path
        d="M-24 0C-14-16-14-40-18-60C-34-76-54-86-74-92L-68-104C-44-98-24-88-8-74L-4-118H10L12-72C26-88 46-98 66-102L72-92C52-84 32-70 22-54C18-36 18-14 28 0z"
        fill={paint.wood}
      />
      <Shade d="M-24 0C-14-16-14-40-18-60C-34-76-54-86-74-92L-72-98C-44-90-20-76-6-60C-4-36-6-14-8 0z" />
      {crown([-46, -122], 52, 30, 15)}
      {crown([48, -124], 50, 29, 15)}
      {crown([0, -146], 58, 32, 16)}
      <path
        d="M-70-116q6 6 12 0m20-14q6 6 12 0m24-16q6 6 12 0m26 18q6 6 12 0m-60 22q6 6 12 0m-80 4q5 5 10 0m110-4q6 6 12 0"
        strokeWidth="2.2"
      />
    </Place>
  );
}

/**
 * The flame tree in bloom: three flat pads, 200 wide and 180 high; 0,0 is the foot of its trunk. It
 * grows in the delta; by a lake it is a birch, elsewhere a broad tree.
 */
export function Krishnachura({ scale = 1, ...place }: Placed) {
  const motifs = useMotifs();
  if (motifs === "lake") return <Birch {...place} scale={scale} />;
  if (motifs === "plain") return <RainTree {...place} scale={scale * 0.86} />;
  const pads: [Point, number, number][] = [
    [[-58, -104], 52, 30],
    [[58, -108], 50, 29],
    [[2, -142], 66, 36],
  ];
  return (
    <Place {...place} scale={scale}>
      <path
        d="M-18 0C-10-20-10-46-14-62L-58-92L-50-104L-4-78L0-110H12L14-74L50-102L58-92L20-56C14-36 14-16 22 0z"
        fill={paint.wood}
      />
      <Shade d="M-18 0C-10-20-10-46-14-62L-58-92L-54-98L-4-62C-2-40-4-16-4 0z" />
      {pads.map(([[px, py], rx, ry]) => (
        <g key={px}>
          <path d={scallopRing([px, py + 5], rx, ry, 13, { jitter: 0.25 })} fill={paint.leaf} />
          <Fill
            d={scallopRing([px + 2, py - 3], rx * 0.93, ry * 0.78, 11, { jitter: 0.3 })}
            colour={paint.blossom}
          />
          <Flat fill={paint.marigold}>
            <circle cx={px - rx * 0.4} cy={py + 6} r="4" />
            <circle cx={px + rx * 0.1} cy={py - 16} r="4" />
            <circle cx={px + rx * 0.5} cy={py + 2} r="3.4" />
          </Flat>
          <Flat fill={paint.cream}>
            <circle cx={px - rx * 0.6} cy={py - 8} r="3.4" />
            <circle cx={px - rx * 0.1} cy={py + 1} r="3.4" />
            <circle cx={px + rx * 0.4} cy={py - 13} r="3.4" />
          </Flat>
        </g>
      ))}
    </Place>
  );
}

/** Returns the path of a pointed arch with its foot at x, 0. */
function archPath(x: number, width: number, height: number): string {
  const half = width / 2;
  return path`M${x - half} 0v${-height * 0.6}q0 ${-height * 0.26} ${half} ${-height * 0.4}q${half} ${height * 0.14} ${half} ${height * 0.4}v${height * 0.6}z`;
}

/** A cream arch with a dark opening and, when `lit`, a lamp behind it. */
function Arch({ x, lit = false }: { x: number; lit?: boolean }) {
  const opening = archPath(x, 22 * 0.66, 42 * 0.8);
  return (
    <>
      <path d={archPath(x, 22, 42)} fill={paint.cream} strokeWidth="2.5" />
      <path d={opening} fill={lit ? paint.pane : paint.inside} strokeWidth="2.2" />
    </>
  );
}

/**
 * The hall with its clock gable, 300 wide and 150 high; 0,0 is the middle of its foot. Only the delta's hall has arches.
 */
export function Hall({ lit = true, ...place }: Placed & { lit?: boolean }) {
  if (useMotifs() !== "delta") return <GabledHall {...place} lit={lit} />;
  const wing = (side: 1 | -1) => (
    <g transform={side === 1 ? undefined : "scale(-1 1)"}>
      <path
        d={`M48-62${scallopsThrough(alongLine([150, -62], [48, -62], 9).reverse(), 0.56)}V-50H48z`}
        fill={paint.brick}
        strokeWidth="2.5"
      />
      <path d="M48-60H150V0H48z" fill={paint.brick} />
      <path d="M48-52H150" stroke={paint.cream} strokeWidth="5" />
      <Arch x={68} />
      <Arch x={97} lit={lit} />
      <Arch x={126} />
    </g>
  );
  return (
    <Place {...place}>
      {wing(-1)}
      {wing(1)}
      <path
        d="M-42 0V-96Q-30-98-26-112Q-20-136 0-140Q20-136 26-112Q30-98 42-96V0z"
        fill={paint.brick}
      />
      <path d="M-40-90H40" stroke={paint.cream} strokeWidth="5" />
      <circle cy="-112" r="13" fill={paint.cream} strokeWidth="3" />
      <path d="M0-120v8h6" strokeWidth="2.4" />
      <path d={archPath(0, 52, 82)} fill={paint.cream} strokeWidth="2.5" />
      <path d={archPath(0, 36, 64)} fill={paint.inside} strokeWidth="2.5" />
      <path d={archPath(0, 20, 42)} fill={lit ? paint.pane : paint.metal} strokeWidth="2" />
      {[-50, 50].map((tower) => (
        <g key={tower}>
          <path d={path`M${tower - 10} 0v-106h20v106z`} fill={paint.brick} />
          <Shade d={path`M${tower - 10} 0v-106h7v106z`} />
          <path
            d={path`M${tower - 12}-105h24m-22 31h20m-20 28h20`}
            stroke={paint.cream}
            strokeWidth="4.5"
          />
          <path
            d={path`M${tower - 11}-109q1-14 11-20q10 6 11 20z`}
            fill={paint.cream}
            strokeWidth="2.5"
          />
        </g>
      ))}
    </Place>
  );
}

/** A cloud of scallops on a flat base, 100 wide; 0,0 is the middle of its base. No outline. */
export const Cloud = placed(
  <Fill
    d="M-50 0a14 14 0 0 1 8-26a20 20 0 0 1 28-12a22 22 0 0 1 36 4a18 18 0 0 1 22 12a12 12 0 0 1 4 22z"
    colour={paint.cloud}
    opacity={0.85}
  />,
);

/** A row of distant bushes along a horizon at y. No outline. */
export function FarTrees({
  x,
  y,
  width,
  size = 44,
  colour = paint.far,
}: At & { width: number; size?: number; colour?: Paint }) {
  const count = Math.ceil(width / size);
  return (
    <Flat fill={colour}>
      {Array.from({ length: count }, (_, index) => {
        const wide = size * (0.55 + 0.2 * Math.abs(Math.sin(index * 2.3)));
        const high = size * (0.5 + 0.35 * Math.abs(Math.sin(index * 1.7 + 1)));
        const cx = x + (index + 0.5) * size;
        return <path key={cx} d={path`M${cx - wide} ${y}a${wide} ${high} 0 0 1 ${wide * 2} 0z`} />;
      })}
    </Flat>
  );
}

/** A road across the picture with a dashed center line. */
export function Road({ y, width, height }: { y: number; width: number; height: number }) {
  return (
    <>
      <Fill d={path`M0 ${y}h${width}v${height}h${-width}z`} colour={paint.road} />
      <path d={path`M-4 ${y}h${width + 8}`} />
      <path
        d={path`M8 ${y + height * 0.66}h${width}`}
        stroke={paint.cream}
        strokeWidth={round(Math.max(3, height * 0.06))}
        strokeDasharray="26 22"
      />
    </>
  );
}

/** A street lamp 200 high reaching to the right; 0,0 is its foot. */
export const StreetLamp = placed(
  <>
    <Tube d="M0-6V-176Q0-200 20-200H34" width={7} colour={paint.tyre} />
    <path d="M-14 4v-10q0-6 6-6H8q6 0 6 6v10z" fill={paint.tyre} />
    <Part d="M32-184a12 13 0 0 0 22 0z" fill={paint.pane} />
    <Part d="M22-184Q24-206 43-206Q62-206 64-184z" fill={paint.marigold} />
  </>,
);

/** A tuft of grass with a small flower; 0,0 is its foot. No outline. */
export const Tuft = placed(
  <Fill
    d="M-12 0q0-10-8-16q12 2 14 12q0-14 6-22q4 10 2 20q4-10 14-10q-8 6-6 16z"
    colour={paint.leaf}
  />,
);

/** Dashes of light on water. No outline. */
export function Ripples({ d }: { d: string }) {
  return <path d={d} stroke={paint.cream} strokeOpacity=".75" strokeWidth="3" />;
}

/**
 * Returns the path of one tier of a fir: its tip is at `top`, its lower edge at `hem`, `wide` to
 * each side.
 */
function tier(top: number, hem: number, wide: number): string {
  const third = (wide * 2) / 3;
  return path`M0 ${top}Q${wide * 0.3} ${top + (hem - top) * 0.6} ${wide} ${hem}q${-third / 2} 8 ${-third} 0q${-third / 2} 9 ${-third} 0q${-third / 2} 8 ${-third} 0Q${-wide * 0.3} ${top + (hem - top) * 0.6} 0 ${top}z`;
}

const firTiers: [top: number, hem: number, wide: number][] = [
  [-118, -24, 46],
  [-154, -74, 37],
  [-190, -122, 27],
];

/** A single fir, 92 wide and 190 high; 0,0 is the foot of its trunk. */
const Fir = placed(
  <>
    <path d="M-9 0L-7-34H7L9 0z" fill={paint.wood} />
    <Shade d="M-9 0L-7-34H-1L-2 0z" />
    {firTiers.map(([top, hem, wide]) => (
      <g key={top}>
        <path d={tier(top, hem, wide)} fill={paint.leaf} />
        <Fill
          d={path`M3 ${top + 14}Q${wide * 0.36} ${top + (hem - top) * 0.7} ${wide * 0.86} ${hem - 4}q${-wide * 0.3} 3 ${-wide * 0.5} -3Q8 ${top + (hem - top) * 0.55} 3 ${top + 14}z`}
          colour={paint.leafLight}
        />
      </g>
    ))}
  </>,
);

/** Three firs standing together, 214 wide and 190 high; 0,0 is the middle of their feet. */
const Firs = placed(
  <>
    <Fir x={64} y={-2} scale={0.78} />
    <Fir x={-66} y={-4} scale={0.7} />
    <Fir x={-6} y={0} />
  </>,
);

/** A birch in its first yellow, 132 wide and 184 high; 0,0 is the foot of its trunk. */
function Birch(place: Placed) {
  const crown = (at: readonly [number, number], rx: number, ry: number, count: number) => (
    <g key={`${at}`}>
      <path d={scallopRing(at, rx, ry, count, { jitter: 0.2 })} fill={paint.leafLight} />
      <Fill
        d={scallopRing([at[0] + rx * 0.2, at[1] - ry * 0.22], rx * 0.6, ry * 0.52, 8, {
          jitter: 0.2,
        })}
        colour={paint.lawn}
      />
    </g>
  );
  return (
    <Place {...place}>
      {crown([-36, -92], 30, 26, 10)}
      {crown([38, -98], 30, 27, 10)}
      <path
        d="M-11 0Q-6-40-8-70L-30-92L-24-98L-5-82L-3-130H5L7-88L26-106L32-100L9-72Q8-34 13 0z"
        fill={paint.cream}
      />
      <path d="M-8-14h7M11-26h-7M-7-40h6M8-54h-6M-5-66h5M-2-98h5" strokeWidth="3.6" />
      {crown([0, -138], 40, 42, 13)}
      <Flat fill={paint.marigold}>
        <circle cx="-16" cy="-146" r="3.6" />
        <circle cx="12" cy="-128" r="3.6" />
        <circle cx="-40" cy="-92" r="3.2" />
        <circle cx="46" cy="-104" r="3.4" />
        <circle cx="18" cy="-160" r="3.2" />
      </Flat>
    </Place>
  );
}

/** A four-pane window centred on x. */
function Sash({ x, lit = false }: { x: number; lit?: boolean }) {
  const frame = path`M${x - 9} -14v-27h18v27z`;
  const bars = path`M${x - 9} -28h18M${x} -14v-27M${x - 12} -13h24`;
  return (
    <>
      <path d={frame} fill={lit ? paint.pane : paint.inside} strokeWidth="2.2" />
      <path d={bars} stroke={paint.cream} strokeWidth="3" />
    </>
  );
}

/**
 * The brick hall with a clock in its stepped gable, 316 wide and 164 high; 0,0 is the middle of its
 * foot.
 */
function GabledHall({ lit = true, ...place }: Placed & { lit?: boolean }) {
  const wing = (side: 1 | -1) => (
    <g transform={side === 1 ? undefined : "scale(-1 1)"}>
      <path d="M40-60L58-98H138L158-56H40z" fill={paint.tyreFar} />
      <path d="M58-86H140M52-74H146" strokeWidth="2.2" strokeOpacity=".5" />
      <Part d="M104-98V-112H116V-98z" fill={paint.brick} />
      <path d="M44-58H150V0H44z" fill={paint.brick} />
      <path d="M46-50H149" stroke={paint.cream} strokeWidth="4.5" />
      <Sash x={66} />
      <Sash x={97} lit={lit} />
      <Sash x={128} />
    </g>
  );
  return (
    <Place {...place}>
      {wing(-1)}
      {wing(1)}
      <path d="M0-140V-164M0-162H16l-5 5 5 5H0" strokeWidth="3" />
      <path
        d="M-46 0V-94H-34V-110H-22V-126H-11V-142H11V-126H22V-110H34V-94H46V0z"
        fill={paint.brick}
      />
      <Shade d="M-46 0V-94H-34V-110H-28V0z" />
      <path
        d="M-45-94H-34M34-94H45M-33-110H-22M22-110H33M-21-126H-11M11-126H21M-10-142H10M-44-66H44"
        stroke={paint.cream}
        strokeWidth="4.5"
      />
      <circle cy="-98" r="15" fill={paint.cream} strokeWidth="3" />
      <path d="M0-108v10h7" strokeWidth="2.6" />
      <Sash x={-30} lit={lit} />
      <Sash x={30} />
      <path d="M-15 0V-42H15V0z" fill={paint.cream} strokeWidth="2.5" />
      <path d="M-10 0V-36H10V0z" fill={lit ? paint.pane : paint.metal} strokeWidth="2.2" />
      <path d="M0 0V-36" strokeWidth="2.2" />
    </Place>
  );
}
