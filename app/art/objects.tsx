/** Objects of one or two blog posts: on a desk, on a handlebar, in a hand. */
import type { ReactNode } from "react";
import { CompassRose, Decal, Flower, Leaf, Rosette } from "./ornaments.tsx";
import {
  type At,
  alongLine,
  Dots,
  Fill,
  Flat,
  Glint,
  type Paint,
  Part,
  Place,
  type Placed,
  paint,
  path,
  placed,
  round,
  Shade,
  scallopsThrough,
  Tube,
} from "./pen.tsx";
import { Head } from "./people.tsx";
import { useMotifs } from "./picture.tsx";

/**
 * A hand from the left that holds something small between thumb and finger; 0,0 is the grip. The
 * sleeve continues to the left for 240. The children are the held object, in the same units.
 */
export function PinchHand({
  skin = paint.skin1,
  sleeve = paint.peacock,
  cuff = paint.marigold,
  children,
  ...place
}: Placed & {
  skin?: Paint;
  sleeve?: Paint;
  cuff?: Paint;
  children?: ReactNode;
}) {
  const finger = "M-46-22Q-26-32-12-20L0-3";
  const palm =
    "M-92-18C-76-30-58-40-42-36C-24-34-22-18-28-8C-20-4-22 8-30 10C-26 18-36 26-46 24C-62 24-78 18-92 14z";
  return (
    <Place {...place}>
      <Tube d="M-84-2L-240 0" width={30} colour={skin} edge={3.5} />
      <path d={finger} strokeWidth="22" />
      <path d={palm} fill={skin} strokeWidth="7" />
      {children}
      <Fill d="M-6-14L-32-14L-24 6L-4 4z" colour={skin} />
      <Shade d="M-6-14L-32-14L-24 6L-4 4z" opacity={0.38} />
      <Tube d={finger} width={15} colour={skin} edge={3.5} />
      <Tube d="M-50 12Q-30 20-16 12L-2 5" width={14} colour={skin} edge={3.5} />
      <Fill d={palm} colour={skin} />
      <path d="M-30-7q-8 1-14-2M-31 9q-8 0-13-4" strokeWidth="2.4" />
      <Shade d="M-92 2C-70 4-56 12-40 24C-62 26-78 18-92 14z" opacity={0.14} />
      <g strokeLinecap="butt">
        <Tube d="M-98 0L-240 0" width={42} colour={sleeve} edge={4} />
      </g>
      <path d="M-98 16L-240 16" strokeOpacity=".17" strokeWidth="11" />
      <Tube d="M-98-22V22" width={10} colour={cuff} edge={3.5} />
    </Place>
  );
}

/**
 * A painted clay bank with its slot on top, 172 wide and 136 high; 0,0 is the middle of its foot.
 */
export function ClayBank(place: Placed) {
  const band = scallopsThrough(alongLine([-84, -76], [84, -76], 8), 0.55, 0);
  const belly =
    "M-50 0C-76-10-88-36-86-62C-84-92-58-112-28-118V-126Q-28-134-20-134H20Q28-134 28-126V-118C58-112 84-92 86-62C88-36 76-10 50 0z";
  return (
    <Place {...place}>
      <path d={belly} fill={paint.clay} />
      <Fill d={`M84-76C78-86 70-94 60-100H-60C-70-94-78-86-84-76${band}z`} colour={paint.rani} />
      <path d={`M-84-76${band}`} strokeWidth="3" />
      <path d="M-61-100H61" strokeWidth="3" />
      <Dots d="M-56-88H56" colour={paint.marigold} width={8} every={22.4} />
      <Decal x={0} y={-14} size={46} />
      <Flat fill={paint.cream}>
        <circle cx="-48" cy="-34" r="5" />
        <circle cx="48" cy="-34" r="5" />
      </Flat>
      <Shade d="M-50 0C-76-10-88-36-86-62C-84-92-58-112-28-118C-56-92-66-40-28 0z" />
      <path d="M-18-126H18" strokeWidth="7" />
      <Glint d="M54-98q14 7 20 18" width={5} />
      <path d={belly} />
    </Place>
  );
}

/** A satellite with two painted wings, 150 wide; centred on x, y. */
export const Satellite = placed(
  <>
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
  </>,
);

/**
 * A twin-bell alarm clock at half past six, 132 wide and 168 high; 0,0 is the ground between its
 * feet.
 */
