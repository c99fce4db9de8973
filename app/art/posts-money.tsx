/** Blog pictures of the posts on saving money. */
import { ClayBank, ColumnBook, Pencil, PinchHand, PriceTag, Scissors } from "./objects.tsx";
import { Coin, Flower, Pin, Rosette } from "./ornaments.tsx";
import {
  alongLine,
  Fill,
  Flat,
  GroundShadow,
  type Paint,
  Place,
  paint,
  path,
  polar,
  scallopsThrough,
} from "./pen.tsx";
import { drawing, type Picture } from "./picture.tsx";
import { Cloud, FarTrees, Tuft } from "./scenery.tsx";

const centre = [316, 150] as const;
const hours = Array.from({ length: 12 }, (_, hour) => {
  const turn = hour * 30 - 90;
  return path`M${polar(turn, hour % 3 ? 92 : 86, centre)}L${polar(turn, 100, centre)}`;
});

/** The sun as a clock with the hours from 11 to 4 painted, a clay bank, and a coin on its way in. */
const offPeak = drawing(
  { name: "post-midday-sun", width: 480, height: 320, ground: paint.sky },
  <>
    <Cloud x={116} y={64} scale={0.8} />
    <Cloud x={462} y={52} scale={0.6} />
    <FarTrees x={0} y={256} width={480} />
    <Rosette at={centre} r={132} count={30} fill={paint.marigold} />
    <circle cx={centre[0]} cy={centre[1]} r="113" fill={paint.marigoldLight} strokeWidth="3" />
    <path
      d={path`M${centre}L${polar(-120, 111.5, centre)}A111.5 111.5 0 0 1 ${polar(30, 111.5, centre)}z`}
      fill={paint.leaf}
      strokeWidth="3"
    />
    <path
      d={path`M${polar(-112, 76, centre)}A76 76 0 0 1 ${polar(24, 76, centre)}`}
      stroke={paint.marigoldLight}
      strokeWidth="6"
      strokeDasharray="0 15.4"
    />
    <path d={hours.join("")} strokeWidth="4.5" />
    <path
      d={path`M${centre}L${polar(-36, 52, centre)}M${centre}L${polar(-90, 82, centre)}`}
      strokeWidth="6.5"
    />
    <circle cx={centre[0]} cy={centre[1]} r="9" fill={paint.rani} strokeWidth="3" />
    <path
      d={path`M${polar(-74, 123, centre)}A123 123 0 0 1 ${polar(-46, 123, centre)}`}
      stroke={paint.cream}
      strokeWidth="5"
    />
    <Fill d="M0 252h480v68h-480z" colour={paint.lawn} />
    <path d="M-4 252H484" />
    <Tuft x={280} y={288} scale={0.8} />
    <Tuft x={448} y={276} />
    <Flat>
      <Flower x={344} y={284} r={9} />
      <Flower x={402} y={302} r={9} colour={paint.rani} />
      <Flower x={236} y={306} r={7} />
    </Flat>
    <GroundShadow x={118} y={294} rx={92} ry={9} />
    <ClayBank x={118} y={294} scale={1.05} />
    <PinchHand x={104} y={92} scale={0.86} turn={14} skin={paint.skin2}>
      <g transform="rotate(-14)">
        <Coin x={20} y={20} r={32} />
      </g>
    </PinchHand>
  </>,
);

const warp = [0, 96, 192, 288, 384, 480];

/** The month's columns on a chequered gamcha, with the coins counted out beside them. */
const budget = drawing(
  { name: "post-notebook", width: 480, height: 320, ground: paint.field },
  <>
    <Flat fill={paint.rani}>
      <path d={warp.map((at) => path`M${at - 24} 0h48v320h-48z`).join("")} fillOpacity=".3" />
      <path d={warp.map((at) => path`M0 ${at - 56}h480v48h-480z`).join("")} fillOpacity=".3" />
    </Flat>
    <path
      d={warp.map((at) => path`M${at + 48} 0v320M0 ${at + 16}h480`).join("")}
      stroke={paint.rani}
      strokeOpacity=".5"
      strokeWidth="3"
    />
    <ColumnBook x={50} y={38} turn={-5} scale={0.95} />
    <Coin x={398} y={66} r={40} />
    <Coin x={424} y={162} r={34} />
    <Coin x={398} y={252} r={34} />
    <Pencil x={190} y={262} turn={-24} scale={0.92} />
  </>,
);

/** One strip of the receipt: 156 wide, 0,0 its upper left corner. */
function FarePart({ d, colour }: { d: string; colour: Paint }) {
  return (
    <>
      <path d={d} fill={colour} />
      <Fill d="M3 3H22V57H3z" colour={paint.line} opacity={0.15} />
    </>
  );
}

const strip = "M0 0H156V60H0z";
const foot = scallopsThrough(alongLine([156, 58], [0, 58], 8), 0.56);

/** A receipt cut into what the fare is made of; two hands hold up what they bid and what they ask. */
const fareParts = drawing(
  { name: "post-cut-receipt", width: 480, height: 320, ground: paint.leaf },
  <>
    <Rosette at={[240, 160]} r={204} count={38} fill={paint.leafLight} stroke="none" />
    <Place x={160} y={22} turn={-4}>
      <FarePart d="M0 60V14Q0 0 14 0H142Q156 0 156 14V60z" colour={paint.cream} />
      <path d="M34 22H102M34 42H76" strokeWidth="7" strokeOpacity=".75" />
      <Coin x={126} y={31} r={19} />
    </Place>
    <Place x={166} y={92} turn={3}>
      <FarePart d={strip} colour={paint.marigold} />
      <path
        d="M34 36a11 11 0 1 0 22 0a11 11 0 1 0-22 0m36 0a11 11 0 1 0 22 0a11 11 0 1 0-22 0M45 36l11-18h15l10 18M55 20l14 14l4-14"
        strokeWidth="3.6"
      />
      <path d="M112 31H138" strokeWidth="7" />
    </Place>
    <Place x={160} y={170} turn={-3}>
      <FarePart d={strip} colour={paint.peacock} />
      <circle cx="62" cy="30" r="20" fill={paint.cream} strokeWidth="3.6" />
      <path d="M62 17v13l9 6" strokeWidth="4" />
      <path d="M112 30H130" stroke={paint.cream} strokeWidth="7" />
    </Place>
    <Place x={166} y={236} turn={3}>
      <FarePart d={`M0 58V0H156V58${foot}z`} colour={paint.rani} />
      <Pin x={62} y={54} size={46} colour={paint.marigold} />
      <path d="M112 30H138" stroke={paint.cream} strokeWidth="7" />
    </Place>
    <Scissors x={122} y={88} turn={-1} scale={0.92} />
    <PinchHand x={104} y={176} scale={0.86} turn={-12} sleeve={paint.marigold} cuff={paint.rani}>
      <Place turn={12}>
        <PriceTag colour={paint.cream} coins={2} turn={4} />
      </Place>
    </PinchHand>
    <PinchHand x={382} y={84} scale={0.86} turn={14} mirror skin={paint.skin2} sleeve={paint.rani}>
      <Place turn={14}>
        <PriceTag colour={paint.brick} coins={3} turn={6} />
      </Place>
    </PinchHand>
  </>,
);

export const moneyPictures: readonly Picture[] = [offPeak, budget, fareParts];
