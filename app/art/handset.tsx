/** The phone and its screen, the campus map with the route. */
import type { ReactNode } from "react";
import {
  type At,
  Fill,
  Flat,
  type Paint,
  Place,
  type Placed,
  paint,
  path,
  placed,
  round,
  scallopRing,
  Tube,
} from "./pen.tsx";
import { useMotifs } from "./picture.tsx";

/**
 * A phone seen from the front; 0,0 is its upper left corner. The children are its screen, in the
 * same units. The bezel covers only its own width, so keep overhanging parts near the edge.
 */
export function Handset({
  width,
  height,
  bezel = width * 0.06,
  screen = paint.mapGround,
  children,
  ...place
}: Partial<At> & {
  width: number;
  height: number;
  bezel?: number;
  screen?: Paint;
  children?: ReactNode;
}) {
  const outer = width * 0.13;
  const inner = outer - bezel * 0.6;
  const box = (inset: number, radius: number) => {
    const w = width - inset * 2 - radius * 2;
    const h = height - inset * 2 - radius * 2;
    return path`M${inset + radius} ${inset}h${w}a${radius} ${radius} 0 0 1 ${radius} ${radius}v${h}a${radius} ${radius} 0 0 1 ${-radius} ${radius}h${-w}a${radius} ${radius} 0 0 1 ${-radius} ${-radius}v${-h}a${radius} ${radius} 0 0 1 ${radius} ${-radius}z`;
  };
  const notch = width * 0.24;
  return (
    <Place {...place}>
      <Fill d={box(bezel, inner)} colour={screen} />
      {children}
      <path
        d={box(0, outer) + box(bezel, inner)}
        fillRule="evenodd"
        fill={paint.line}
        stroke="none"
      />
      <Fill
        d={path`M${(width - notch) / 2} ${bezel - 1}h${notch}q0 ${bezel * 0.9} ${-bezel * 0.9} ${bezel * 0.9}h${-notch + bezel * 1.8}q${-bezel * 0.9} 0 ${-bezel * 0.9} ${-bezel * 0.9}z`}
        colour={paint.line}
      />
      <path
        d={box(0, outer)}
        stroke={paint.wire}
        strokeWidth={round(Math.max(1.5, width * 0.008))}
      />
    </Place>
  );
}

/** Roads of a map along one path. */
export function MapRoads({ d, width = 14 }: { d: string; width?: number }) {
  return <Tube d={d} width={width} colour={paint.cream} edge={0} />;
}

/** The ride's route: dark outline, pink line, and cream dashes on top. */
export function Route({ d, width = 6 }: { d: string; width?: number }) {
  return (
    <>
      <path d={d} strokeWidth={round(width * 1.9)} />
      <path d={d} stroke={paint.rani} strokeWidth={width} />
      <path
        d={d}
        stroke={paint.cream}
        strokeWidth={round(width * 0.42)}
        strokeDasharray={`${round(width * 0.8)} ${round(width * 1.3)}`}
      />
    </>
  );
}

/** A small tree on a map, 40 wide; 0,0 is its foot. */
export function MapTree({ colour = paint.leaf, ...place }: Placed & { colour?: Paint }) {
  const motifs = useMotifs();
  if (motifs === "lake") return <MapFir {...place} />;
  // Only flame trees are red.
  const crown = motifs === "plain" ? paint.leaf : colour;
  return (
    <Place {...place}>
      <Tube d="M0 0V-14" width={4} colour={paint.wood} edge={2} />
      <path d={scallopRing([0, -24], 20, 14, 9, { jitter: 0.2 })} fill={crown} strokeWidth="2.5" />
    </Place>
  );
}

/** A small hall on a map, 48 wide and 34 high; 0,0 is the middle of its foot. */
export function MapHall(place: Placed) {
  if (useMotifs() !== "delta") return <MapHouse {...place} />;
  return (
    <Place {...place}>
      <path d="M-24 0V-24H-11Q-8-36 0-38Q8-36 11-24H24V0z" fill={paint.brick} strokeWidth="2.5" />
      <Flat fill={paint.cream}>
        <path d="M-5 0v-11q0-5 5-7q5 2 5 7V0zM-19-5v-7q0-3 3-4q3 1 3 4v7zM13-5v-7q0-3 3-4q3 1 3 4v7z" />
      </Flat>
    </Place>
  );
}

/** A small fir on a map, 34 wide; 0,0 is its foot. */
const MapFir = placed(
  <>
    <path d="M0 0V-10" strokeWidth="7" />
    <path d="M0-44L10-26H6L17-8H-17L-6-26H-10z" fill={paint.leaf} strokeWidth="2.5" />
  </>,
);

/** A small gabled house on a map, 48 wide and 40 high; 0,0 is the middle of its foot. */
const MapHouse = placed(
  <>
    <path d="M-22 0V-20H22V0z" fill={paint.brick} strokeWidth="2.5" />
    <path d="M-27-19L-16-38H16L27-19z" fill={paint.tyreFar} strokeWidth="2.5" />
    <Fill d="M-4 0v-13h8V0zM-17-5v-8h8v8zM9-5v-8h8v8z" colour={paint.cream} />
  </>,
);

/** The moving rider on a map: a marigold disc with a small bicycle, centred on x, y. */
export function RiderDot({ r = 15, ...place }: At & { r?: number }) {
  return (
    <Place {...place} scale={r / 15}>
      <circle r="15" fill={paint.marigold} strokeWidth="3" />
      <path
        d="M-10 3a4 4 0 1 0 8 0a4 4 0 1 0-8 0M2 3a4 4 0 1 0 8 0a4 4 0 1 0-8 0M-6 3l3-8h6l3 8m-9-8l3 8l3-8m0 0l-1-3h3M-5-6h4"
        strokeWidth="2"
      />
    </Place>
  );
}

/** A phone held upright, 28 wide and 48 high; 0,0 is the hand, so that `Person` can hold it. */
export function HeldPhone() {
  return (
    <>
      <path d="M-4-38h18q5 0 5 5v38q0 5-5 5H-4q-5 0-5-5v-38q0-5 5-5z" fill={paint.line} />
      <Fill d="M-4-32h18v32H-4z" colour={paint.pane} />
      <Fill d="M5-6C3-12-2-15-2-20a7 7 0 0 1 14 0C12-15 7-12 5-6z" colour={paint.rani} />
    </>
  );
}