export const AlarmClock = placed(
  <>
    <Tube d="M-34-22L-46-4M34-22L46-4" width={9} colour={paint.marigold} />
    <path d="M0-132V-158" strokeWidth="6" />
    <Tube d="M-16-156Q0-170 16-156" width={6} colour={paint.marigold} />
    {[-1, 1].map((side) => (
      <g key={side} transform={`rotate(${side * 34} 0 -70)`}>
        <path d="M0-138v-14" strokeWidth="6" />
        <path d="M-26-138Q-24-162 0-162Q24-162 26-138z" fill={paint.marigold} />
        <Shade d="M-26-138Q-24-162 0-162Q-12-154-12-138z" />
      </g>
    ))}
    <circle cy="-70" r="64" fill={paint.rani} />
    <Fill
      d="M-64-70A64 64 0 0 0 20-9A66 66 0 0 1-44-116A64 64 0 0 0-64-70z"
      colour={paint.line}
      opacity={0.18}
    />
    <circle cy="-70" r="49" fill={paint.cream} strokeWidth="3" />
    <Rosette at={[0, -70]} r={30} count={16} fill={paint.marigoldLight} stroke="none" />
    <path d="M0-112v8m0 68v8m-42-42h8m68 0h8" strokeWidth="4.5" />
    <path d="M0-70L-12-48M0-70V-36" strokeWidth="5.5" />
    <circle cy="-70" r="6" fill={paint.rani} strokeWidth="3" />
    <Glint d="M36-117q14 10 20 26" width={5} />
  </>,
);

/**
 * A tiffin carrier of three painted tiers, or a vacuum flask, 92 wide and 150 high; 0,0 is the
 * middle of its foot.
 */
export function Tiffin(place: Placed) {
  if (useMotifs() !== "delta") return <VacuumFlask {...place} />;
  const tiers: [top: number, colour: Paint][] = [
    [-40, paint.metal],
    [-76, paint.peacock],
    [-112, paint.metal],
  ];
  return (
    <Place {...place}>
      <Tube
        d="M-50-18V-118Q-50-148-22-148H22Q50-148 50-118V-18"
        width={6}
        colour={paint.marigold}
      />
      <path d="M-34-112Q-32-130 0-130Q32-130 34-112z" fill={paint.metal} />
      <Glint d="M10-124q10 2 15 7" width={3.5} />
      <Part d="M-7-130a7 7 0 0 1 14 0z" fill={paint.rani} />
      {tiers.map(([top, colour]) => (
        <g key={top}>
          <path d={path`M-42 ${top}h84v26q0 12-12 12h-60q-12 0-12-12z`} fill={colour} />
          <Shade d={path`M-42 ${top}h22v38h-10q-12 0-12-12z`} />
          <Tube d={path`M-46 ${top}h92`} width={3.5} colour={paint.cream} edge={2.75} />
          {colour === paint.metal && <Glint d={path`M32 ${top + 12}v14`} width={4} />}
        </g>
      ))}
      {[-22, 0, 22].map((cx, index) => (
        <Flower
          key={cx}
          x={cx}
          y={-56}
          r={10}
          colour={index === 1 ? paint.marigold : paint.cream}
          heart={paint.rani}
        />
      ))}
      <Tube d="M-44-4H44" width={6} colour={paint.marigold} />
      <Tube d="M-50-20V-106M50-20V-106" width={6} colour={paint.marigold} />
      <Tube d="M-14-148H14" width={9} colour={paint.rani} />
    </Place>
  );
}

/** A school bag seen from the front, 128 wide and 160 high; 0,0 is the middle of its foot. */
export function SchoolBag(place: Placed) {
  const scalloped = useMotifs() === "delta";
  const flap = scalloped
    ? scallopsThrough(alongLine([58, -84], [-58, -84], 6), 0.56)
    : "Q0-62-58-84";
  return (
    <Place {...place}>
      <Tube d="M-20-144V-158Q-20-170 0-170Q20-170 20-158V-144" width={7} colour={paint.marigold} />
      <path
        d="M-52-60Q-70-60-70-40V-12Q-68-4-56-4zM52-60Q70-60 70-40V-12Q68-4 56-4z"
        fill={paint.leaf}
      />
      <Shade d="M-52-60Q-70-60-70-40V-12Q-68-4-56-4z" />
      <path
        d="M-58-94C-58-134-34-150 0-150C34-150 58-134 58-94V-16Q58 0 42 0H-42Q-58 0-58-16z"
        fill={paint.leaf}
      />
      <Shade d="M-58-94C-58-130-40-146-14-149C-34-128-38-60-32 0H-42Q-58 0-58-16z" />
      <path d={`M-58-84C-60-134-34-150 0-150C34-150 58-134 58-84${flap}z`} fill={paint.marigold} />
      <Fill d="M-44-92C-44-126-24-138 0-138C24-138 44-126 44-92z" colour={paint.marigoldLight} />
      <Decal x={0} y={-96} size={46} outer={paint.rani} />
      <Part d="M-36-46H36V-12Q36-8 30-8H-30Q-36-8-36-12z" fill={paint.leaf} />
      <path d="M-36-34H36" strokeWidth="2.6" />
      <Part d="M-9-82h18v26q-9 8-18 0z" fill={paint.cream} />
      <Glint d="M40-126q8 8 10 20" width={4} />
    </Place>
  );
}

