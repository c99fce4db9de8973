/** Pictures of notices: an error, an empty category, a missing post, no work left. */

import type { HeroVehicle } from "../../campus-reader/choices.ts";
import { looks } from "./looks.ts";
import { Decal, Flower, Leaf, PaleDisc, Rosette, Sun } from "./ornaments.tsx";
import {
  Dots,
  Fill,
  Glint,
  GroundShadow,
  Part,
  Place,
  paint,
  path,
  placed,
  polar,
  Shade,
  scallopRing,
  Tube,
} from "./pen.tsx";
import { Person } from "./people.tsx";
import { drawing, type Picture, useMotifs } from "./picture.tsx";
import { Cloud, FarTrees, RainTree, Tuft } from "./scenery.tsx";
import { Motorbike, Wheel } from "./vehicles.tsx";

/** A rickshaw's front wheel sits on its rim. */
function FlatRickshawWheel() {
  const spokes = Array.from({ length: 8 }, (_, index) => {
    const [x, y] = polar(index * 22.5 + 8, 62);
    return path`M${200 + x} ${196 + y}L${200 - x} ${196 - y}`;
  }).join("");
  const tyre =
    "M200 100A96 96 0 0 1 284 242C300 250 318 262 312 276Q308 286 292 286H108Q92 286 88 276C82 262 100 250 116 242A96 96 0 0 1 200 100z";
  return (
    <>
      <GroundShadow x={206} y={288} rx={150} ry={9} />
      <Tube d="M-10 92L122 60M-10 214L40 214L132 84" width={13} colour={paint.marigold} />
      <path d={tyre} fill={paint.tyre} strokeWidth="5" />
      <path
        d="M104 268q-2 6 6 6h60M230 274h60q8 0 6-6"
        stroke={paint.cream}
        strokeWidth="4"
        strokeOpacity=".8"
      />
      <circle cx="200" cy="196" r="72" fill={paint.sky} />
      <path d={spokes} stroke={paint.wire} strokeWidth="2.4" />
      <circle cx="200" cy="196" r="67" stroke={paint.marigold} strokeWidth="9" />
      <circle cx="200" cy="196" r="61" strokeWidth="2.5" />
      <Tube d="M112 182A92 92 0 0 1 262 122" width={15} colour={paint.cream} edge={3.5} />
      <Dots d="M112 182A92 92 0 0 1 262 122" colour={paint.rani} width={9} every={21} />
      <Tube d="M122 52L152 128Q164 168 200 196" width={13} colour={paint.marigold} />
      <Rosette at={[200, 196]} r={15} count={8} fill={paint.rani} strokeWidth="3.5" />
      <circle cx="200" cy="196" r="5" fill={paint.marigold} stroke="none" />
      <path d="M74 52l-10 32m18-30l0 34m10-36l10 30" stroke={paint.rani} strokeWidth="5" />
      <Tube d="M118 54L112 30Q130 12 150 32Q158 46 148 54" width={9} colour={paint.cream} />
      <Tube d="M60 50L112 34" width={14} colour={paint.rani} />
      <path d="M118 16a15 15 0 0 1 30 0z" fill={paint.marigold} />
    </>
  );
}

/** The front tyre lost its air to a nail. */
function flatTyre(vehicle: HeroVehicle) {
  return drawing(
    { name: "flat-tyre", width: 480, height: 320, ground: paint.field },
    <>
      <Sun x={470} y={70} r={92} scallops={22} />
      <FarTrees x={0} y={264} width={480} />
      <Fill d="M0 262h480v58h-480z" colour={paint.road} />
      <path d="M-4 262h488" />
      {vehicle === "rickshaw" ? (
        <FlatRickshawWheel />
      ) : (
        <>
          <GroundShadow x={150} y={290} rx={206} ry={9} />
          {/* Cut off behind its tank. */}
          <Motorbike
            x={-158}
            y={286}
            scale={1.55}
            driver={null}
            passenger={null}
            pane={paint.sky}
            flat
          />
        </>
      )}
      <g strokeWidth="3">
        <path d="M318 262l24-10 2 5-23 11z" fill={paint.metal} />
        <path d="M340 246l8 16" strokeWidth="6" />
      </g>
      <path d="M352 236l16-14m-6 26l22-8m-20 20h20" stroke={paint.wire} strokeWidth="4.5" />
      <g fill={paint.cream} strokeWidth="3.5">
        <path d={scallopRing([394, 206], 18, 15, 7, { jitter: 0.2 })} />
        <path d={scallopRing([416, 244], 15, 12, 7, { jitter: 0.2 })} />
        <path d={scallopRing([432, 188], 10, 9, 6, { jitter: 0.2 })} />
      </g>
    </>,
  );
}

