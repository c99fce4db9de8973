/** The picture of operators whose work is done. */
import { Flower, Leaf, PaleDisc } from "./ornaments.tsx";
import {
  Fill,
  Glint,
  GroundShadow,
  Place,
  type Placed,
  paint,
  path,
  polar,
  Shade,
  Tube,
} from "./pen.tsx";
import { drawing } from "./picture.tsx";
import { Cloud, FarTrees, RainTree, Tuft } from "./scenery.tsx";
import { Wheel } from "./vehicles.tsx";

const rear = [-86, -58] as const;
const front = [92, -58] as const;

/** A guard over a wheel, between two angles. */
function Guard({ at, from, to }: { at: readonly [number, number]; from: number; to: number }) {
  const d = path`M${polar(from, 64, at)}A64 64 0 0 1 ${polar(to, 64, at)}`;
  return <Tube d={d} width={7} colour={paint.rani} />;
}

/** A bicycle on its stand, 300 wide and 200 high; 0,0 is the ground between its wheels. */
function Bicycle(place: Placed) {
  const frame = "M-12-54L-36-140M-30-118L66-128M-12-54L70-112M-34-130L-86-58L-12-54";
  return (
    <Place {...place}>
      <Tube d="M-34-56L-54-2h-14" width={5} colour={paint.metal} />
      <Wheel x={rear[0]} y={rear[1]} r={56} tyre={0.13} />
      <Wheel x={front[0]} y={front[1]} r={56} tyre={0.13} />
      <Guard at={rear} from={-176} to={-42} />
      <Guard at={front} from={-150} to={-34} />
      <Tube d="M-144-132H-44M-132-130L-86-58" width={5} colour={paint.metal} />
      <Tube d={frame} width={10} colour={paint.peacock} />
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
      <path d="M50-190a9 8 0 0 1 17 3z" fill={paint.marigold} strokeWidth="3" />
    </Place>
  );
}

/** Nothing is to be done: a bicycle stands on its stand in the shade, its basket empty. */
export const parkedBike = drawing(
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