/**
 * An open-face helmet as a sign painter would paint it, about 330 wide and 270 high; centred on x,
 * y.
 */
export function BigHelmet(place: Placed) {
  const edge = "M146-26C100-36 58-34 42-12C22 18 18 62 4 100";
  const shell = `M-142 52C-168-74-108-148 12-148C108-148 152-98 146-26${edge.slice(7)}C-40 118-118 112-142 52z`;
  const hem = alongLine([-136, 60], [4, 98], 7);
  return (
    <Place {...place}>
      <path
        d="M40-30C90-46 140-44 144-28C156 26 140 84 104 116C74 128 30 122 2 100z"
        fill={paint.inside}
      />
      <Part
        d="M52-10C84-26 118-28 134-20C140 24 128 70 98 100C76 108 44 104 26 92C40 60 38 22 52-10z"
        fill={paint.brick}
      />
      <path
        d="M66 0q32-14 62-8M56 34q36-10 72 0M50 66q34-2 64 12"
        strokeWidth="2.6"
        strokeOpacity=".6"
      />
      <Tube d="M104 108C108 130 104 146 112 160" width={10} colour={paint.line} edge={0} />
      <Tube d="M6 96C2 128 14 146 34 156" width={12} colour={paint.cream} />
      <path d="M26 138l26-2 6 28-28 4z" fill={paint.metal} />
      <path d="M35 147l9-1 2 9-9 2z" fill={paint.line} strokeWidth="2.4" />
      <path d={shell} fill={paint.peacock} />
      <Shade
        d="M-142 52C-168-74-108-148 12-148C-104-118-124 20-84 98C-112 94-132 78-142 52z"
        opacity={0.22}
      />
      <HelmetPainting />
      <Part
        d={`M-136 60${useMotifs() === "delta" ? scallopsThrough(hem, 0.56) : "Q-70 96 4 76V100"}C-40 118-118 112-136 60z`}
        fill={paint.marigold}
      />
      <Dots d="M-114 78Q-64 97-20 96" colour={paint.rani} width={7} every={16} />
      <Glint d="M34-132q44 4 68 30M112-88q5 7 8 15" width={8} />
      <path d={shell} />
      <Tube d={edge} width={9} colour={paint.cream} />
      <path
        d="M64-50C104-66 150-66 186-52q14 8 8 24q-8 10-22 4C140-34 104-34 70-20Q54-34 64-50z"
        fill={paint.rani}
      />
      <Dots d="M80-42q48-14 96 2" colour={paint.marigold} width={7} every={16} />
      <circle cx="70" cy="-34" r="13" fill={paint.marigold} />
      <circle cx="70" cy="-34" r="4.5" fill={paint.line} stroke="none" />
    </Place>
  );
}

/** Painting on a helmet's side: feathers around a lotus in the delta, otherwise a compass rose. */
function HelmetPainting() {
  if (useMotifs() !== "delta") return <Decal x={-46} y={34} size={150} />;
  return (
    <>
      {[-140, -115, -90, -65, -40].map((turn) => (
        <g key={turn} transform={`translate(-46 32)rotate(${turn})scale(.82)`}>
          <Fill
            d="M0 0C40-12 70-30 98-30A30 30 0 0 1 98 30C70 30 40 12 0 0z"
            colour={paint.leafLight}
          />
          <Fill
            d="M40 0C60-10 80-20 98-20A20 20 0 0 1 98 20C80 20 60 10 40 0z"
            colour={paint.marigold}
          />
          <circle cx="100" r="12" fill={paint.rani} stroke="none" />
          <circle cx="103" r="5" fill={paint.cream} stroke="none" />
        </g>
      ))}
      {[-74, 74, -44, 44, -16, 16].map((turn) => (
        <Leaf key={turn} x={-46} y={50} turn={turn - 90} length={52} colour={paint.rani} />
      ))}
      <Leaf x={-46} y={50} turn={-90} length={54} colour={paint.cream} />
      <Leaf x={-46} y={50} turn={-90} length={28} colour={paint.marigold} />
    </>
  );
}

