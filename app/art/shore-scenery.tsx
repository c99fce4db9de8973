/** What grows and stands by a cold lake: firs, birches, brick halls with stepped gables. Each says what its 0,0 is. */
import {
  type At,
  Fill,
  Flat,
  Place,
  type Placed,
  paint,
  path,
  placed,
  Shade,
  scallopRing,
  Tube,
} from "./pen.tsx";
import { CompassRose } from "./shore-ornaments.tsx";

/** One tier of a fir: its tip at `top`, its hem at `hem`, `wide` to each side. */
function tier(top: number, hem: number, wide: number): string {
  const third = (wide * 2) / 3;
  return path`M0 ${top}Q${wide * 0.3} ${top + (hem - top) * 0.6} ${wide} ${hem}q${-third / 2} 8 ${-third} 0q${-third / 2} 9 ${-third} 0q${-third / 2} 8 ${-third} 0Q${-wide * 0.3} ${top + (hem - top) * 0.6} 0 ${top}z`;
}

/** A single fir, 92 wide and 190 high; 0,0 is the foot of its trunk. */
export function Fir(place: Placed) {
  const tiers: [top: number, hem: number, wide: number][] = [
    [-118, -24, 46],
    [-154, -74, 37],
    [-190, -122, 27],
  ];
  return (
    <Place {...place}>
      <path d="M-9 0L-7-34H7L9 0z" fill={paint.wood} />
      <Shade d="M-9 0L-7-34H-1L-2 0z" />
      {tiers.map(([top, hem, wide]) => (
        <g key={top}>
          <path d={tier(top, hem, wide)} fill={paint.leaf} />
          <Fill
            d={path`M3 ${top + 14}Q${wide * 0.36} ${top + (hem - top) * 0.7} ${wide * 0.86} ${hem - 4}q${-wide * 0.3} 3 ${-wide * 0.5} -3Q8 ${top + (hem - top) * 0.55} 3 ${top + 14}z`}
            colour={paint.leafLight}
          />
        </g>
      ))}
    </Place>
  );
}

/** Three firs standing together, 214 wide and 190 high; 0,0 is the middle of their feet. */
export const Firs = placed(
  <>
    <Fir x={64} y={-2} scale={0.78} />
    <Fir x={-66} y={-4} scale={0.7} />
    <Fir x={-6} y={0} />
  </>,
);

/** A birch in its first yellow, 132 wide and 184 high; 0,0 is the foot of its trunk. */
export function Birch(place: Placed) {
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

/** A window of four panes, its foot on x, y. */
function Sash({ x, y, lit = false }: At & { lit?: boolean }) {
  return (
    <>
      <path
        d={path`M${x - 9} ${y}v-27h18v27z`}
        fill={lit ? paint.pane : paint.inside}
        strokeWidth="2.2"
      />
      <path
        d={path`M${x - 9} ${y - 14}h18M${x} ${y}v-27M${x - 12} ${y + 1}h24`}
        stroke={paint.cream}
        strokeWidth="3"
      />
    </>
  );
}

/** The brick hall with a clock in its stepped gable, 316 wide and 164 high; 0,0 is the middle of its foot. */
export function GabledHall({ lit = true, ...place }: Placed & { lit?: boolean }) {
  const wing = (side: 1 | -1) => (
    <g transform={side === 1 ? undefined : "scale(-1 1)"}>
      <path d="M40-60L58-98H138L158-56H40z" fill={paint.tyreFar} />
      <path d="M58-86H140M52-74H146" strokeWidth="2.2" strokeOpacity=".5" />
      <path d="M104-98V-112H116V-98z" fill={paint.brick} strokeWidth="3" />
      <path d="M44-58H150V0H44z" fill={paint.brick} />
      <path d="M46-50H149" stroke={paint.cream} strokeWidth="4.5" />
      <Sash x={66} y={-14} />
      <Sash x={97} y={-14} lit={lit} />
      <Sash x={128} y={-14} />
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
      <Sash x={-30} y={-14} lit={lit} />
      <Sash x={30} y={-14} />
      <path d="M-15 0V-42H15V0z" fill={paint.cream} strokeWidth="2.5" />
      <path d="M-10 0V-36H10V0z" fill={lit ? paint.pane : paint.metal} strokeWidth="2.2" />
      <path d="M0 0V-36" strokeWidth="2.2" />
    </Place>
  );
}

/** The stone of a gate with a stepped gable, 304 wide and 234 high; 0,0 is the middle of its foot. */
export function GabledGate() {
  const arch = "M-66 0V-100Q0-144 66-100V0";
  return (
    <>
      <path
        d="M-112 0V-178H-90V-196H-68V-214H-46V-234H46V-214H68V-196H90V-178H112V0H66V-100Q0-144-66-100V0z"
        fill={paint.brick}
      />
      <Shade d="M-112 0V-178H-96V0z" />
      <Tube d={arch} width={8} colour={paint.cream} edge={3.5} />
      <path
        d="M-109-177H-90M-87-195H-68M-65-213H-46M-43-233H43M46-213H65M68-195H87M90-177H109"
        stroke={paint.cream}
        strokeWidth="6"
      />
      <circle cy="-182" r="30" fill={paint.peacock} strokeWidth="3.5" />
      <CompassRose y={-182} r={25} outer={paint.marigold} inner={paint.cream} />
      {[-1, 1].map((side) => (
        <g key={side} transform={`translate(${side * 128} 0)`}>
          <path d="M-24 0V-176H24V0z" fill={paint.brick} />
          <Shade d="M-24 0V-176H-8V0z" />
          <path d="M-22-130H22M-22-44H22" stroke={paint.cream} strokeWidth="6" />
          <path d="M-9-62V-110H9V-62z" fill={paint.inside} strokeWidth="3" />
          <path d="M0-63V-109M-8-86H8" stroke={paint.cream} strokeWidth="3" />
          <path d="M-30-178L0-206L30-178z" fill={paint.tyreFar} />
          <path d="M-30 0V-14H30V0z" fill={paint.cream} />
        </g>
      ))}
    </>
  );
}

/** A small gabled house on a map, 48 wide and 40 high; 0,0 is the middle of its foot. */
export const MapHouse = placed(
  <>
    <path d="M-22 0V-20H22V0z" fill={paint.brick} strokeWidth="2.5" />
    <path d="M-27-19L-16-38H16L27-19z" fill={paint.tyreFar} strokeWidth="2.5" />
    <Flat fill={paint.cream}>
      <path d="M-4 0v-13h8V0zM-17-5v-8h8v8zM9-5v-8h8v8z" />
    </Flat>
  </>,
);

/** A small fir on a map, 34 wide; 0,0 is its foot. */
export const MapFir = placed(
  <>
    <path d="M0 0V-10" strokeWidth="7" />
    <path d="M0-44L10-26H6L17-8H-17L-6-26H-10z" fill={paint.leaf} strokeWidth="2.5" />
  </>,
);