/** The shelf's back with its gable: pointed with curves in the delta, otherwise straight. */
function ShelfBoard() {
  const gable =
    useMotifs() === "delta"
      ? "Q104 62 124 58Q206 48 240 18Q274 48 356 58Q376 62 376 78"
      : "V66L240 16L376 66V78";
  return <path d={`M104 294V78${gable}V294H356V280H124V294z`} fill={paint.rani} />;
}

/** Painting along the shelf's gable. */
function ShelfMoulding() {
  const curved = useMotifs() === "delta";
  const d = curved ? "M112 86Q208 76 240 50Q272 76 368 86" : "M118 72L240 29L362 72";
  return <path d={d} stroke={paint.marigold} strokeWidth="5" />;
}

/** An empty painted shelf, used by a cat. */
const emptyShelf = drawing(
  { name: "empty-shelf", width: 480, height: 320, ground: paint.sky },
  <>
    <PaleDisc x={240} y={150} r={150} />
    <Fill d="M0 276h480v44h-480z" colour={paint.road} />
    <path d="M-4 276h488" />
    <GroundShadow x={240} y={294} rx={158} ry={8} />
    <ShelfBoard />
    <path d="M126 96H354V172H126z" fill={paint.inside} />
    <path d="M126 190H354V262H126z" fill={paint.inside} />
    <Shade d="M126 96h26v76h-26zM126 190h26v72h-26z" opacity={0.4} />
    <path d="M116 172H364V190H116zM116 262H364V280H116z" fill={paint.marigold} />
    <Dots d="M128 181H354M128 271H354" colour={paint.rani} width={6} every={17} />
    <ShelfMoulding />
    <Decal x={240} y={84} size={38} />
    <Flower x={150} y={74} r={9} />
    <Flower x={330} y={74} r={9} />
    <Glint d="M274 40q24 14 50 20" />
    <path
      d="M126 112q26 2 30-16m-30 34q44 0 48-34M126 96l34 30"
      stroke={paint.cream}
      strokeWidth="2"
      strokeOpacity=".75"
    />
    <path
      d="M188 172C176 140 206 116 250 118C296 118 322 138 318 160Q317 172 304 172z"
      fill={paint.clay}
    />
    <path d="M236 119l3 17m20-17l-1 18m22-13l-5 16" strokeWidth="5" strokeOpacity=".55" />
    <Tube d="M300 168C330 170 340 152 326 146" width={10} colour={paint.clay} edge={3.5} />
    <path
      d="M178 146L180 120L197 131Q206 129 215 131L232 120L234 146C234 162 222 172 206 172C190 172 178 162 178 146z"
      fill={paint.clay}
    />
    <Fill d="M196 158q10-8 20 0q-1 11-10 12q-9-1-10-12z" colour={paint.cream} />
    <path d="M188 150q5 5 10 0m16 0q5 5 10 0m-21 9h6l-3 3z" strokeWidth="3" />
    <path d="M184 158l-16-3m16 8l-14 3m58-8l14-3m-14 8l12 3" strokeWidth="2" stroke={paint.cream} />
    <path d="M160 262L146 210l34-9 14 61z" fill={paint.peacock} />
    <path d="M153 236l35-9m-37-1l35-9" stroke={paint.marigold} strokeWidth="4" />
  </>,
);

/** A page that flew away and hangs in the rain tree, out of reach. */
const lostPage = drawing(
  { name: "lost-page", width: 480, height: 320, ground: paint.sky },
  <>
    <Cloud x={80} y={70} scale={0.8} />
    <FarTrees x={0} y={246} width={480} />
    <Fill d="M0 242h480v78h-480z" colour={paint.lawn} />
    <GroundShadow x={330} y={294} rx={80} ry={8} />
    <RainTree x={322} y={292} scale={1.46} />
    <path
      d="M10 110q34-62 92-40t108 4"
      stroke={paint.cream}
      strokeWidth="4"
      strokeDasharray="2 12"
    />
    <Place x={258} y={112} turn={-16}>
      <path d="M-36-50H20L38-32V50Q18 42 0 50T-36 48z" fill={paint.cream} />
      <Part d="M20-50V-32H38z" fill={paint.marigold} />
      <path d="M-24-30H8" stroke={paint.rani} strokeWidth="8" />
      <path d="M-24-10H24M-24 6H24M-24 22H6" strokeWidth="5" />
    </Place>
    <Tube d="M222 156q10-16 26-10q10 8 26-2" width={4} colour={paint.wood} edge={2.5} />
    <Leaf x={236} y={150} turn={140} length={24} colour={paint.leafLight} />
    <Leaf x={270} y={146} turn={40} length={26} colour={paint.leafLight} />
    <GroundShadow x={104} y={296} rx={44} ry={6} />
    <Person
      x={100}
      y={294}
      r={21}
      pose="reach"
      look={{ ...looks.student, backpack: paint.peacock, top: paint.rani, skin: paint.skin2 }}
      farHand={[3.1, 9.3]}
      nearHand={[2.7, 8.8]}
      headTurn={-14}
    />
    <Tuft x={200} y={288} />
    <Tuft x={444} y={304} scale={0.8} />
  </>,
);