/** A notebook open at one page of columns, 250 wide and 250 high; 0,0 is its upper left corner. */
export const ColumnBook = placed(
  <>
    <path d="M14 10H258q8 0 8 8V268q0 8-8 8H14z" fill={paint.leaf} />
    <path d="M10 0H246q8 0 8 8V252q0 8-8 8H10q-8 0-8-8V8q0-8 8-8z" fill={paint.cream} />
    <Shade d="M10 0H34V260H10q-8 0-8-8V8q0-8 8-8z" opacity={0.12} />
    <Part d="M34 24H240V66H34z" fill={paint.marigold} />
    <path d="M124 24V246M182 24V246" strokeWidth="3" />
    <path
      d="M40 108h196M40 136h196M40 164h196M40 192h196M40 220h196"
      strokeOpacity=".25"
      strokeWidth="2.4"
    />
    <path
      d="M44 96h46M44 124h58M44 152h38M44 180h52M44 208h44"
      stroke={paint.peacock}
      strokeWidth="7"
    />
    <path
      d="M136 96h30M136 124h18M136 152h34M136 180h22M136 208h28"
      stroke={paint.rani}
      strokeWidth="7"
    />
    <path
      d="M198 96l7 7l14-16M198 124l7 7l14-16M198 152l7 7l14-16"
      stroke={paint.leaf}
      strokeWidth="5"
    />
    <path
      d="M46 48a9 9 0 1 0 18 0a9 9 0 1 0-18 0m30 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0M55 48l9-14h14l7 14M64 34l10 14"
      strokeWidth="3"
    />
    <circle cx="153" cy="45" r="13" fill={paint.cream} strokeWidth="3" />
    <path d="M149 39q4-2 5 2v6q0 5 5 3M148 44h9" strokeWidth="2.6" />
    <path d="M200 46l8 8l15-18" stroke={paint.cream} strokeWidth="6" />
    {[28, 68, 108, 148, 188, 228].map((cy) => (
      <Tube key={cy} d={path`M-10 ${cy}q12-12 28 0`} width={5} colour={paint.metal} edge={2.6} />
    ))}
  </>,
);

/** A painted pencil from 0,0 (its tip) to the right, 190 long. */
export const Pencil = placed(
  <>
    <path d="M0 0L34-15V15z" fill={paint.cream} />
    <Fill d="M0 0L14-6V6z" colour={paint.line} />
    <path d="M34-15l7 7-5 8 5 8-7 7H160V-15z" fill={paint.rani} />
    <Shade d="M36 4H160V15H34z" opacity={0.2} />
    <Dots d="M52-6H150" colour={paint.marigold} width={4.5} every={13} />
    <path d="M156-16h18v32h-18z" fill={paint.metal} />
    <path d="M174-15h10q10 4 10 15t-10 15h-10z" fill={paint.marigold} />
  </>,
);

const card = "M-83-62H83q12 0 12 12V50q0 12-12 12H-83q-12 0-12-12V-50q0-12 12-12z";

/** A licence card with its portrait, 190 wide and 124 high; 0,0 is its centre. */
export const LicenceCard = placed(
  <>
    <path d={card} fill={paint.cream} />
    <path d="M-95-30V-50q0-12 12-12H83q12 0 12 12V-30z" fill={paint.peacock} />
    <path d="M-78-46h84" stroke={paint.cream} strokeWidth="7" />
    <Rosette at={[72, -46]} r={9} count={8} fill={paint.marigold} stroke="none" />
    <Part d="M-84-18h66v68h-66z" fill={paint.sky} />
    <Part d="M-82 50q4-22 31-22q27 0 31 22z" fill={paint.rani} />
    <Tube d="M-51 22v8" width={11} colour={paint.skin2} />
    <Head x={-52} y={9} r={17} look={{ skin: paint.skin2, headwear: "bun" }} />
    <path d="M4-8h72M4 12h54" strokeWidth="7" strokeOpacity=".8" />
    <path d="M4 38l8-8 8 10 8-10 8 8 8-6" stroke={paint.rani} strokeWidth="4.5" />
    <path d={card} />
  </>,
);

/**
 * A key on a ring with a painted tag, about 150 long; 0,0 is the middle of its bow, and the blade
 * points right.
 */
