/** Things that belong to one story or two: what lies on a desk, hangs on a handlebar, is held in a hand. */
import type { ReactElement, ReactNode } from "react";
import { Flower, Leaf, LotusDecal } from "./ornaments.tsx";
import {
  alongLine,
  Fill,
  Flat,
  Glint,
  type Paint,
  Place,
  type Point,
  paint,
  path,
  round,
  Shade,
  scallopRing,
  scallopsThrough,
  Tube,
} from "./pen.tsx";

type Placed = { x: number; y: number; scale?: number };

/**
 * A hand coming from the left and holding something small between thumb and finger; 0,0 is the point of the grip.
 * The sleeve goes on to `from`. The children are what it holds, in the same units.
 */
export function PinchHand({
  x,
  y,
  scale = 1,
  turn = 0,
  mirror = false,
  from = [-240, 0],
  skin = paint.skin1,
  sleeve = paint.peacock,
  cuff = paint.marigold,
  children,
}: Placed & {
  turn?: number;
  mirror?: boolean;
  from?: Point;
  skin?: Paint;
  sleeve?: Paint;
  cuff?: Paint;
  children?: ReactNode;
}): ReactElement {
  const finger = "M-46-22Q-26-32-12-20L0-3";
  const palm =
    "M-92-18C-76-30-58-40-42-36C-24-34-22-18-28-8C-20-4-22 8-30 10C-26 18-36 26-46 24C-62 24-78 18-92 14z";
  return (
    <Place x={x} y={y} scale={scale} turn={turn} mirror={mirror}>
      <Tube d={path`M-84-2L${from}`} width={30} colour={skin} edge={3.5} />
      <path d={finger} strokeWidth="22" />
      <path d={palm} fill={skin} strokeWidth="7" />
      {children}
      <path d={finger} strokeWidth="22" />
      <path d={finger} stroke={skin} strokeWidth="15" />
      <path d="M-50 12Q-30 20-16 12L-2 5" strokeWidth="21" />
      <path d="M-50 12Q-30 20-16 12L-2 5" stroke={skin} strokeWidth="14" />
      <Fill d={palm} colour={skin} />
      <path d="M-30-7q-8 1-14-2M-31 9q-8 0-13-4" strokeWidth="2.4" />
      <Shade d="M-92 2C-70 4-56 12-40 24C-62 26-78 18-92 14z" opacity={0.14} />
      <Tube d={path`M-112 0L${from}`} width={46} colour={sleeve} edge={4} />
      <path d={path`M-112 18L${[from[0], from[1] + 18]}`} strokeOpacity=".17" strokeWidth="11" />
      <path d="M-106-22V22" strokeWidth="17" />
      <path d="M-106-22V22" stroke={cuff} strokeWidth="10" />
    </Place>
  );
}

/** A painted clay bank with its slot on top, 172 wide and 136 high; 0,0 is the middle of its foot. */
export function ClayBank({ x, y, scale = 1 }: Placed): ReactElement {
  const band = alongLine([84, -76], [-84, -76], 8);
  return (
    <Place x={x} y={y} scale={scale}>
      <path
        d="M-50 0C-76-10-88-36-86-62C-84-92-58-112-28-118V-126Q-28-134-20-134H20Q28-134 28-126V-118C58-112 84-92 86-62C88-36 76-10 50 0z"
        fill={paint.clay}
      />
      <Fill
        d={`M84-76C78-86 70-94 60-100H-60C-70-94-78-86-84-76${scallopsThrough(band.reverse(), 0.55, 0)}z`}
        colour={paint.rani}
      />
      <path
        d={`M-84-76${scallopsThrough(alongLine([-84, -76], [84, -76], 8), 0.55, 0)}`}
        strokeWidth="3"
      />
      <path d="M-61-100H61" strokeWidth="3" />
      <path d="M-56-88H56" stroke={paint.marigold} strokeWidth="8" strokeDasharray="0 22.4" />
      <LotusDecal x={0} y={-14} size={46} />
      <Flat fill={paint.cream}>
        <circle cx="-48" cy="-34" r="5" />
        <circle cx="48" cy="-34" r="5" />
      </Flat>
      <Shade d="M-50 0C-76-10-88-36-86-62C-84-92-58-112-28-118C-56-92-66-40-28 0z" />
      <path d="M-18-126H18" strokeWidth="7" />
      <Glint d="M54-98q14 7 20 18" width={5} />
      <path
        d="M-50 0C-76-10-88-36-86-62C-84-92-58-112-28-118V-126Q-28-134-20-134H20Q28-134 28-126V-118C58-112 84-92 86-62C88-36 76-10 50 0z"
      />
    </Place>
  );
}

/** A satellite with two painted wings, 150 wide; centred on x, y. */
export function Satellite({ x, y, scale = 1, turn = 0 }: Placed & { turn?: number }): ReactElement {
  return (
    <Place x={x} y={y} scale={scale} turn={turn}>
      <path d="M-70 0H70" strokeWidth="6" />
      {[-76, 32].map((left) => (
        <g key={left}>
          <path d={path`M${left}-20h44v40h-44z`} fill={paint.water} />
          <path d={path`M${left + 15}-20v40m14-40v40m-29-20h44`} strokeWidth="2.4" />
        </g>
      ))}
      <path d="M-18-24h36q6 0 6 6v32q0 8-8 8h-32q-8 0-8-8v-32q0-6 6-6z" fill={paint.marigold} />
      <Shade d="M-18-24h8v46h-6q-8 0-8-8v-32q0-6 6-6z" />
      <path d="M-16 24q16 22 32 0z" fill={paint.cream} />
      <path d="M0 36v8" strokeWidth="5" />
      <Flower x={2} y={-2} r={11} colour={paint.rani} />
    </Place>
  );
}