const bicycleFrame = "M-12-54L-36-140M-30-118L66-128M-12-54L70-112M-34-130L-86-58L-12-54";

/** A bicycle on its stand, 300 wide and 200 high; 0,0 is the ground between its wheels. */
const Bicycle = placed(
  <>
    <Tube d="M-34-56L-54-2h-14" width={5} colour={paint.metal} />
    <Wheel x={-86} y={-58} r={56} tyre={0.13} />
    <Wheel x={92} y={-58} r={56} tyre={0.13} />
    <Tube d="M-149.8 -62.5A64 64 0 0 1 -38.4 -100.8" width={7} colour={paint.rani} />
    <Tube d="M36.6 -90A64 64 0 0 1 145.1 -93.8" width={7} colour={paint.rani} />
    <Tube d="M-144-132H-44M-132-130L-86-58" width={5} colour={paint.metal} />
    <Tube d={bicycleFrame} width={10} colour={paint.peacock} />
    <Tube d="M60-158L70-112Q76-84 92-58" width={10} colour={paint.peacock} />
    <path
      d="M-86-66L-12-72q18 0 20 18q-2 18-20 18L-86-50z"
      fill={paint.marigold}
      strokeWidth="3.5"
    />
    <Glint d="M-64-62L-18-65" width={3} />
    <circle cx="-12" cy="-54" r="7" fill={paint.cream} strokeWidth="3" />
    <path d="M-12-54L4-32" strokeWidth="6" />
    <path d="M-6-29H16" strokeWidth="8" />
    <Tube d="M-36-140L-40-158" width={6} colour={paint.metal} />
    <path
      d="M-72-164Q-50-174-14-166Q-10-156-24-156Q-48-150-66-152Q-76-156-72-164z"
      fill={paint.wood}
    />
    <Glint d="M-60-163q16-4 28-2" width={3} />
    <g strokeWidth="3">
      <path d="M78-168H146L136-112H88z" fill={paint.marigold} />
      <path d="M82-150H143M85-131H139M95-168l3 56M112-168v56M129-168l-3 56" strokeWidth="2.2" />
      <path d="M74-168H150" strokeWidth="7" />
    </g>
    <Shade d="M78-168h18l2 56h-10z" />
    <Tube d="M60-158L56-176Q52-188 36-188" width={6} colour={paint.metal} />
    <path d="M40-188H14" strokeWidth="12" />
    <path d="M38-188H18" stroke={paint.rani} strokeWidth="6" />
    <Part d="M50-190a9 8 0 0 1 17 3z" fill={paint.marigold} />
  </>,
);

/** No work left: a bicycle on its stand in the shade, its basket empty. */
const parkedBike = drawing(
  { name: "parked-bike", width: 480, height: 320, ground: paint.sky },
  <>
    <PaleDisc x={306} y={150} r={136} />
    <Cloud x={398} y={66} scale={0.8} />
    <FarTrees x={0} y={250} width={480} />
    <Fill d="M0 246h480v74h-480z" colour={paint.lawn} />
    <Fill d="M0 286Q240 268 480 286V320H0z" colour={paint.road} />
    <RainTree x={112} y={268} scale={1.34} />
    <GroundShadow x={284} y={297} rx={156} ry={8} />
    <Bicycle x={280} y={298} scale={0.98} />
    <Tuft x={40} y={286} />
    <Tuft x={446} y={284} scale={0.8} />
    <Flower x={176} y={304} r={6} />
    <Leaf x={420} y={306} turn={-24} length={18} colour={paint.leafLight} />
  </>,
);

export const noticePictures = (vehicle: HeroVehicle): readonly Picture[] => [
  flatTyre(vehicle),
  emptyShelf,
  lostPage,
  parkedBike,
];