export const BikeKey = placed(
  <>
    <path d="M22-8H104l12 8-12 8H92v9H80V8H70v6H58V8H22z" fill={paint.metal} />
    <path d="M34-1h66" strokeWidth="2.6" />
    <path d="M-30 0q0-28 30-28h14q16 0 16 16v24q0 16-16 16H0q-30 0-30-28z" fill={paint.line} />
    <Glint d="M8-19q12 0 13 10" width={4} />
    <circle cx="-12" r="8" fill={paint.road} strokeWidth="3" />
    <Tube d="M-12 0a20 20 0 1 0-30 18" width={3} colour={paint.metal} edge={2.5} />
    <g transform="translate(-46 18)rotate(170)">
      <path d="M-4-12H56q16 0 16 12t-16 12H-4q-8 0-8-12t8-12z" fill={paint.rani} />
      <Dots d="M14 0H58" colour={paint.marigold} width={7} every={14} />
      <circle cx="0" r="3.5" fill={paint.line} stroke="none" />
    </g>
  </>,
);

/** A candle on a painted saucer, 96 wide and 190 high; 0,0 is the middle of the saucer's foot. */
export const Candle = placed(
  <>
    <path d="M-24-16V-104Q-24-112-16-112Q-6-104 2-112Q14-116 24-106V-16z" fill={paint.cream} />
    <Shade d="M-24-16V-104Q-24-112-16-112Q-10-107-6-108V-16z" />
    <Part d="M9-110Q24-114 24-98V-82q0 9-7.5 9t-7.5-9z" fill={paint.cream} />
    <path d="M0-110V-128" strokeWidth="4.5" />
    <path
      d="M0-190C6-170 22-158 20-138C18-122 8-116 0-116C-10-116-20-124-20-138C-20-154-6-164 0-190z"
      fill={paint.marigold}
    />
    <Fill
      d="M1-160C5-150 11-144 10-134Q8-122 0-122Q-9-123-9-134C-9-144-2-150 1-160z"
      colour={paint.cream}
    />
    <path d="M-52-22H52Q50 0 26 0H-26Q-50 0-52-22z" fill={paint.rani} />
    <Dots d="M-38-11H38" colour={paint.marigold} width={6} every={15} />
    <Tube d="M50-20q20-6 20 8t-26 8" width={3.5} colour={paint.rani} edge={2.75} />
  </>,
);

/**
 * A power bank on its side with its four lights, 120 wide and 62 high; 0,0 is the middle of its
 * foot.
 */
export const PowerBank = placed(
  <>
    <path
      d="M-46-62H46q14 0 14 14V-14q0 14-14 14H-46q-14 0-14-14V-48q0-14 14-14z"
      fill={paint.peacock}
    />
    <Shade d="M-46-62H-26V0H-46q-14 0-14-14V-48q0-14 14-14z" opacity={0.25} />
    <Part d="M24-50L8-28H22L16-12L36-36H22z" fill={paint.marigold} />
    <Dots d="M-40-16H-10" colour={paint.leafLight} width={7} every={11} />
    <Decal x={-22} y={-28} size={30} outer={paint.rani} />
    <Glint d="M36-54q14 0 16 10" width={3.5} />
  </>,
);

/**
 * A hand holding a phone of width 124 upright from below: thumb on the near edge, fingertips on the
 * far one. 0,0 is the middle of the phone, which is the children.
 */
export function PhoneHand({ children, ...place }: At & { children: ReactNode }) {
  const skin = paint.skin2;
  const thumb = "M58 112Q80 76 57 30";
  return (
    <Place {...place}>
      <Tube d="M31 118L96 250" width={46} colour={skin} edge={4} />
      <path d="M6.2 134C-37.2 122 -70 104 -60 52L58 40C84 54 78 106 58.9 130z" fill={skin} />
      <path d="M31 118L50.5 157.6" stroke={skin} strokeWidth="46" />
      <g strokeLinecap="butt">
        <Tube d="M50.5 157.6L96 250" width={60} colour={paint.marigold} edge={4} />
      </g>
      <Tube d="M18.5 167.6l64-26" width={11} colour={paint.cream} edge={3.5} />
      {children}
      {[44, 66, 88].map((cy) => (
        <Tube key={cy} d={path`M-66 ${cy}l14-3`} width={15} colour={skin} edge={3.5} />
      ))}
      <path d={thumb} strokeWidth="29" />
      <path d="M49 124L56 108" stroke={skin} strokeWidth="21" />
      <path d={thumb} stroke={skin} strokeWidth="21" />
      <path d="M56 29l4 9" stroke={paint.cream} strokeOpacity=".6" strokeWidth="5" />
    </Place>
  );
}

/**
 * Rows of symbols in place of a number plate's text, the same on the plate and on the screen beside
 * it.
 */
export const PlateSigns = placed(
  <>
    <path d="M-52-15h30M-8-15h18M24-15h28" strokeWidth="11" />
    <path d="M-48 16h.1M-22 16h22M24 16h.1M48 16h.1" strokeWidth="16" />
  </>,
);

/**
 * A motorbike seen from behind with its number plate, 190 wide and 270 high; 0,0 is the ground
 * under its wheel.
 */
export const BikeTail = placed(
  <>
    <Tube d="M-88-216Q-60-230-34-208M88-216Q60-230 34-208" width={8} colour={paint.metal} />
    <path d="M-96-214l18-7M96-214l-18-7" strokeWidth="17" />
    {[false, true].map((mirror) => (
      <Place key={`${mirror}`} mirror={mirror}>
        <path d="M64-222l14-28" strokeWidth="5" />
        <path d="M62-274H104q8 0 6 8l-6 20q-2 6-8 6H74q-6 0-8-6l-8-22q-2-6 4-6z" fill={paint.sky} />
        <Glint d="M92-264q6 2 5 8" width={3.5} />
      </Place>
    ))}
    <path d="M-30-20V-150H30V-20Q30 2 0 2Q-30 2-30-20z" fill={paint.tyre} />
    <path
      d="M-14-40v-60m28 60v-60M0-34v-66"
      stroke={paint.tyreFar}
      strokeWidth="5"
      strokeDasharray="9 9"
    />
    <Tube d="M54-66L58-18" width={20} colour={paint.metal} />
    <Tube d="M-44-70V-150M44-70V-150" width={12} colour={paint.marigold} />
    <path d="M-44-210Q-40-236 0-236Q40-236 44-210L58-160H-58z" fill={paint.line} />
    <path d="M-60-164Q-56-190 0-190Q56-190 60-164L44-138H-44z" fill={paint.rani} />
    <Shade d="M-60-164Q-56-186-24-189Q-36-170-28-138H-44z" />
    <Part d="M-24-172H24Q30-160 18-152H-18Q-30-160-24-172z" fill={paint.brick} />
    <path d="M-12-165H14" stroke={paint.cream} strokeWidth="4" />
    <Part
      d="M-78-156l20 2v16l-20 2q-8-10 0-20zM78-156l-20 2v16l20 2q8-10 0-20z"
      fill={paint.marigold}
    />
    <path d="M-66-128H66q8 0 8 8V-58q0 8-8 8H-66q-8 0-8-8v-62q0-8 8-8z" fill={paint.cream} />
    <path d="M-62-117H62V-61H-62z" stroke={paint.leaf} strokeWidth="3" />
    <PlateSigns x={0} y={-92} scale={0.86} />
  </>,
);

/**
 * A price tag hanging from 0,0 by its string, 74 wide and about 120 high. `coins` is the number of
 * its price dots.
 */
export function PriceTag({ colour, coins, turn }: { colour: Paint; coins: number; turn: number }) {
  return (
    <Place turn={turn}>
      <path d="M0-4C-14 16 14 24 0 46" strokeWidth="3" stroke={paint.wire} />
      <path d="M-18 32H18L40 56V130q0 8-8 8H-32q-8 0-8-8V56z" fill={colour} />
      <Shade d="M-18 32H-8L-22 58V138H-32q-8 0-8-8V56z" />
      <circle cy="50" r="7" fill={paint.cream} strokeWidth="3" />
      <path d="M0-4C-14 16 14 24 0 48" strokeWidth="3" />
      {Array.from({ length: coins }, (_, index) => 92 + ((coins - 1) / 2 - index) * 20).map(
        (cy) => (
          <g key={cy} transform={`translate(0 ${round(cy)})`}>
            <ellipse rx="22" ry="10" fill={paint.marigold} strokeWidth="3" />
            <path d="M-8-3h14" stroke={paint.cream} strokeWidth="3" />
          </g>
        ),
      )}
    </Place>
  );
}

/** Open scissors pointing right, 130 long; 0,0 is their screw. */
export const Scissors = placed(
  <>
    <path d="M-12 8L66-28Q60-10 8 10z" fill={paint.metal} />
    <path d="M-12-8L66 28Q60 10 8-10z" fill={paint.metal} />
    {[-1, 1].map((side) => (
      <g key={side} transform={`rotate(${side * 24})`}>
        <Tube d="M4 0H-22" width={7} colour={paint.rani} />
        <circle cx="-40" r="17" strokeWidth="14" />
        <circle cx="-40" r="17" stroke={paint.rani} strokeWidth="7" />
      </g>
    ))}
    <circle r="6" fill={paint.marigold} strokeWidth="3" />
  </>,
);

/**
 * The campus gate in brick, 300 wide and 226 high; 0,0 is the middle of its foot. The children
 * appear behind its arch.
 */
export function CampusGate({ children, ...place }: Placed & { children?: ReactNode }) {
  return (
    <Place {...place}>
      {children}
      <path d="M-62-6V-60M-46-4V-62M-30-2V-60M62-6V-60M46-4V-62M30-2V-60" strokeWidth="4.5" />
      <path d="M-66-52H-22M-66-22H-22M66-52H22M66-22H22" strokeWidth="4.5" />
      {useMotifs() === "delta" ? <PointedGate /> : <GabledGate />}
    </Place>
  );
}

/**
 * The two pillars of the gate. The children are drawn on both, starting at the middle of the foot.
 */
function Pillars({ children }: { children: ReactNode }) {
  return [-1, 1].map((side) => (
    <g key={side} transform={`translate(${side * 128} 0)`}>
      <path d="M-24 0V-176H24V0z" fill={paint.brick} />
      <Shade d="M-24 0V-176H-8V0z" />
      <path d="M-22-130H22M-22-44H22" stroke={paint.cream} strokeWidth="6" />
      {children}
      <path d="M-30 0V-14H30V0z" fill={paint.cream} />
    </g>
  ));
}

/** The stonework of the gate with a pointed arch; 0,0 is the middle of its foot. */
function PointedGate() {
  const arch = "M-66 0V-96C-66-136-26-142 0-166C26-142 66-136 66-96V0";
  return (
    <>
      <path
        d={`M-112 0V-186H-84Q-70-186-64-200Q-46-228 0-234Q46-228 64-200Q70-186 84-186H112V0H66V-96C66-136 26-142 0-166C-26-142-66-136-66-96V0z`}
        fill={paint.brick}
      />
      <Shade d="M-112 0V-186H-96V0z" />
      <Tube d={arch} width={8} colour={paint.cream} edge={3.5} />
      <path
        d="M-108-176H-82Q-64-176-56-192Q-42-214 0-222Q42-214 56-192Q64-176 82-176H108"
        stroke={paint.cream}
        strokeWidth="5"
      />
      <Decal x={0} y={-176} size={40} />
      <Flower x={-84} y={-148} r={11} />
      <Flower x={84} y={-148} r={11} />
      <Pillars>
        <Part d="M-11-58V-92Q-11-104 0-112Q11-104 11-92V-58z" fill={paint.cream} />
        <path d="M-5-60V-90Q-4-98 0-101Q4-98 5-90V-60z" fill={paint.inside} stroke="none" />
        <path d="M-30-190H30V-176H-30z" fill={paint.cream} />
        <Part
          d={`M-26-190${scallopsThrough(alongLine([-26, -190], [26, -190], 4), 0.56)}z`}
          fill={paint.marigold}
        />
      </Pillars>
    </>
  );
}

/**
 * The stonework of the gate with a stepped gable, 304 wide and 234 high; 0,0 is the middle of its
 * foot.
 */
function GabledGate() {
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
      <CompassRose y={-182} r={25} />
      <Pillars>
        <Part d="M-9-62V-110H9V-62z" fill={paint.inside} />
        <path d="M0-63V-109M-8-86H8" stroke={paint.cream} strokeWidth="3" />
        <path d="M-30-178L0-206L30-178z" fill={paint.tyreFar} />
      </Pillars>
    </>
  );
}

const guideBoards: [top: number, toRight: boolean, colour: Paint][] = [
  [-178, true, paint.marigold],
  [-136, false, paint.peacock],
  [-94, true, paint.rani],
];

/** A wooden signpost with boards to both sides, 130 wide and 190 high; 0,0 is its foot. */
export const GuidePost = placed(
  <>
    <Tube d="M0-4V-184" width={11} colour={paint.wood} />
    {guideBoards.map(([top, toRight, colour]) => (
      <Place key={top} y={top} mirror={!toRight}>
        <path d="M-36 0H42L62 17L42 34H-36q-5 0-5-5V5q0-5 5-5z" fill={colour} />
        <Shade d={toRight ? "M-36 0H-20V34H-36q-5 0-5-5V5q0-5 5-5z" : "M42 0L62 17L42 34H30V0z"} />
        <path
          d="M-20 17H28"
          stroke={colour === paint.marigold ? paint.line : paint.cream}
          strokeWidth="7"
        />
      </Place>
    ))}
  </>,
);

/** A warning triangle on its foot, 124 wide and 122 high; 0,0 is the middle of its foot. */
export const WarningTriangle = placed(
  <>
    <path d="M-44 0L-20-16H20L44 0z" fill={paint.line} />
    <path d="M0-114L56-16H-56z" strokeWidth="27" />
    <path d="M0-114L56-16H-56z" fill={paint.cream} stroke={paint.brick} strokeWidth="19" />
    <Part d="M0-92L38-26H-38z" fill={paint.cream} />
    <path d="M0-70V-50" strokeWidth="9" />
    <path d="M0-35v.1" strokeWidth="10" />
    <path d="M10-112L26-84" stroke={paint.cream} strokeWidth="4.5" />
  </>,
);

/** A first-aid box with its handle, 118 wide and 104 high; 0,0 is the middle of its foot. */
export const AidBox = placed(
  <>
    <Tube d="M-22-80V-94Q-22-102-14-102H14Q22-102 22-94V-80" width={7} colour={paint.cream} />
    <path
      d="M-47-82H47q12 0 12 12V-12q0 12-12 12H-47q-12 0-12-12V-70q0-12 12-12z"
      fill={paint.leaf}
    />
    <Shade d="M-47-82H-34V0H-47q-12 0-12-12V-70q0-12 12-12z" />
    <path d="M-57-62H57" strokeWidth="3.4" />
    <Part d="M-38-68h14v13h-14zM24-68h14v13H24z" fill={paint.marigold} />
    <circle cy="-36" r="25" fill={paint.cream} strokeWidth="3" />
    <path d="M0-51v30M-15-36h30" stroke={paint.leaf} strokeWidth="11" strokeLinecap="butt" />
    <Glint d="M34-74q14 0 16 8" width={4} />
  </>,
);

/**
 * A graduation cap with its tassel, about 190 wide and 120 high; centred on the button of its
 * board.
 */
export const GraduationCap = placed(
  <>
    <path d="M-56 6V44Q-50 66 0 68Q50 66 56 44V6z" fill={paint.peacock} />
    <Shade d="M-56 6V44Q-52 58-30 64V14z" opacity={0.26} />
    <Dots d="M-54 42Q-44 58 0 60Q44 58 54 42" colour={paint.marigold} width={6} every={13} />
    <path d="M0-44L98 0L0 44L-98 0z" fill={paint.peacock} />
    <Shade d="M-98 0L0-44L10-39L-80 8z" opacity={0.2} />
    <path d="M0-32L72 0L0 32L-72 0z" stroke={paint.marigold} strokeWidth="3" />
    <Glint d="M46-14L72-3" width={4} />
    <Tube d="M0 0Q50 4 72 16V62" width={3.5} colour={paint.marigold} edge={2.75} />
    <path d="M64 60h16l6 38q-14 6-28 0z" fill={paint.marigold} strokeWidth="3.4" />
    <path d="M64 68h16" stroke={paint.rani} strokeWidth="5" />
    <path d="M69 78l-2 18m10-18l2 18" strokeWidth="2.2" />
    <circle r="7" fill={paint.rani} strokeWidth="3" />
  </>,
);

/**
 * A vacuum flask with its mug beside it, steaming, 92 wide and 150 high; 0,0 is the middle of their
 * feet.
 */
const VacuumFlask = placed(
  <>
    <path d="M-32-150H4q6 0 6 6v24H-38v-24q0-6 6-6z" fill={paint.metal} />
    <Shade d="M-32-150H-22V-120H-38v-24q0-6 6-6z" />
    <path
      d="M-40-122H12q6 4 6 14V-10q0 10-10 10H-36q-10 0-10-10V-108q0-10 6-14z"
      fill={paint.peacock}
    />
    <Shade d="M-40-122H-26V0H-36q-10 0-10-10V-108q0-10 6-14z" />
    <path d="M-46-96H18M-46-24H18" stroke={paint.cream} strokeWidth="6" />
    <path d="M-46-101H18M-46-91H18M-46-29H18M-46-19H18" strokeWidth="2.4" />
    <CompassRose x={-14} y={-60} r={22} />
    <Glint d="M6-86v16" width={4} />
    <Tube d="M50-34q14 0 14 10t-14 10" width={5} colour={paint.rani} />
    <path d="M14-44H52V-8q0 8-8 8H22q-8 0-8-8z" fill={paint.rani} />
    <Shade d="M14-44H24V0H22q-8 0-8-8z" />
    <path d="M14-40H52" stroke={paint.cream} strokeWidth="3.5" />
    <path d="M26-56q-6-7 0-13t0-12M40-56q-6-7 0-13t0-12" stroke={paint.wire} strokeWidth="3.5" />
  </>,
);
